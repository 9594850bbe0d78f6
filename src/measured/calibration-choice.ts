import { designOf, missingVariation } from './calibration-design.ts';
import { fitParameters } from './calibration-fit.ts';
import type { CalibrationModel } from './calibration-model.ts';
import { type CalibrationParameter, calibrationParameters, type ParameterName } from './calibration-parameter.ts';
import { independence, type LeastSquares } from './least-squares.ts';

/** Which parameters rows identify, and why not the others. */
export interface Choice {
  readonly parameters: readonly CalibrationParameter[];
  readonly refused: readonly RefusedParameter[];
  /** By fitted parameter: those that move the rows as it does, so that part of its value may be theirs. */
  readonly absorbed: ReadonlyMap<ParameterName, readonly ParameterName[]>;
}

/** One that the rows do not identify. It keeps its public value. */
export interface RefusedParameter {
  readonly name: ParameterName;
  readonly title: string;
  readonly reason: string;
}

/** A parameter that moves the rows by less than this over its plausible range is not identified. */
const leastEffect = 0.01;

/** Below this sine of its angle to the others, noise decides which of them is right. */
const leastAngle = 0.1;

/** A further parameter has to take this much off the error, and the error has to be worth it. */
const worthwhile = { ratio: 0.8, error: 0.01 } as const;

/** Fits this close are equal (runs repeat to a few per cent), and the plainest set of parameters wins. */
const tie = 0.01;

/** No more than this many at once: public rows never identified more. */
const mostParameters = 4;

/** The smallest set that explains the rows, among sets that they identify; of sets as good, the plainest. */
export function chooseParameters(model: CalibrationModel): Choice {
  const design = designOf(model.rows);
  const reasons = new Map<ParameterName, string>();
  const open = calibrationParameters.filter((parameter) => {
    const reason = missingVariation(parameter.name, design) ?? withoutEffect(model, parameter);
    if (reason !== undefined) reasons.set(parameter.name, reason);
    return reason === undefined;
  });
  let chosen: readonly CalibrationParameter[] = [];
  let best = fitParameters(model, []);
  for (let size = 1; size <= Math.min(mostParameters, open.length, model.rows.length); size++) {
    if (best.rootMeanSquare < worthwhile.error) break;
    const found = subsets(open, size)
      .map((parameters) => ({ parameters, fit: fitParameters(model, parameters) }))
      .filter(({ parameters, fit }) => whyNotTogether(parameters, fit) === undefined);
    const least = Math.min(...found.map(({ fit }) => fit.rootMeanSquare));
    const next = found.find(({ fit }) => fit.rootMeanSquare <= least + tie);
    if (next === undefined || next.fit.rootMeanSquare > best.rootMeanSquare * worthwhile.ratio) continue;
    chosen = next.parameters;
    best = next.fit;
  }
  return explained(model, chosen, best, open, reasons);
}

function withoutEffect(model: CalibrationModel, parameter: CalibrationParameter): string | undefined {
  const { jacobian } = fitParameters(model, [parameter]);
  return effectOf(jacobian.map(([value = 0]) => value)) < leastEffect ? 'these rows hardly depend on it' : undefined;
}

/** Root mean square of the change of a logarithm over the plausible range. */
const effectOf = (column: readonly number[]): number => Math.hypot(...column) / Math.sqrt(column.length);

/** All sets of a size, those of the plainest parameters first. */
function subsets<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return values.flatMap((value, index) => subsets(values.slice(index + 1), size - 1).map((rest) => [value, ...rest]));
}

interface Entangled {
  readonly parameter: CalibrationParameter;
  /** The one that it is mistaken for; undefined where it moves nothing. */
  readonly twin?: CalibrationParameter;
}

/** The parameter of a fit that cannot be told from the others, the last one first. */
function whyNotTogether(
  parameters: readonly CalibrationParameter[],
  { jacobian }: LeastSquares,
): Entangled | undefined {
  const columns = parameters.map((_, index) => jacobian.map((row) => row[index] ?? 0));
  for (const [index, parameter] of [...parameters.entries()].toReversed()) {
    const own = columns[index] ?? [];
    if (effectOf(own) < leastEffect / 2) return { parameter };
    const others = columns.filter((_, position) => position !== index);
    if (others.length === 0) continue;
    const { sine, likest } = independence(own, others);
    const twin = parameters.filter((_, position) => position !== index)[likest];
    if (sine < leastAngle && twin !== undefined) return { parameter, twin };
  }
  return undefined;
}

/** Reasons for those that were left out, and who may hold their share. */
function explained(
  model: CalibrationModel,
  chosen: readonly CalibrationParameter[],
  best: LeastSquares,
  open: readonly CalibrationParameter[],
  reasons: Map<ParameterName, string>,
): Choice {
  const absorbed = new Map<ParameterName, ParameterName[]>();
  const absorb = (by: CalibrationParameter, { name }: CalibrationParameter): void => {
    absorbed.set(by.name, [...(absorbed.get(by.name) ?? []), name]);
  };
  const rows = model.rows.length;
  for (const parameter of open.filter((each) => !chosen.includes(each))) {
    const rival = chosen.find((each) => {
      const swapped = chosen.map((other) => (other === each ? parameter : other));
      return fitParameters(model, swapped).rootMeanSquare <= best.rootMeanSquare + tie;
    });
    if (rival !== undefined) {
      absorb(rival, parameter);
      reasons.set(
        parameter.name,
        `it explains the rows as well as the ${rival.title}, and they cannot tell which is right`,
      );
      continue;
    }
    if (chosen.length >= rows) {
      reasons.set(parameter.name, `${rows} rows identify no more than ${rows} parameters`);
      continue;
    }
    const more = [...chosen, parameter];
    const twin = whyNotTogether(more, fitParameters(model, more))?.twin;
    if (twin !== undefined && twin !== parameter) absorb(twin, parameter);
    reasons.set(
      parameter.name,
      twin === undefined ? 'the rows are explained without it' : `the rows cannot tell it from the ${twin.title}`,
    );
  }
  return {
    parameters: chosen,
    refused: calibrationParameters
      .filter((each) => !chosen.includes(each))
      .map(({ name, title }) => ({ name, title, reason: reasons.get(name) ?? 'the rows are explained without it' })),
    absorbed,
  };
}
