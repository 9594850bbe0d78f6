import type { Grade } from '../profile/scenario.ts';
import { type Breakdown, breakdownOf, type Resource, resources } from '../roofline/resource.ts';
import type { Band } from './band.ts';
import { sum } from './clock-seconds.ts';

/** One clock of an estimate. `breakdown` adds up to `seconds`. */
export interface Clock {
  readonly seconds: number;
  /** 80 % of measurements are expected between `low` and `high`. */
  readonly low: number;
  readonly high: number;
  /** The textbook roofline: what no engine can beat on this hardware. */
  readonly ideal: number;
  readonly breakdown: Breakdown;
  /**
   * Relative change of the clock per relative change of a resource's speed (or of a cost, for overheads), negated:
   * 0.7 for `weight-bandwidth` means that 1 % more bandwidth takes 0.7 % off. They sum to 1.
   */
  readonly elasticity: Breakdown;
  readonly grade: Grade;
  /** Which residuals the band comes from. */
  readonly regime: string;
}

/** Builds a clock from seconds by resource and their resolution into rates. */
export function clockOf(parts: Float64Array, rates: Float64Array, ideal: number, grade: Grade, band: Band): Clock {
  const seconds = sum(parts);
  return {
    seconds,
    low: band.low,
    high: band.high,
    ideal,
    breakdown: breakdownOf(parts),
    elasticity: breakdownOf(rates, seconds === 0 ? 0 : 1 / seconds),
    grade,
    regime: band.regime,
  };
}

/** The resource that a clock reacts to most, by elasticity. */
export function bindingResource(clock: Clock): { readonly resource: Resource; readonly share: number } {
  let best: Resource = 'compute';
  for (const resource of resources) if (clock.elasticity[resource] > clock.elasticity[best]) best = resource;
  return { resource: best, share: clock.elasticity[best] };
}
