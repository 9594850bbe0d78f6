import type { CalibrationModel } from './calibration-model.ts';
import type { CalibrationParameter, ParameterName, ParameterValues } from './calibration-parameter.ts';
import { type LeastSquares, leastSquares } from './least-squares.ts';

/** In the search a factor is its logarithm and an overhead its seconds, both over their plausible spread. */
const toSearch = ({ kind, spread }: CalibrationParameter, value: number): number =>
  (kind === 'factor' ? Math.log(value) : value) / spread;

export const fromSearch = ({ kind, spread }: CalibrationParameter, x: number): number =>
  kind === 'factor' ? Math.exp(x * spread) : x * spread;

export function valuesOf(parameters: readonly CalibrationParameter[], solution: readonly number[]): ParameterValues {
  const values: Partial<Record<ParameterName, number>> = {};
  for (const [index, parameter] of parameters.entries()) {
    values[parameter.name] = fromSearch(parameter, solution[index] ?? 0);
  }
  return values;
}

/** Fits some parameters to the logarithms of all rows, from their public values (and, for a latency, from far above). */
export function fitParameters(
  model: CalibrationModel,
  parameters: readonly CalibrationParameter[],
  starts: readonly (readonly number[])[] = startsOf(model, parameters),
): LeastSquares {
  return leastSquares(
    model.rows.map(({ measured }) => Math.log(measured)),
    (solution) => model.logarithms(valuesOf(parameters, solution)),
    starts,
    {
      least: parameters.map((parameter) => toSearch(parameter, parameter.least)),
      most: mostOf(model, parameters),
    },
  );
}

/** Upper bounds of the search: a share of peak stays at 1 or below. */
export function mostOf(model: CalibrationModel, parameters: readonly CalibrationParameter[]): readonly number[] {
  const limits = model.limits();
  return parameters.map((parameter) => {
    const { name, most } = parameter;
    return toSearch(parameter, name === 'compute' || name === 'memory' ? Math.min(most, limits[name]) : most);
  });
}

/** Latency is small at its public value, and hardly felt there: a second search starts where it would be. */
function startsOf(
  model: CalibrationModel,
  parameters: readonly CalibrationParameter[],
): readonly (readonly number[])[] {
  const [first] = model.rows;
  const usual = parameters.map((parameter) =>
    toSearch(parameter, first === undefined ? 1 : parameter.usual(first.scenario.deployment)),
  );
  return parameters.some(({ name }) => name === 'linkLatency')
    ? [usual, usual.map((value, index) => (parameters[index]?.name === 'linkLatency' ? value + 2.5 : value))]
    : [usual];
}
