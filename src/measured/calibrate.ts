import type { Calibration } from '../profile/calibration.ts';
import { quantile } from '../exchange/benchmark/distribution.ts';
import { calibrationModel, type CalibrationModel } from './calibration-model.ts';
import { type CalibrationParameter, overlayOf, type ParameterName, titleOf } from './calibration-parameter.ts';
import { type CalibrationRow, type CandidateRow, whyNotFit } from './calibration-row.ts';
import { chooseParameters, type Choice, type RefusedParameter } from './calibration-choice.ts';
import { designOf } from './calibration-design.ts';
import { dentedRows, farRows, refuseMixture } from './calibration-exclusions.ts';
import { fitParameters, fromSearch, mostOf, valuesOf } from './calibration-fit.ts';
import { inverseOfNormal, type LeastSquares, studentQuantile } from './least-squares.ts';
import { MeasurementError, noRowsToFit } from './messages.ts';

/** A parameter that the rows identified. */
export interface FittedParameter {
  readonly name: ParameterName;
  readonly title: string;
  readonly kind: CalibrationParameter['kind'];
  readonly usual: number;
  readonly value: number;
  /** 95 % confidence interval; absent where there are no more rows than parameters. */
  readonly interval?: readonly [number, number];
  /** Parameters that move the rows in the same way: part of this value may be theirs. */
  readonly absorbs: readonly string[];
  /** The search ended at the whole of peak: formats, lengths or hits are other than the rows state. */
  readonly atLimit: boolean;
}

export interface CalibratedRow {
  readonly where: string;
  readonly clock: CalibrationRow['clock'];
  readonly metric: string;
  readonly measured: number;
  /** With public constants, and with the fit. */
  readonly before: number;
  readonly after: number;
  /** Predicted by a fit to the rows of other loads; absent where there are too few. */
  readonly leftOut?: number;
}

export interface CalibrationResult {
  readonly calibration: Calibration;
  readonly fitted: readonly FittedParameter[];
  readonly refused: readonly RefusedParameter[];
  readonly rows: readonly CalibratedRow[];
  readonly excluded: readonly { readonly where: string; readonly reason: string }[];
  /** Clocks that no row measured: under the overlay they are extrapolated. */
  readonly unmeasured: readonly ('ttft' | 'tpot')[];
  /** Median absolute relative error before and after, and of loads left out. */
  readonly error: { readonly before: number; readonly after: number; readonly leftOut?: number };
}

/** Beyond this many rows, parameters are chosen on an even choice of them. */
const rowsToChooseOn = 60;

/**
 * Fits global constants to rows by bounded least squares on the logarithms, adding one parameter at a time as long as
 * it is identified and worth it. Everything else keeps its public value, and the reason is given.
 *
 * @throws MeasurementError where no row can be fitted, or rows of several devices or engines are mixed.
 */
