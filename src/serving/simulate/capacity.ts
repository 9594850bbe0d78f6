import type { EngineRules } from './engine-rules.ts';
import type { Fleet } from './fleet.ts';
import { simulate } from './simulate.ts';
import type { SimulatedWorkload } from './workload-spec.ts';

/** Halvings of the interval; 9 leave 0.2 % of it. */
const bisections = 9;

/**
 * The largest Poisson rate that the simulation calls stable, requests per second, by bisection between 0 and `most`.
 * A finite run tells growth from chance only roughly: expect a few percent.
 */
export function largestStableRate(
  fleet: Fleet,
  workload: Omit<SimulatedWorkload, 'arrivals'>,
  most: number,
  seed: number,
  rules: Partial<EngineRules> = {},
): number {
  let low = 0;
  let high = most;
  for (let round = 0; round < bisections; round++) {
    const rate = (low + high) / 2;
    const { stability } = simulate(fleet, { ...workload, arrivals: { kind: 'poisson', rate } }, seed, rules);
    if (stability.verdict === 'unstable') high = rate;
    else low = rate;
  }
  return (low + high) / 2;
}
