import type { Measurement } from './measurement.ts';
import type { ValidatedRow } from './validate.ts';
import { isPredicted, type PredictedRow, quantile } from './validation-summary.ts';

/** What two rows of a pair may differ in, one at a time. */
export type PairFactor = 'hardware' | 'ranks' | 'precision' | 'batch' | 'lengths';

/** Two rows of one source that differ in exactly one factor: does the prediction move as the measurement does? */
export interface ValidationPair {
  readonly factor: PairFactor;
  readonly first: Measurement;
  readonly second: Measurement;
  /** Second over first. */
  readonly measured: number;
  readonly predicted: number;
}

export interface PairSummary {
  readonly factor: PairFactor | 'all';
  readonly pairs: number;
  /** Of pairs whose measurements differ by more than a tenth, the share whose predictions move the same way. */
  readonly direction: number | undefined;
  readonly decided: number;
  /** Median of |predicted ratio / measured ratio - 1|. */
  readonly ratioError: number | undefined;
}

const factors: readonly PairFactor[] = ['hardware', 'ranks', 'precision', 'batch', 'lengths'];

const valueOf = (row: Measurement, factor: PairFactor): string => {
  switch (factor) {
    case 'hardware':
      return row.hardware;
    case 'ranks':
      return JSON.stringify([row.gpus, row.tensor, row.pipeline, row.expert, row.data]);
    case 'precision':
      return JSON.stringify([row.weightFormat, row.activationFormat, row.keyValueFormat]);
    case 'batch':
      return JSON.stringify([row.batch, row.rate]);
    case 'lengths':
      return JSON.stringify([row.inputTokens, row.outputTokens, row.cachedTokens]);
  }
};

/** What every pair shares. */
const context = (row: Measurement): string =>
  JSON.stringify([row.sourceId, row.engine, row.engineVersion, row.model, row.load, row.metric, row.options]);

/** Neighbours in a group are paired, each row with the next: n rows give n - 1 pairs, not n^2. */
export function validationPairs(all: readonly ValidatedRow[]): readonly ValidationPair[] {
  const rows = all.filter(isPredicted).filter(({ beatsFloor }) => !beatsFloor);
  return factors.flatMap((factor) => pairsOf(rows, factor));
}

function pairsOf(rows: readonly PredictedRow[], factor: PairFactor): readonly ValidationPair[] {
  const others = factors.filter((each) => each !== factor);
  const groups = new Map<string, Map<string, PredictedRow>>();
  for (const row of rows) {
    const key = JSON.stringify([context(row.row), ...others.map((each) => valueOf(row.row, each))]);
    const group = groups.get(key) ?? new Map<string, PredictedRow>();
    const value = valueOf(row.row, factor);
    // Repeated measurements of one point would pair with themselves; the first stands for them.
    if (!group.has(value)) group.set(value, row);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((group) => {
    const members = [...group.values()];
    return members.slice(1).flatMap((second, index): ValidationPair[] => {
      const first = members[index];
      if (first === undefined) return [];
      return [
        {
          factor,
          first: first.row,
          second: second.row,
          measured: second.row.value / first.row.value,
          predicted: second.figure.predicted / first.figure.predicted,
        },
      ];
    });
  });
}

const decisive = Math.log(1.1);

/** Direction and ratio per factor, and over all pairs last. */
export function summarisePairs(pairs: readonly ValidationPair[]): readonly PairSummary[] {
  const summary = (factor: PairSummary['factor'], chosen: readonly ValidationPair[]): PairSummary => {
    const decided = chosen.filter(({ measured }) => Math.abs(Math.log(measured)) > decisive);
    const right = decided.filter(({ measured, predicted }) => Math.log(measured) * Math.log(predicted) > 0);
    return {
      factor,
      pairs: chosen.length,
      direction: decided.length === 0 ? undefined : right.length / decided.length,
      decided: decided.length,
      ratioError: quantile(
        chosen.map(({ measured, predicted }) => Math.abs(predicted / measured - 1)),
        0.5,
      ),
    };
  };
  return [
    ...factors.map((factor) =>
      summary(
        factor,
        pairs.filter((pair) => pair.factor === factor),
      ),
    ),
    summary('all', pairs),
  ];
}
