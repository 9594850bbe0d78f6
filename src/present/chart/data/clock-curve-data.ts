import { type Estimate, estimateWith, prepare } from '../../../estimate.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import type { Load, Workload } from '../../../profile/workload.ts';
import { contextWhereCacheEqualsWeights } from '../../../whatif/break-even.ts';
import { clockTime, grouped } from '../../clock-time.ts';
import { grows } from '../../grows.ts';
import { binaryTicks, logSpaced } from '../axis-ticks.ts';
import type { ClockCurveData, ClockCurvePoint } from '../clock-curve.ts';
import type { Limit } from '../curves.ts';
import { bandWords, headingOf } from '../heading-of.ts';

const points = 49;

/** Where a model states no limit, prompts are drawn to here. */
const usualContext = 131_072;
const shortestPrompt = 32;

/** TTFT against prompt length, all else as it is; the cached share of the prompt stays the same. */
export function promptCurveData(scenario: Scenario): ClockCurveData {
  const { workload, deployment } = scenario;
  const most = Math.max(workload.prompt, (deployment.model.contextLimit ?? usualContext) - workload.output);
  const share = workload.cached / workload.prompt;
  return curveData(scenario, {
    clock: 'ttft',
    title: `TTFT against prompt length`,
    axis: 'prompt tokens',
    kind: 'tokens',
    xs: logSpaced(Math.min(shortestPrompt, workload.prompt), most, points, true),
    here: workload.prompt,
    isLogY: true,
    workloadAt: (prompt) => ({ ...workload, prompt, cached: Math.floor(prompt * share) }),
    words: (x) => `at ${grouped(x)} prompt tokens`,
    limits: (low, high) => fitLimit(scenario, (x) => ({ ...workload, prompt: x, cached: 0 }), low, high),
  });
}

/** TPOT against the context that a token sees in the mean: prompt + output / 2. */
export function contextCurveData(scenario: Scenario): ClockCurveData {
  const { workload, deployment } = scenario;
  const half = Math.round(workload.output / 2);
  const most = Math.max(workload.prompt + half, (deployment.model.contextLimit ?? usualContext) - half);
  const least = Math.min(256, workload.prompt + half);
  return curveData(scenario, {
    clock: 'tpot',
    title: `TPOT against context`,
    axis: 'tokens of context, mean over an answer',
    kind: 'tokens',
    xs: logSpaced(Math.max(half + 1, least), most, points, true),
    here: workload.prompt + half,
    isLogY: false,
    // All of the prompt but its last token cached: the context counts, not how it came there.
    workloadAt: (context) => ({
      ...workload,
      prompt: Math.max(1, context - half),
      cached: Math.min(workload.cached, context - half - 1),
    }),
    words: (x) => `at ${grouped(x)} tokens of context`,
    limits: (low, high) => {
      const { value } = contextWhereCacheEqualsWeights(scenario);
      const label = 'KV cache equals weights';
      const equal: readonly Limit[] =
        value === undefined || value < low || value > high ? [] : [{ along: 'x', value, label }];
      const workloadAt = (context: number): Workload => ({
        ...workload,
        prompt: Math.max(1, context - half),
        cached: 0,
      });
      return [...equal, ...fitLimit(scenario, workloadAt, low, high)];
    },
  });
}

const mostSequences = 1024;

