/** Relative width of the interval in which a root is accepted. */
const precision = 1e-10;

/** Rounds after which Brent's method has halved any interval of doubles; it needs about ten. */
const mostRounds = 200;

/**
 * A root of a continuous function between two points where it has different signs, by Brent's method: inverse
 * quadratic interpolation where that converges, halving where it does not (R. P. Brent, Algorithms for Minimization
 * without Derivatives, 1973, chapter 4).
 * @throws RangeError where the signs are the same or a value is not a number.
 */
export function brent(of: (x: number) => number, low: number, high: number): number {
  let a = low;
  let b = high;
  let atA = of(a);
  let atB = of(b);
  if (!(atA * atB <= 0)) throw new RangeError(`no change of sign between ${low} and ${high}`);
  let c = a;
  let atC = atA;
  let step = b - a;
  let before = step;
  for (let round = 0; round < mostRounds; round++) {
    if (Math.abs(atC) < Math.abs(atB)) [a, b, c, atA, atB, atC] = [b, c, b, atB, atC, atB];
    const tolerance = precision * Math.abs(b) + Number.MIN_VALUE;
    const half = (c - b) / 2;
    if (Math.abs(half) <= tolerance || atB === 0) return b;
    const proposed = Math.abs(before) >= tolerance && Math.abs(atA) > Math.abs(atB) ? interpolated() : undefined;
    [before, step] = proposed === undefined ? [half, half] : [step, proposed];
    [a, atA] = [b, atB];
    b += Math.abs(step) > tolerance ? step : Math.sign(half) * tolerance;
    atB = of(b);
    if (atB > 0 === atC > 0) [c, atC, step, before] = [a, atA, b - a, b - a];
  }
  return b;

  /** The step of the interpolation, where it stays well inside the interval. */
  function interpolated(): number | undefined {
    const half = (c - b) / 2;
    const s = atB / atA;
    const [r, q] = [atB / atC, atA / atC];
    let numerator = a === c ? 2 * half * s : s * (2 * half * q * (q - r) - (b - a) * (r - 1));
    let denominator = a === c ? 1 - s : (q - 1) * (r - 1) * (s - 1);
    if (numerator > 0) denominator = -denominator;
    numerator = Math.abs(numerator);
    const most = Math.min(
      3 * half * denominator - Math.abs(precision * b * denominator),
      Math.abs(before * denominator),
    );
    return 2 * numerator < most ? numerator / denominator : undefined;
  }
}

/**
 * The first root of a function between `low` and `high`, both above 0: looks for a change of sign on a grid that is
 * even in the logarithm, and closes in on it. Undefined where the sign never changes on the grid.
 */
export function firstRoot(of: (x: number) => number, low: number, high: number, points = 64): number | undefined {
  let x = low;
  let at = of(x);
  if (at === 0) return x;
  for (let index = 1; index <= points; index++) {
    const next = index === points ? high : low * (high / low) ** (index / points);
    const atNext = of(next);
    if (at * atNext <= 0) return brent(of, x, next);
    x = next;
    at = atNext;
  }
  return undefined;
}
