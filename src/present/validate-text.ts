import type { PairSummary } from '../measured/validation-pairs.ts';
import type { ErrorSummary, PredictedRow, ValidationSummary } from '../measured/validation-summary.ts';
import { resources } from '../roofline/resource.ts';
import { alignColumns } from './align-columns.ts';
import type { Paint } from './paint.ts';
import { plainText } from './plain-text.ts';
import { resourceWords } from './resource-words.ts';

const percent = (share: number | undefined, places = 1): string =>
  share === undefined ? '-' : `${(100 * share).toFixed(places)} %`;

/** What a validation found, for a terminal. */
export function validationText(
  summary: ValidationSummary,
  worst: readonly PredictedRow[],
  pairs: readonly PairSummary[] | undefined,
  paint: Paint,
): string {
  const { rows, predicted, coverage, medianOverSources, bySource, byEngine, byDevice, byModel, skipped } = summary;
  const { ttft, tpot, e2e } = medianOverSources;
  return [
    paint.strong(`${predicted} of ${rows} rows predicted; ${percent(coverage)} of measurements inside the 80 % band`),
    `Median over sources of the median error: TTFT ${percent(ttft)}, TPOT ${percent(tpot)}, E2E and throughput ${percent(e2e)}.`,
    ...table('Source', bySource, paint),
    ...table('Engine', byEngine, paint),
    ...table('Device', byDevice, paint),
    ...table('Model', byModel, paint),
    ...(pairs === undefined ? [] : pairTable(pairs, paint)),
    ...worstTable(worst, paint),
    ...skippedTable(skipped, paint),
    '',
  ].join('\n');
}

function table(title: string, groups: readonly ErrorSummary[], paint: Paint): readonly string[] {
  const head = [title, 'clock', 'rows', 'median', 'p90', 'bias', 'in band', 'beats floor'];
  const lines = alignColumns(
    [
      head,
      ...groups.map(({ key, clock, rows, median, p90, bias, coverage, beatFloor }) => [
        plainText(key),
        clock,
        String(rows),
        percent(median),
        percent(p90, 0),
        percent(bias),
        percent(coverage, 0),
        beatFloor === 0 ? '' : String(beatFloor),
      ]),
    ],
    [2, 3, 4, 5, 6, 7],
  );
  return ['', ...headed(lines, paint)];
}

const headed = ([first = '', ...rest]: readonly string[], paint: Paint): readonly string[] => [
  paint.strong(first),
  ...rest,
];

function pairTable(pairs: readonly PairSummary[], paint: Paint): readonly string[] {
  const lines = alignColumns(
    [
      ['Pairs that differ in', 'pairs', 'beyond 10 %', 'direction right', 'ratio error'],
      ...pairs.map(({ factor, pairs: count, decided, direction, ratioError }) => [
        factor,
        String(count),
        String(decided),
        percent(direction),
        percent(ratioError),
      ]),
    ],
    [1, 2, 3, 4],
  );
  return ['', ...headed(lines, paint)];
}

function worstTable(worst: readonly PredictedRow[], paint: Paint): readonly string[] {
  if (worst.length === 0) return [];
  const lines = worst.flatMap((row) => {
    const { sourceId, rowRef, line, metric, value } = row.row;
    return [
      `${plainText(sourceId)}, line ${line}: ${plainText(metric)} ${value.toPrecision(4)} measured, ${row.figure.predicted.toPrecision(4)} predicted`,
      paint.quiet(`  ${plainText(rowRef).slice(0, 100)}; ${spentOn(row)}`),
    ];
  });
  return ['', paint.strong('Furthest off'), ...lines];
}

/** The three largest parts of the row's clock. */
function spentOn({ breakdown, figure }: PredictedRow): string {
  const whole = resources.reduce((sum, resource) => sum + breakdown[resource], 0);
  const parts = resources
    .map((resource) => ({ resource, share: breakdown[resource] / whole }))
    .sort((a, b) => b.share - a.share)
    .slice(0, 3)
    .map(({ resource, share }) => `${resourceWords[resource]} ${percent(share, 0)}`);
  return `${figure.clock}: ${parts.join(', ')}`;
}

function skippedTable(skipped: ValidationSummary['skipped'], paint: Paint): readonly string[] {
  if (skipped.length === 0) return [];
  const lines = alignColumns(
    skipped.map(({ reason, rows }) => [String(rows), plainText(reason)]),
    [0],
  );
  return ['', paint.strong('Not predicted'), ...lines];
}