export function calibrate(candidates: readonly CandidateRow[]): CalibrationResult {
  const excluded = candidates.flatMap((row) => ('excluded' in row ? [{ where: row.where, reason: row.excluded }] : []));
  const possible = candidates.filter((row): row is CalibrationRow => !('excluded' in row));
  const every = calibrationModel(possible);
  const dented = dentedRows(possible);
  const judged = possible.map((row) => ({ row, reason: whyNotFit(row, every.floor(row)) ?? dented.get(row) }));
  const plausible = judged.flatMap(({ row, reason }) => (reason === undefined ? [row] : []));
  const far = farRows(plausible);
  const rows = plausible.filter((row) => !far.has(row));
  const left = [
    ...judged.flatMap(({ row, reason }) => (reason === undefined ? [] : [{ where: row.where, reason }])),
    ...[...far].map(([{ where }, reason]) => ({ where, reason })),
    ...excluded,
  ];
  if (rows.length === 0) throw new MeasurementError(noRowsToFit(left[0]?.reason));
  refuseMixture(rows);
  const model = calibrationModel(rows);
  const before = model.logarithms({});
  const { chosen, fit, leftOut } = worthFitting(model, before);
  const values = valuesOf(chosen.parameters, fit.solution);
  const calibrated = rows.map((row, index): CalibratedRow => {
    const without = leftOut[index];
    return {
      where: row.where,
      clock: row.clock,
      metric: row.metric,
      measured: row.measured,
      before: Math.exp(before[index] ?? 0),
      after: Math.exp(Math.log(row.measured) - (fit.residuals[index] ?? 0)),
      ...(without === undefined ? {} : { leftOut: Math.exp(Math.log(row.measured) - without) }),
    };
  });
  const design = designOf(rows);
  const outs = calibrated.flatMap(({ leftOut: predicted, measured }) =>
    predicted === undefined ? [] : [Math.abs(predicted / measured - 1)],
  );
  return {
    calibration: overlayOf(values, {
      fittedTo: design.title,
      hardware: design.hardware,
      engine: design.engine,
      rows: rows.length,
      band: bandsOf(
        rows,
        leftOut.map((value, index) => value ?? fit.residuals[index] ?? 0),
      ),
      notes: [...chosen.absorbed].map(
        ([name, others]) =>
          `${titleOf(name)} holds what belongs to ${others.map(titleOf).join(', ')} as well: the rows cannot tell them apart.`,
      ),
    }),
    fitted: fittedOf(chosen, fit, model),
    refused: chosen.refused,
    rows: calibrated,
    excluded: left,
    unmeasured: design.clocks.has('e2e')
      ? []
      : (['ttft', 'tpot'] as const).filter((clock) => !design.clocks.has(clock)),
    error: {
      before: median(calibrated.map(({ before: predicted, measured }) => Math.abs(predicted / measured - 1))),
      after: median(calibrated.map(({ after, measured }) => Math.abs(after / measured - 1))),
      ...(outs.length === 0 ? {} : { leftOut: median(outs) }),
    },
  };
}

interface Fitting {
  readonly chosen: Choice;
  readonly fit: LeastSquares;
  readonly leftOut: readonly (number | undefined)[];
}

/** A fit has to take a quarter off the error of rows left out: less is soon lost again on loads unlike them. */
const leastGain = 0.75;

/** The parameters that rows identify and that foretell rows left out better than public constants do; else none. */
function worthFitting(model: CalibrationModel, before: readonly number[]): Fitting {
  const { rows } = model;
  const chosen = chooseParameters(
    rows.length <= rowsToChooseOn ? model : calibrationModel(evenly(rows, rowsToChooseOn)),
  );
  const fit = fitParameters(model, chosen.parameters);
  const leftOut = leaveOneOut(model, chosen.parameters, fit);
  const publicError = median(rows.map(({ measured }, index) => Math.abs(Math.log(measured) - (before[index] ?? 0))));
  const ownError = median(leftOut.flatMap((each) => (each === undefined ? [] : [Math.abs(each)])));
  if (chosen.parameters.length === 0 || !(ownError > publicError * leastGain)) return { chosen, fit, leftOut };
  const reason = 'with it, rows left out are foretold hardly better than with public constants, or worse';
  const none = fitParameters(model, []);
  return {
    chosen: {
      parameters: [],
      refused: [...chosen.refused, ...chosen.parameters.map(({ name, title }) => ({ name, title, reason }))],
      absorbed: new Map(),
    },
    fit: none,
    leftOut: none.residuals,
  };
}

function evenly<T>(values: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, (_, index) => values[Math.floor((index * values.length) / count)]).filter(
    (value) => value !== undefined,
  );
}

