import { explainWith, prepare } from '../estimate.ts';
import type { Prices } from '../profile/price.ts';
import type { Scenario, Speculation } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import { firstRoot } from '../quantity/brent.ts';
import { resourceIndex } from '../roofline/resource.ts';
import { compile, type CompiledDeployment } from '../serving/compiled.ts';
import { deviceRate } from './cost.ts';
import { applyLevers, type Lever, whyNot } from './lever.ts';
import { ranksLever } from './levers/parallelism.ts';
import { speculationLever } from './levers/speculation.ts';
import { clocksOf, quickOutcome, quickOutcomeOf } from './quick-outcome.ts';
import { type RateGroup, rateGroups } from './rate-group.ts';
import type { Resource } from '../roofline/resource.ts';

/** Where a balance tips, or on which side it stays. */
export interface BreakEven {
  /** What is looked for: 'batch', 'tp', 'hit rate' ... */
  readonly variable: string;
  /** Where it tips; undefined where it never does in the range searched. */
  readonly value: number | undefined;
  /** Range that was searched. */
  readonly between: readonly [low: number, high: number];
  /** The balance at both ends of the range: which side wins. */
  readonly ends: readonly [low: number, high: number];
}

const mostSequences = 4096;

/** The same kind of load with another size. */
const withLoad = (workload: Workload, size: number): Workload => ({
  ...workload,
  load: workload.load.kind === 'rate' ? { kind: 'rate', requestsPerSecond: size } : { ...workload.load, size },
});

function tipping(variable: string, of: (x: number) => number, low: number, high: number, points?: number): BreakEven {
  return { variable, value: firstRoot(of, low, high, points), between: [low, high], ends: [of(low), of(high)] };
}

/** Batch, concurrency or rate above which a lever (4-bit weights, say) no longer shortens TPOT: ln(with / without) = 0. */
export function loadWhereLeverStops(scenario: Scenario, lever: Lever, clock: 'ttft' | 'tpot' = 'tpot'): BreakEven {
  const without = compile(scenario.deployment, scenario.grade);
  const changed = applyLevers([lever], scenario);
  const other = compile(changed.deployment, changed.grade);
  const balance = (size: number): number => {
    const workload = withLoad(scenario.workload, size);
    return Math.log(quickOutcomeOf(other, workload)[clock] / quickOutcomeOf(without, workload)[clock]);
  };
  const { load } = scenario.workload;
  return tipping(load.kind, balance, load.kind === 'rate' ? 0.01 : 1, mostSequences);
}

/** TPOT by tensor ranks, as far as the heads allow and where the model fits, and the number of ranks behind which it turns up. */
export function ranksWhereTpotTurns(
  scenario: Scenario,
  most = 64,
): {
  readonly best: number;
  readonly curve: readonly { readonly tensor: number; readonly tpot: number; readonly ttft: number }[];
} {
  const curve = Array.from({ length: most }, (_, index) => index + 1).flatMap((tensor) => {
    const lever = ranksLever('tp', tensor);
    if (whyNot([lever], scenario) !== undefined) return [];
    const { tpot, ttft, fits } = quickOutcome(applyLevers([lever], scenario));
    return fits ? [{ tensor, tpot, ttft }] : [];
  });
  const [best] = curve.toSorted((a, b) => a.tpot - b.tpot);
  return { best: best?.tensor ?? 1, curve };
}

/** Load at which a clock leaves one resource for another: where their elasticities are equal. */
export function loadWhereBoundChanges(
  scenario: Scenario,
  clock: 'ttft' | 'tpot',
): readonly { readonly size: number; readonly from: RateGroup['name']; readonly to: RateGroup['name'] }[] {
  const compiled = compile(scenario.deployment, scenario.grade);
  const at = (size: number): RateGroup => boundAt(compiled, withLoad(scenario.workload, size), clock);
  const changes: { readonly size: number; readonly from: RateGroup['name']; readonly to: RateGroup['name'] }[] = [];
  let group = at(1);
  let size = 1;
  while (size < mostSequences) {
    const next = Math.max(size + 1, Math.round(size * 1.1));
    const then = at(next);
    if (then.name !== group.name) {
      changes.push({ size: firstWhere((x) => at(x).name !== group.name, size, next), from: group.name, to: then.name });
      group = then;
    }
    size = next;
  }
  return changes;
}

