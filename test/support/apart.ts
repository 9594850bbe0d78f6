import type { Distribution } from '../../src/serving/simulate/summary.ts';

/**
 * How far a closed form is from the mean of a simulation, as a share of it, beyond what the simulation itself leaves
 * open: the half width of its 95 % confidence interval does not count.
 */
export function apart(closedForm: number, simulated: Distribution | undefined): number {
  if (simulated === undefined) return Number.NaN;
  const { mean, uncertainty } = simulated;
  return Math.max(0, Math.abs(closedForm - mean) - (uncertainty?.mean ?? 0)) / mean;
}
