import type { CalibratedRow, CalibrationResult, FittedParameter } from '../measured/calibrate.ts';
import { alignColumns } from './align-columns.ts';
import { clockTime, digits, percent } from './clock-time.ts';
import { type Paint, plainPaint } from './paint.ts';
import { plainText } from './plain-text.ts';
import { wrapText } from './wrap-text.ts';

const width = 100;
const plotWidth = 41;

/** What was fitted, with intervals; what was not, and why; residuals as a plot; errors before, after and left out. */
export function calibrationText(result: CalibrationResult, paint: Paint = plainPaint): string {
  const { calibration, fitted, refused, rows, excluded, unmeasured, error } = result;
  const lines = [
    ...wrapText(paint.strong(plainText(`Fitted to ${rows.length} rows: ${calibration.fittedTo}`)), width, 2),
    '',
    ...(fitted.length === 0
      ? ['Nothing was fitted: public constants explain the rows, or the rows identify nothing.']
      : alignColumns([['', 'public', 'fitted', '95 % interval', ''], ...fitted.map(fittedRow)], [1, 2])),
    ...fitted
      .filter(({ absorbs }) => absorbs.length > 0)
      .flatMap(({ title, absorbs }) =>
        wrapText(
          `Unattributed: part of the ${title} may belong to ${absorbs.join(', ')}; these rows cannot tell.`,
          width,
          2,
        ),
      ),
    ...fitted
      .filter(({ atLimit }) => atLimit)
      .flatMap(({ title }) =>
        wrapText(
          `At the limit: the ${title} cannot exceed 1, and the rows ask for more: weights, KV cache or lengths are smaller than stated, or prompts were cached.`,
          width,
          2,
        ),
      ),
    '',
    paint.quiet('Not fitted, kept at public values'),
    ...refused.flatMap(({ title, reason }) => wrapText(`  ${title}: ${reason}`, width, 4)),
    '',
    paint.quiet('Residuals, predicted over measured (| = 1)'),
    ...residualPlot(rows),
    ...excluded
      .slice(0, 10)
      .flatMap(({ where, reason }) => wrapText(`Left out: ${plainText(where)}: ${plainText(reason)}.`, width, 2)),
    ...(excluded.length > 10 ? [`Left out: ${excluded.length - 10} more; --json lists all.`] : []),
    ...unmeasured.flatMap((clock) =>
      wrapText(
        `No row has ${clock.toUpperCase()}: what the overlay says of it is extrapolated, and its band stays the public one.`,
        width,
        2,
      ),
    ),
    '',
    `Median error: ${percent(error.before)} with public constants, ${percent(error.after)} fitted${error.leftOut === undefined ? ', no load to leave out' : `, ${percent(error.leftOut)} on loads left out`}.`,
    ...(error.leftOut === undefined
      ? ['Too few loads to leave one out: how far the overlay carries beyond them is not known.']
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function fittedRow({ title, kind, usual, value, interval }: FittedParameter): readonly string[] {
  const shown = (each: number): string =>
    kind === 'factor' ? `x ${digits(each)}` : each < 1e-3 ? `${digits(each * 1e6)} us` : clockTime(each);
  return [
    title,
    shown(usual),
    shown(value),
    interval === undefined ? 'none: as many parameters as rows' : `${shown(interval[0])} to ${shown(interval[1])}`,
  ];
}

/** One line a row: o before, * after, on a logarithmic axis that holds them all. */
function residualPlot(rows: readonly CalibratedRow[]): readonly string[] {
  const logs = rows.flatMap(({ before, after, measured }) => [Math.log(before / measured), Math.log(after / measured)]);
  const reach = Math.max(0.1, ...logs.map(Math.abs));
  const place = (ratio: number): number => Math.round(((Math.log(ratio) / reach + 1) / 2) * (plotWidth - 1));
  const lines = rows.slice(0, 40).map(({ where, metric, before, after, measured }) => {
    const cells = Array.from({ length: plotWidth }, () => ' ');
    cells[(plotWidth - 1) / 2] = '|';
    cells[place(before / measured)] = 'o';
    cells[place(after / measured)] = '*';
    return [
      `  ${plainText(where)} ${where.endsWith(metric) ? '' : plainText(metric)}`.trimEnd(),
      cells.join(''),
      digits(after / measured),
    ];
  });
  const scale = `  o public constants, * fitted; from x ${digits(Math.exp(-reach))} to x ${digits(Math.exp(reach))}`;
  return [
    ...alignColumns(lines, [2]),
    ...(rows.length > 40 ? [`  ${rows.length - 40} more rows; --json lists all`] : []),
    scale,
  ];
}