/** The smallest whole number in (low, high] where something holds that does not hold at `low`. */
function firstWhere(holds: (x: number) => boolean, low: number, high: number): number {
  let [below, above] = [low, high];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

function boundAt(compiled: CompiledDeployment, workload: Workload, clock: 'ttft' | 'tpot'): RateGroup {
  const shares = sharesAt(compiled, workload, clock);
  const [most] = rateGroups.toSorted((a, b) => shares(b.resources) - shares(a.resources));
  if (most === undefined) throw new RangeError('there are no resources');
  return most;
}

/** Elasticities of a clock, summed over resources. */
function sharesAt(
  compiled: CompiledDeployment,
  workload: Workload,
  clock: 'ttft' | 'tpot',
): (parts: readonly Resource[]) => number {
  const { clocks } = clocksOf(compiled, workload);
  const rates = Float64Array.from(clock === 'ttft' ? clocks.ttftRates : clocks.tpotRates);
  const seconds = clock === 'ttft' ? clocks.ttftSeconds : clocks.tpotSeconds;
  return (parts) => parts.reduce((sum, part) => sum + (rates[resourceIndex[part]] ?? 0), 0) / seconds;
}

/** The least replicas that keep up with an arrival rate; undefined where the load is no rate. */
export function replicasForRate(
  scenario: Scenario,
): { readonly replicas: number; readonly eachTakes: number } | undefined {
  const { load } = scenario.workload;
  if (load.kind !== 'rate') return undefined;
  const single = { ...scenario.deployment, parallelism: { ...scenario.deployment.parallelism, replicas: 1 } };
  const { disaggregation: _, ...deployment } = single;
  const { stability } = quickOutcome({ ...scenario, deployment });
  const eachTakes = stability?.largestRate ?? Infinity;
  // At exactly the largest rate a queue never empties.
  return { replicas: Math.floor(load.requestsPerSecond / eachTakes) + 1, eachTakes };
}

/** Share of the prompt that has to be in the cache for TTFT to meet a target. */
export function hitRateForTtft(scenario: Scenario, target: number): BreakEven {
  const compiled = compile(scenario.deployment, scenario.grade);
  const { workload } = scenario;
  const balance = (miss: number): number =>
    Math.log(quickOutcomeOf(compiled, { ...workload, cached: workload.prompt * (1 - miss) }).ttft / target);
  // Searched from the right: the most that may be missing.
  const least = 1 / workload.prompt;
  const missing = tipping('hit rate', balance, least, 1);
  return {
    variable: 'hit rate',
    value: missing.value === undefined ? undefined : 1 - missing.value,
    between: [0, 1 - least],
    ends: [balance(1), balance(least)],
  };
}

/** Acceptance above which drafting pays: TPOT with speculation equals TPOT without. */
export function acceptanceThatPays(scenario: Scenario, speculation: Speculation): BreakEven {
  const { speculation: _, ...deployment } = scenario.deployment;
  const plain = { ...scenario, deployment };
  const without = quickOutcome(plain).tpot;
  const balance = (acceptance: number): number => {
    const changed = applyLevers([speculationLever({ ...speculation, acceptance })], plain);
    return Math.log(quickOutcome(changed).tpot / without);
  };
  return tipping('acceptance', balance, 0.001, 0.999, 32);
}

/**
 * Prompt length at which prefill leaves its floor: where computing takes as much of TTFT as reading weights and overhead,
 * which any prompt pays. A shorter prompt hardly helps.
 */
export function promptWherePrefillComputes(scenario: Scenario, most = 131_072): BreakEven {
  const compiled = compile(scenario.deployment, scenario.grade);
  const balance = (prompt: number): number => {
    const shares = sharesAt(compiled, { ...scenario.workload, prompt, cached: 0 }, 'ttft');
    return shares(['compute']) - shares(['weight-bandwidth', 'overhead', 'link-latency']);
  };
  return tipping('prompt', balance, 1, most);
}

/** Context at which a decode step reads as many bytes of KV cache as of weights. */
export function contextWhereCacheEqualsWeights(scenario: Scenario, most = 16_777_216): BreakEven {
  const prepared = prepare(scenario.deployment, scenario.grade);
  const balance = (context: number): number => {
    const prompt = Math.round(context);
    const [, { operators }] = explainWith(prepared, { ...scenario.workload, prompt, cached: 0, output: 2 });
    const sum = (key: 'weightBytes' | 'keyValueBytes'): number => operators.reduce((all, each) => all + each[key], 0);
    return Math.log((sum('keyValueBytes') + 1) / sum('weightBytes'));
  };
  return tipping('context', balance, 1, most, 24);
}

/** What a device may cost per second to be as cheap per token as the scenario's own; undefined without a price of that. */
export function priceWhereOtherWins(
  scenario: Scenario,
  other: Lever,
  prices: Prices,
):
  | { readonly dollarsPerSecond: number; readonly now: number | undefined; readonly ownDollarsPerSecond: number }
  | undefined {
  const own = deviceRate(prices, scenario.deployment.hardware.name);
  if (own === undefined) return undefined;
  const changed = applyLevers([other], scenario);
  const perDevice = (of: Scenario): number => {
    const { outputTokensPerSecond, devices } = quickOutcome(of);
    return outputTokensPerSecond / devices;
  };
  return {
    dollarsPerSecond: (own.dollarsPerSecond * perDevice(changed)) / perDevice(scenario),
    now: deviceRate(prices, changed.deployment.hardware.name)?.dollarsPerSecond,
    ownDollarsPerSecond: own.dollarsPerSecond,
  };
}
