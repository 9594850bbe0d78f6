import type { ValidatedRow } from './validate.ts';

export type PredictedRow = Exclude<ValidatedRow, { readonly skipped: string }>;

/** Errors of a group of rows; shares, not per cent. */
export interface ErrorSummary {
  readonly key: string;
  readonly clock: 'ttft' | 'tpot' | 'e2e';
  readonly rows: number;
  /** Median and 90th percentile of |predicted / measured - 1|. */
  readonly median: number;
  readonly p90: number;
  /** Median of predicted / measured - 1. */
  readonly bias: number;
  /** Share of rows whose measurement lies between low and high. */
  readonly coverage: number;
  /** Measurements that beat the floor: flagged, never fitted. */
  readonly beatFloor: number;
}

export interface ValidationSummary {
  readonly rows: number;
  readonly predicted: number;
  /** Of all predicted rows. */
  readonly coverage: number;
  /** Per clock, the median over sources with at least ten rows of the median error of each. */
  readonly medianOverSources: Readonly<Record<'ttft' | 'tpot' | 'e2e', number | undefined>>;
  readonly bySource: readonly ErrorSummary[];
  readonly byEngine: readonly ErrorSummary[];
  readonly byDevice: readonly ErrorSummary[];
  readonly byModel: readonly ErrorSummary[];
  readonly byRegime: readonly ErrorSummary[];
  readonly skipped: readonly { readonly reason: string; readonly rows: number }[];
}

export const isPredicted = (row: ValidatedRow): row is PredictedRow => !('skipped' in row);

/** The value below which a share of the numbers lies; undefined for none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

const leastRows = 10;

/** Errors per source, engine, device, model and regime, and why rows were left out. */
export function summariseValidation(all: readonly ValidatedRow[]): ValidationSummary {
  const rows = all.filter(isPredicted);
  const bySource = grouped(rows, ({ row }) => row.sourceId);
  const overSources = (clock: ErrorSummary['clock']): number | undefined =>
    quantile(
      bySource.filter((group) => group.clock === clock && group.rows >= leastRows).map(({ median }) => median),
      0.5,
    );
  return {
    rows: all.length,
    predicted: rows.length,
    coverage: rows.length === 0 ? 0 : rows.filter(isCovered).length / rows.length,
    medianOverSources: { ttft: overSources('ttft'), tpot: overSources('tpot'), e2e: overSources('e2e') },
    bySource,
    byEngine: grouped(rows, ({ row }) => row.engine),
    byDevice: grouped(rows, ({ row }) => row.hardware),
    byModel: grouped(rows, ({ row }) => row.model),
    byRegime: grouped(rows, ({ regime }) => regime),
    skipped: skippedReasons(all),
  };
}

const isCovered = ({ row, figure }: PredictedRow): boolean => figure.low <= row.value && row.value <= figure.high;

function grouped(rows: readonly PredictedRow[], keyOf: (row: PredictedRow) => string): readonly ErrorSummary[] {
  const groups = new Map<string, PredictedRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([keyOf(row), row.figure.clock]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()]
    .map((group) => errorsOf(group, keyOf))
    .sort((a, b) => (a.key === b.key ? a.clock.localeCompare(b.clock) : a.key < b.key ? -1 : 1));
}

function errorsOf(group: readonly PredictedRow[], keyOf: (row: PredictedRow) => string): ErrorSummary {
  const [first] = group;
  const errors = group.map(({ error }) => error);
  const sizes = errors.map(Math.abs);
  return {
    key: first === undefined ? '' : keyOf(first),
    clock: first?.figure.clock ?? 'e2e',
    rows: group.length,
    median: quantile(sizes, 0.5) ?? 0,
    p90: quantile(sizes, 0.9) ?? 0,
    bias: quantile(errors, 0.5) ?? 0,
    coverage: group.filter(isCovered).length / group.length,
    beatFloor: group.filter(({ beatsFloor }) => beatsFloor).length,
  };
}

function skippedReasons(all: readonly ValidatedRow[]): ValidationSummary['skipped'] {
  const reasons = new Map<string, number>();
  for (const row of all) {
    if (!isPredicted(row)) reasons.set(row.skipped, (reasons.get(row.skipped) ?? 0) + 1);
  }
  return [...reasons].map(([reason, rows]) => ({ reason, rows })).sort((a, b) => b.rows - a.rows);
}

/** The rows that are furthest off, by the logarithm of predicted over measured; those that beat the floor left out. */
export const worstRows = (all: readonly ValidatedRow[], count: number): readonly PredictedRow[] =>
  all
    .filter(isPredicted)
    .filter(({ beatsFloor }) => !beatsFloor)
    .map((row) => ({ row, distance: Math.abs(Math.log(row.figure.predicted / row.row.value)) }))
    .sort((a, b) => b.distance - a.distance)
    .slice(0, count)
    .map(({ row }) => row);
