import { levenbergMarquardt } from 'ml-levenberg-marquardt';
import { Matrix, SVD } from 'ml-matrix';

/** A fit by bounded least squares (ml-levenberg-marquardt). */
export interface LeastSquares {
  readonly solution: readonly number[];
  /** Measured less predicted. */
  readonly residuals: readonly number[];
  /** d predicted / d parameter, one row per datum. */
  readonly jacobian: readonly (readonly number[])[];
  readonly rootMeanSquare: number;
}

export interface Bounds {
  readonly least: readonly number[];
  readonly most: readonly number[];
}

const difference = 1e-4;

/** The library runs a fixed number of rounds: short turns of it, until one gains nothing any more. */
const roundsPerTurn = 6;
const mostTurns = 12;
/** Sums of squares of logarithms: this is a thousandth of a per cent. */
const gain = 1e-10;

/** Minimises the sum of squares of `measured` - `predict(x)` over x within bounds, from the best of `starts`. */
export function leastSquares(
  measured: readonly number[],
  predict: (parameters: readonly number[]) => readonly number[],
  starts: readonly (readonly number[])[],
  bounds: Bounds,
): LeastSquares {
  const found = starts.map((start) => descend(measured, predict, start, bounds));
  const best = found.reduce((a, b) => (b.error < a.error - gain ? b : a));
  const { solution } = best;
  const fitted = predict(solution);
  const residuals = measured.map((value, index) => value - (fitted[index] ?? 0));
  return {
    solution,
    residuals,
    jacobian: jacobianAt(predict, solution, fitted, bounds.most),
    rootMeanSquare: Math.sqrt(residuals.reduce((sum, value) => sum + value ** 2, 0) / residuals.length),
  };
}

interface Descent {
  readonly solution: readonly number[];
  readonly error: number;
}

function descend(
  measured: readonly number[],
  predict: (parameters: readonly number[]) => readonly number[],
  start: readonly number[],
  { least, most }: Bounds,
): Descent {
  if (start.length === 0) return { solution: start, error: 0 };
  // The library wants two data at least, and asks for one at a time; all are computed together.
  const y = measured.length === 1 ? [...measured, ...measured] : [...measured];
  const x = y.map((_, index) => Math.min(index, measured.length - 1));
  // A little beyond the bounds, so that the library's differences are felt at them.
  const within = (values: readonly number[], beyond = 0): readonly number[] =>
    values.map((value, index) =>
      Math.min((most[index] ?? value) + beyond, Math.max((least[index] ?? value) - beyond, value)),
    );
  let best: Descent = { solution: within(start), error: Infinity };
  for (let turn = 0; turn < mostTurns; turn++) {
    const { parameterValues, parameterError } = levenbergMarquardt(
      { x, y },
      (parameters) => {
        const all = predict(within(parameters, 2 * difference));
        return (index) => all[index] ?? 0;
      },
      {
        initialValues: [...best.solution],
        minValues: [...least],
        maxValues: [...most],
        gradientDifference: difference,
        maxIterations: roundsPerTurn,
        errorTolerance: 1e-14,
        damping: turn % 2 === 0 ? 1e-3 : 1,
      },
    );
    const before = best.error;
    if (parameterError < best.error) best = { solution: within(parameterValues), error: parameterError };
    if (best.error < gain || !(before - best.error > gain + 1e-4 * best.error)) break;
  }
  return best;
}

/** Forward differences, backward at an upper bound. */
function jacobianAt(
  predict: (parameters: readonly number[]) => readonly number[],
  at: readonly number[],
  fitted: readonly number[],
  most: readonly number[],
): readonly (readonly number[])[] {
  const columns = at.map((value, index) => {
    const step = value + difference > (most[index] ?? Infinity) ? -difference : difference;
    const moved = predict(at.map((each, position) => (position === index ? each + step : each)));
    return moved.map((each, row) => (each - (fitted[row] ?? 0)) / step);
  });
  return fitted.map((_, row) => columns.map((column) => column[row] ?? 0));
}

/** (JT J)^-1 by singular values; undefined where its columns are not independent. */
export function inverseOfNormal(jacobian: readonly (readonly number[])[]): readonly (readonly number[])[] | undefined {
  const [first] = jacobian;
  if (first === undefined || first.length === 0 || jacobian.length < first.length) return undefined;
  const svd = new SVD(new Matrix(jacobian.map((row) => [...row])));
  if (svd.rank < first.length) return undefined;
  const v = svd.rightSingularVectors.to2DArray();
  return v.map((a) =>
    v.map((b) => svd.diagonal.reduce((sum, value, k) => sum + ((a[k] ?? 0) * (b[k] ?? 0)) / value ** 2, 0)),
  );
}

/**
 * Sine of the angle between a column and the space of others: 0 where they explain it wholly. The column of the
 * largest cosine is the one that it is mistaken for.
 */
export function independence(
  column: readonly number[],
  others: readonly (readonly number[])[],
): { readonly sine: number; readonly likest: number } {
  const unit = (values: readonly number[]): readonly number[] => {
    const size = Math.hypot(...values);
    return size === 0 ? values : values.map((value) => value / size);
  };
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const own = unit(column);
  let rest = own;
  const basis: (readonly number[])[] = [];
  for (const other of others) {
    let each = unit(other);
    for (const known of basis) {
      const along = dot(each, known);
      each = each.map((value, index) => value - along * (known[index] ?? 0));
    }
    if (Math.hypot(...each) < 1e-9) continue;
    const direction = unit(each);
    basis.push(direction);
    const along = dot(rest, direction);
    rest = rest.map((value, index) => value - along * (direction[index] ?? 0));
  }
  const cosines = others.map((other) => Math.abs(dot(own, unit(other))));
  return { sine: Math.hypot(...rest), likest: cosines.indexOf(Math.max(...cosines)) };
}

/** Two-sided 95 % quantile of Student's t: exact to three digits (Abramowitz and Stegun, table 26.10), 1.96 beyond. */
export function studentQuantile(freedom: number): number {
  const table = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
  return table[freedom - 1] ?? 1.96 + 2.4 / freedom;
}