/** TPOT against the batch that starts together, or the requests in flight. */
export function batchCurveData(scenario: Scenario): ClockCurveData {
  const { workload } = scenario;
  const { load } = workload;
  const isBatch = load.kind === 'batch';
  const prepared = prepare(scenario.deployment, scenario.grade);
  const now = estimateWith(prepared, workload);
  const here = load.kind === 'rate' ? Math.max(1, now.load.running) : load.size;
  const fitting = now.memory.largestBatch;
  const most = Math.max(2 * here, Math.min(mostSequences, 1.5 * Math.max(1, fitting)), 8);
  const kind: Load['kind'] = isBatch ? 'batch' : 'concurrency';
  const xs = [...new Set([...logSpaced(1, most, points, true), Math.round(most)])];
  return curveData(scenario, {
    clock: 'tpot',
    title: isBatch ? 'TPOT against batch' : 'TPOT against requests in flight',
    axis: isBatch ? 'requests of a batch that starts together' : 'requests in flight',
    kind: 'number',
    ticks: binaryTicks(1, most),
    xs,
    here,
    isLogY: false,
    workloadAt: (size) => ({ ...workload, load: { kind, size } }),
    words: (x) => `at ${grouped(x)} ${isBatch ? 'requests a batch' : 'requests in flight'}`,
    limits: (low, high) =>
      fitting <= low || fitting >= high
        ? []
        : [{ along: 'x', value: fitting, label: `${grouped(fitting)} run at once` }],
  });
}

interface CurveQuestion {
  readonly clock: 'ttft' | 'tpot';
  readonly title: string;
  readonly axis: string;
  readonly kind: 'tokens' | 'number';
  readonly ticks?: readonly number[];
  readonly xs: readonly number[];
  readonly here: number;
  readonly isLogY: boolean;
  readonly workloadAt: (x: number) => Workload;
  readonly words: (x: number) => string;
  readonly limits: (low: number, high: number) => readonly Limit[];
}

function curveData(scenario: Scenario, question: CurveQuestion): ClockCurveData {
  const { clock, xs, title, axis, kind, ticks, words, isLogY } = question;
  const prepared = prepare(scenario.deployment, scenario.grade);
  const now = estimateWith(prepared, scenario.workload);
  const here = isEndless(now, clock) ? undefined : pointOf(now, clock, question.here);
  const [low = 1, high = 1] = [xs[0], xs.at(-1)];
  const estimates = xs.map((x) => ({ x, of: estimateWith(prepared, question.workloadAt(x)) }));
  return {
    heading: headingOf(
      `${title}: ${here === undefined ? 'it grows' : clockTime(here.seconds)} in this scenario`,
      scenario,
      now,
      scenario.grade === 'ideal' ? '' : bandWords,
    ),
    clock,
    against: { title: axis, kind, ...(ticks === undefined ? {} : { ticks }), words },
    isLogY,
    points: estimates.flatMap(({ x, of }) => (isEndless(of, clock) ? [] : [pointOf(of, clock, x)])),
    ...(here === undefined ? {} : { here }),
    limits: [...question.limits(low, high), ...stableLimit(estimates)],
  };
}

/** A wait that grows has no mean to draw; the time between tokens has one, with every place taken. */
const isEndless = (of: Estimate, clock: 'ttft' | 'tpot'): boolean => clock === 'ttft' && grows(of);

/** Where requests begin to arrive faster than they leave. */
function stableLimit(estimates: readonly { readonly x: number; readonly of: Estimate }[]): readonly Limit[] {
  const first = estimates.findIndex(({ of }) => grows(of));
  const last = estimates[first - 1];
  return last === undefined ? [] : [{ along: 'x', value: last.x, label: 'stable up to here' }];
}

function pointOf(estimate: Estimate, name: 'ttft' | 'tpot', x: number): ClockCurvePoint {
  const { seconds, low, high, ideal } = estimate[name];
  return { x, seconds, ...(estimate.grade === 'ideal' ? {} : { band: { low, high }, ideal }) };
}

/** Where the requests in flight no longer have room in memory together, so that some wait. */
function fitLimit(
  scenario: Scenario,
  workloadAt: (x: number) => Workload,
  low: number,
  high: number,
): readonly Limit[] {
  const { load } = scenario.workload;
  if (load.kind === 'rate' || load.size < 2) return [];
  const prepared = prepare(scenario.deployment, scenario.grade);
  const fits = (x: number): boolean => estimateWith(prepared, workloadAt(x)).memory.largestBatch >= load.size;
  if (!fits(low) || fits(high)) return [];
  let [below, above] = [low, high];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (fits(middle)) below = middle;
    else above = middle;
  }
  return [{ along: 'x', value: below, label: `${grouped(load.size)} no longer fit at once` }];
}