function fittedOf(
  { parameters, absorbed }: Choice,
  fit: LeastSquares,
  model: CalibrationModel,
): readonly FittedParameter[] {
  const { rows } = model;
  const most = mostOf(model, parameters);
  const freedom = rows.length - parameters.length;
  const normal = inverseOfNormal(fit.jacobian);
  const squares = fit.residuals.reduce((sum, value) => sum + value ** 2, 0);
  return parameters.map((parameter, index) => {
    const x = fit.solution[index] ?? 0;
    const variance = normal?.[index]?.[index];
    const half =
      freedom > 0 && variance !== undefined
        ? studentQuantile(freedom) * Math.sqrt((squares / freedom) * variance)
        : undefined;
    const usual = rows[0] === undefined ? 1 : parameter.usual(rows[0].scenario.deployment);
    return {
      name: parameter.name,
      title: parameter.title,
      kind: parameter.kind,
      usual,
      value: fromSearch(parameter, x),
      ...(half === undefined
        ? {}
        : { interval: [Math.max(0, fromSearch(parameter, x - half)), fromSearch(parameter, x + half)] as const }),
      absorbs: (absorbed.get(parameter.name) ?? []).map(titleOf),
      atLimit: x >= (most[index] ?? Infinity) - 1e-6,
    };
  });
}

/** Fits at most for rows left out: beyond, several conditions are left out together. */
const mostFolds = 16;

/**
 * Residual of each row under a fit without it *and* without all others of its condition: what one run tells of its two
 * clocks, or of mean and median, is one observation. Undefined where too few rows are left.
 */
function leaveOneOut(
  model: CalibrationModel,
  parameters: readonly CalibrationParameter[],
  fit: LeastSquares,
): readonly (number | undefined)[] {
  const { rows } = model;
  const conditions = rows.map(conditionOf);
  const distinct = [...new Set(conditions)];
  const folds = conditions.map((condition) => distinct.indexOf(condition) % mostFolds);
  const residuals: (number | undefined)[] = rows.map(() => undefined);
  for (const fold of new Set(folds)) {
    const kept = rows.filter((_, index) => folds[index] !== fold);
    const out = rows.flatMap((row, index) => (folds[index] === fold ? [{ row, index }] : []));
    if (kept.length < Math.max(1, parameters.length)) continue;
    const { solution } = fitParameters(calibrationModel(kept), parameters, [fit.solution]);
    const predicted = calibrationModel(out.map(({ row }) => row)).logarithms(valuesOf(parameters, solution));
    for (const [position, { row, index }] of out.entries()) {
      residuals[index] = Math.log(row.measured) - (predicted[position] ?? 0);
    }
  }
  return residuals;
}

const conditionOf = ({ scenario: { deployment, workload } }: CalibrationRow): string =>
  JSON.stringify([deployment.model.name, deployment.precision, deployment.parallelism, workload]);

const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);

/** Nobody's rows are better than this: run to run, clocks and temperatures differ. */
const narrowest = Math.log(1.03);

/** Measured over predicted per clock, the middle 80 % of its rows; with few rows widened as Student's t asks. */
function bandsOf(rows: readonly CalibrationRow[], residuals: readonly number[]): Calibration['band'] {
  const bands: { -readonly [Key in keyof Calibration['band']]: Calibration['band'][Key] } = {};
  for (const clock of ['ttft', 'tpot', 'e2e'] as const) {
    const own = residuals.filter((_, index) => rows[index]?.clock === clock);
    if (own.length === 0) continue;
    const sorted = Float64Array.from(own).sort();
    const wider = own.length >= 10 ? 1 : 1 + 2 / own.length;
    // Of n rows the k-th smallest has k / (n + 1) of all further ones below it: few rows are to stand for many.
    const outer = Math.max(0, (0.1 * (own.length + 1) - 1) / Math.max(1, own.length - 1));
    const low = Math.min(-narrowest, quantile(sorted, outer)) * wider;
    const high = Math.max(narrowest, quantile(sorted, 1 - outer)) * wider;
    bands[clock] = { low: Math.exp(low), high: Math.exp(high) };
  }
  return bands;
}
