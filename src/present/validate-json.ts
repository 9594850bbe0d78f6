import type { PairSummary, ValidationPair } from '../measured/validation-pairs.ts';
import type { ValidatedRow } from '../measured/validate.ts';
import type { ValidationSummary } from '../measured/validation-summary.ts';

/** A row of `twoclocks/validate@1`: predicted, or skipped with the reason. */
export interface ValidatedRowJson {
  readonly source_id: string;
  readonly row_ref: string;
  readonly metric: string;
  readonly measured: number;
  readonly predicted?: number;
  readonly low?: number;
  readonly high?: number;
  readonly ideal?: number;
  readonly regime?: string;
  readonly beats_floor?: boolean;
  readonly skipped?: string;
}

export interface ValidationJson {
  readonly schema: 'twoclocks/validate@1';
  readonly summary: ValidationSummary;
  readonly rows: readonly ValidatedRowJson[];
  readonly pairs?: { readonly summary: readonly PairSummary[]; readonly pairs: readonly PairJson[] };
}

interface PairJson {
  readonly factor: string;
  readonly first: string;
  readonly second: string;
  readonly measured: number;
  readonly predicted: number;
}

/** Everything that a validation found, in the units of the rows. */
export function validationJson(
  all: readonly ValidatedRow[],
  summary: ValidationSummary,
  pairs: { readonly summary: readonly PairSummary[]; readonly pairs: readonly ValidationPair[] } | undefined,
): ValidationJson {
  return {
    schema: 'twoclocks/validate@1',
    summary,
    rows: all.map(rowJson),
    ...(pairs === undefined ? {} : { pairs: { summary: pairs.summary, pairs: pairs.pairs.map(pairJson) } }),
  };
}

function rowJson(validated: ValidatedRow): ValidatedRowJson {
  const { sourceId, rowRef, metric, value } = validated.row;
  const row = { source_id: sourceId, row_ref: rowRef, metric, measured: value };
  if ('skipped' in validated) return { ...row, skipped: validated.skipped };
  const { predicted, low, high, ideal } = validated.figure;
  const { regime, beatsFloor } = validated;
  // A simulated rate has no floor of its own.
  const floor = Number.isFinite(ideal) ? { ideal } : {};
  return { ...row, predicted, low, high, ...floor, regime, ...(beatsFloor ? { beats_floor: true } : {}) };
}

const pairJson = ({ factor, first, second, measured, predicted }: ValidationPair): PairJson => ({
  factor,
  first: `${first.sourceId} line ${first.line}`,
  second: `${second.sourceId} line ${second.line}`,
  measured,
  predicted,
});
