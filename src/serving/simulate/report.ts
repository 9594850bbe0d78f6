import type { SimulationBin, SimulationResult } from './simulation-result.ts';
import { type Distribution, summarise } from './summary.ts';
import { stabilityOf } from './stability.ts';
import type { Tally } from './tally.ts';
import { warmUpLength } from './warm-up.ts';
import type { Objectives } from './workload-spec.ts';

export interface ReportOptions {
  readonly seed: number;
  readonly servers: number;
  /** Engines that answer: all, unless some compute prompts for others. */
  readonly answering: number;
  /** KV blocks of all engines that answer. */
  readonly blocks: number;
  readonly objectives: Objectives;
  readonly warmUp: 'detect' | 'none' | number;
  /** Requests arrive at a rate of their own, so that they may come faster than they leave. */
  readonly isOpen: boolean;
  readonly isComplete: boolean;
  readonly now: number;
}

/** Turns a tally into what is reported. */
export function reportOf(tally: Tally, options: ReportOptions): SimulationResult {
  const { sent, finished, refused } = tally;
  const stretch = (values: Float64Array): Float64Array => values.subarray(0, sent);
  const warmUp =
    options.warmUp === 'none'
      ? 0
      : options.warmUp === 'detect'
        ? warmUpLength(stretch(tally.ttft))
        : Math.min(options.warmUp, sent);
  const counted = countAfter(tally, warmUp, options.objectives);
  const first = sent === 0 ? 0 : (tally.sentAt[Math.min(warmUp, sent - 1)] ?? 0);
  const last = options.isComplete ? tally.lastFinish : options.now;
  const seconds = Math.max(0, last - first);
  const whole = Math.max(0, last);
  const perSecond = (amount: number): number => (seconds > 0 ? amount / seconds : 0);
  const over = (amount: number, time: number): number => (time > 0 ? amount / time : 0);
  const times = stretch(tally.e2e);
  let timeSum = 0;
  for (let id = 0; id < times.length; id++) timeSum += Number.isNaN(times[id] ?? 0) ? 0 : (times[id] ?? 0);
  const hasObjectives = Object.keys(options.objectives).length > 0;
  const stability = stabilityOf(tally, options.isOpen, options.servers);
  const bounded = options.blocks > 0 && options.blocks < Infinity;
  return {
    producedBy: 'event simulation',
    seed: options.seed,
    outcome: options.isComplete ? 'complete' : 'stopped',
    requests: {
      sent,
      answered: finished,
      refused,
      inFlight: sent - finished - refused,
      warmUp,
      counted: counted.requests,
    },
    seconds,
    ttft: summarise(stretch(tally.ttft), warmUp),
    tpot: summarise(stretch(tally.tpot), warmUp),
    itl: gapDistribution(tally),
    e2e: summarise(times, warmUp),
    queueWait: summarise(stretch(tally.wait), warmUp),
    throughput: {
      requestsPerSecond: perSecond(counted.requests),
      outputTokensPerSecond: perSecond(counted.output),
      totalTokensPerSecond: perSecond(counted.output + counted.prompt),
    },
    ...(hasObjectives
      ? { goodput: { requestsPerSecond: perSecond(counted.good), share: over(counted.good, counted.requests) } }
      : {}),
    utilisation: over(tally.busySeconds, whole * options.servers),
    running: { mean: over(tally.runningSeconds, whole), most: tally.mostRunning },
    keyValueOccupancy: bounded
      ? {
          mean: over(tally.heldSeconds, whole * options.blocks),
          most: tally.mostHeld / (options.blocks / options.answering),
        }
      : { mean: 0, most: 0 },
    preemptions: { count: tally.preemptions, requests: tally.preemptedRequests },
    hitRate: over(tally.hitTokens, tally.promptTokens),
    stability,
    little: { present: over(tally.presentUntil(last), whole), rateTimesTime: over(timeSum, whole) },
    series: { binSeconds: tally.series.width, bins: binsOf(tally, options) },
    warnings: warningsOf(tally, stability.verdict, options),
  };
}

interface Counted {
  readonly requests: number;
  readonly prompt: number;
  readonly output: number;
  readonly good: number;
}

/** Sums over the answered requests from `warmUp` on. */
function countAfter(
  tally: Tally,
  warmUp: number,
  { ttft = Infinity, tpot = Infinity, e2e = Infinity }: Objectives,
): Counted {
  let requests = 0;
  let prompt = 0;
  let output = 0;
  let good = 0;
  for (let id = warmUp; id < tally.sent; id++) {
    const whole = tally.e2e[id] ?? Number.NaN;
    if (Number.isNaN(whole)) continue;
    requests += 1;
    prompt += tally.prompts[id] ?? 0;
    output += tally.outputs[id] ?? 0;
    // A request of one token has no TPOT, and so none that could be too long.
    if (whole <= e2e && (tally.ttft[id] ?? Infinity) <= ttft && !((tally.tpot[id] ?? 0) > tpot)) good += 1;
  }
  return { requests, prompt, output, good };
}

function gapDistribution({ gaps }: Tally): Distribution | undefined {
  if (gaps.count === 0) return undefined;
  return {
    mean: gaps.sum / gaps.count,
    p50: gaps.quantile(0.5),
    p90: gaps.quantile(0.9),
    p95: gaps.quantile(0.95),
    p99: gaps.quantile(0.99),
  };
}

function binsOf({ series }: Tally, { answering, blocks }: ReportOptions): readonly SimulationBin[] {
  const { width, bins } = series;
  const perBlock = blocks > 0 && blocks < Infinity ? 1 / (width * blocks) : 0;
  return bins.map((bin, index) => ({
    start: index * width,
    arrivals: bin.arrivals,
    completions: bin.completions,
    outputTokensPerSecond: bin.outputTokens / width,
    ttft: bin.firstTokens === 0 ? null : bin.ttftSum / bin.firstTokens,
    running: bin.runningSeconds / width,
    waiting: bin.busySeconds === 0 ? 0 : (bin.waitingSeconds / bin.busySeconds) * answering,
    keyValueOccupancy: bin.heldSeconds * perBlock,
  }));
}

function warningsOf(tally: Tally, verdict: string, { isComplete }: ReportOptions): readonly string[] {
  return [
    ...(verdict === 'unstable'
      ? [
          'unstable: more requests arrive than leave. Every time below grows with the length of the run, and says nothing about a steady state.',
        ]
      : []),
    ...(isComplete ? [] : [`stopped early: ${tally.finished} of ${tally.sent} requests sent were answered.`]),
    ...(tally.refused > 0
      ? [`${tally.refused} requests were turned away: prompt and answer together need more KV than an engine has.`]
      : []),
  ];
}
