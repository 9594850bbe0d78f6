/*
 * Steps between two events: the first takes `first` seconds and each next one `growth` more, because every context
 * is one token longer.
 */

/** Seconds of so many steps. */
export const seriesSeconds = (first: number, growth: number, steps: number): number =>
  steps * first + (growth * steps * (steps - 1)) / 2;

/** The fewest steps that take at least `seconds`. */
export function stepsToReach(first: number, growth: number, seconds: number): number {
  if (seconds <= 0) return 0;
  const half = first - growth / 2;
  const root = growth > 0 ? (Math.sqrt(half * half + 2 * growth * seconds) - half) / growth : seconds / first;
  // The root is exact up to rounding; the answer is not allowed to be.
  let steps = Math.max(0, Math.ceil(root));
  while (steps > 0 && seriesSeconds(first, growth, steps - 1) >= seconds) steps -= 1;
  while (seriesSeconds(first, growth, steps) < seconds) steps += 1;
  return steps;
}
