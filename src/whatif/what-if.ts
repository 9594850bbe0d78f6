import { type Estimate, estimateWith, prepare, type Prepared } from '../estimate.ts';
import type { Prices } from '../profile/price.ts';
import type { Deployment, Scenario } from '../profile/scenario.ts';
import type { Breakdown } from '../roofline/resource.ts';
import type { Clock } from '../serving/clock.ts';
import type { Stability } from '../serving/open-loop.ts';
import { type Ceiling, ceilingOf } from './ceiling.ts';
import type { Change } from './change.ts';
import { comparableCosts, costPerMillion } from './cost.ts';
import { type Elasticities, elasticitiesOf } from './elasticity.ts';
import { applyLevers } from './lever.ts';
import { peakOf } from './peak-of.ts';
import { bindingGroup, type RateGroup } from './rate-group.ts';
import { movedClocks, type Moved, type RateRatios, verdictOf } from './verdict.ts';

/** A clock before and after a change, seconds. */
export interface ClockChange {
  readonly before: number;
  readonly after: number;
  /** after / before. */
  readonly ratio: number;
  /** 80 % of measurements after the change are expected between these. */
  readonly low: number;
  readonly high: number;
  /** After the change, seconds by resource. */
  readonly breakdown: Breakdown;
  /** What the clock reacts to most, before and after. */
  readonly bound: { readonly before: RateGroup['name']; readonly after: RateGroup['name'] };
}

/** A number that is no clock, before and after; null where it is not known. */
export interface Shift {
  readonly before: number | null;
  readonly after: number | null;
  readonly ratio: number | null;
}

export interface ChangeResult {
  readonly label: string;
  /** Texts of the levers. */
  readonly levers: readonly string[];
  readonly ttft: ClockChange;
  readonly tpot: ClockChange;
  readonly e2e: ClockChange;
  readonly moved: Moved;
  /** Under an arrival rate: whether requests pile up; TTFT of an unstable load is no number, but grows. */
  readonly stability: { readonly before: Stability['verdict'] | null; readonly after: Stability['verdict'] | null };
  /** In words: what moves, why, and what limits it then. */
  readonly verdict: string;
  readonly ceiling: Ceiling;
  readonly memory: Estimate['memory'];
  readonly throughput: {
    readonly requestsPerSecond: Shift;
    readonly outputTokensPerSecond: Shift;
    readonly outputTokensPerSecondPerDevice: Shift;
  };
  /** US dollars per million output tokens. */
  readonly cost: Shift;
  /** What it may cost that no clock shows. */
  readonly cautions: readonly string[];
  readonly warnings: readonly string[];
}

export interface WhatIf {
  readonly schema: 'twoclocks/whatif@1';
  readonly base: Estimate;
  readonly changes: readonly ChangeResult[];
  readonly elasticities: Elasticities;
}

/**
 * What each change, made on its own, does to both clocks of a scenario.
 * @param prices For the cost per million tokens; left out where no price of a device is known.
 * @throws ScenarioError where the scenario cannot be, LeverError where a change does not apply to it.
 */
export function whatIf(scenario: Scenario, changes: readonly Change[], prices?: Prices): WhatIf {
  const prepared = prepare(scenario.deployment, scenario.grade);
  const base = estimateWith(prepared, scenario.workload);
  return {
    schema: 'twoclocks/whatif@1',
    base,
    changes: changes.map((change) => changeResult(scenario, base, change, prepared, prices)),
    elasticities: elasticitiesOf(scenario, prepared.compiled),
  };
}

function changeResult(
  scenario: Scenario,
  base: Estimate,
  { label, levers }: Change,
  prepared: Prepared,
  prices: Prices | undefined,
): ChangeResult {
  const changed = applyLevers(levers, scenario);
  // A change of the workload alone needs no new table.
  const then = changed.deployment === scenario.deployment ? prepared : prepare(changed.deployment, changed.grade);
  const after = estimateWith(then, changed.workload);
  const ceiling = ceilingOf(then.compiled, changed.workload, after);
  const answers = changed.workload.output;
  const shift = (value: (of: Estimate) => number): Shift => shiftOf(value(base), value(after));
  const cost = (of: Estimate, { deployment }: Scenario): number | undefined =>
    costPerMillion(prices, deployment.hardware.name, {
      devices: of.load.devices,
      outputTokensPerSecond: of.throughput.outputTokensPerSecond,
    });
  const costs = shiftOf(cost(base, scenario), cost(after, changed));
  const comparable = comparableCosts(prices, scenario.deployment.hardware.name, changed.deployment.hardware.name);
  return {
    label,
    levers: levers.map(({ text }) => text),
    ttft: clockChange(base.ttft, after.ttft),
    tpot: clockChange(base.tpot, after.tpot),
    e2e: clockChange(base.e2e, after.e2e),
    moved: movedClocks(base, after, answers),
    stability: { before: stabilityOf(base), after: stabilityOf(after) },
    verdict: verdictOf(base, after, ceiling, changed.workload, ratesOf(scenario.deployment, changed.deployment)),
    ceiling,
    memory: after.memory,
    throughput: {
      requestsPerSecond: shift(({ throughput }) => throughput.requestsPerSecond),
      outputTokensPerSecond: shift(({ throughput }) => throughput.outputTokensPerSecond),
      outputTokensPerSecondPerDevice: shift(({ throughput }) => throughput.outputTokensPerSecondPerDevice),
    },
    cost: { ...costs, ratio: comparable ? costs.ratio : null },
    cautions: levers.flatMap(({ caution }) => (caution === undefined ? [] : [caution])),
    warnings: after.warnings.filter((warning) => !base.warnings.includes(warning)),
  };
}

/** What the device's two rates became, where it is another device. */
function ratesOf(before: Deployment, after: Deployment): RateRatios | undefined {
  if (before.hardware === after.hardware) return undefined;
  const flops = peakOf(after, after.hardware) / peakOf(before, before.hardware);
  return { flops, bandwidth: after.hardware.memory.bandwidth / before.hardware.memory.bandwidth };
}

const stabilityOf = ({ load }: Estimate): Stability['verdict'] | null => load.stability?.verdict ?? null;

const clockChange = (before: Clock, after: Clock): ClockChange => ({
  before: before.seconds,
  after: after.seconds,
  ratio: after.seconds / before.seconds,
  low: after.low,
  high: after.high,
  breakdown: after.breakdown,
  bound: { before: bindingGroup(before).group.name, after: bindingGroup(after).group.name },
});

const shiftOf = (before: number | undefined, after: number | undefined): Shift => ({
  before: before ?? null,
  after: after ?? null,
  ratio: before === undefined || after === undefined || before === 0 ? null : after / before,
});
