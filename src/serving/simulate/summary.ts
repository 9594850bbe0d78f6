/** A distribution as the reports give it, with how sure the run makes of it. Seconds. */
export interface Distribution {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  /** Half widths of 95 % confidence intervals by batch means; absent where the run is too short for one. */
  readonly uncertainty?: { readonly mean: number; readonly p50?: number; readonly p99?: number };
}

/** Batches of a run, and Student's t for one fewer at 97.5 % (any table). */
const batches = 20;
const studentT = 2.093;

/** Values that a batch's mean and its quantile need at least. */
const leastForMean = 10;
const leastForQuantile = { p50: 50, p99: 500 } as const;

/** Summarises values from `start` on; those that are no number are passed over. */
export function summarise(values: Float64Array, start: number): Distribution | undefined {
  const kept = values.subarray(start).filter((value) => !Number.isNaN(value));
  if (kept.length === 0) return undefined;
  const perBatch = Math.floor(kept.length / batches);
  const cut = Array.from({ length: batches }, (_, batch) => kept.slice(batch * perBatch, (batch + 1) * perBatch));
  const uncertainty =
    perBatch < leastForMean
      ? {}
      : {
          uncertainty: {
            mean: halfWidth(cut.map(meanOf)),
            ...(perBatch < leastForQuantile.p50
              ? {}
              : { p50: halfWidth(cut.map((batch) => quantileOf(batch.sort(), 0.5))) }),
            ...(perBatch < leastForQuantile.p99
              ? {}
              : { p99: halfWidth(cut.map((batch) => quantileOf(batch.sort(), 0.99))) }),
          },
        };
  const mean = meanOf(kept);
  const sorted = kept.sort();
  return {
    mean,
    p50: quantileOf(sorted, 0.5),
    p90: quantileOf(sorted, 0.9),
    p95: quantileOf(sorted, 0.95),
    p99: quantileOf(sorted, 0.99),
    ...uncertainty,
  };
}

export function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Of sorted values, between the two nearest (as numpy.percentile does by default, which the benchmark clients use). */
export function quantileOf(sorted: Float64Array, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = Math.floor(at);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] ?? low;
  return low + (high - low) * (at - below);
}

function halfWidth(batchValues: readonly number[]): number {
  const mean = batchValues.reduce((sum, value) => sum + value, 0) / batchValues.length;
  const variance = batchValues.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (batchValues.length - 1);
  return studentT * Math.sqrt(variance / batchValues.length);
}
