/** A measured quantity over many requests. What is not stated is absent. */
export interface Distribution {
  readonly mean?: number;
  readonly deviation?: number;
  readonly count?: number;
  /** By rank (50 = median), in rising order. 0 and 100 are the extremes. */
  readonly percentiles: readonly Percentile[];
  /** The histogram that the percentiles were interpolated from. */
  readonly histogram?: Histogram;
}

export interface Percentile {
  readonly rank: number;
  readonly value: number;
}

/** The value at a rank, where the file gives that rank. */
export const percentileOf = (distribution: Distribution | undefined, rank: number): number | undefined =>
  distribution?.percentiles.find((each) => each.rank === rank)?.value;

/** The mean where there is one, else the median. */
export const meanOf = (distribution: Distribution | undefined): number | undefined =>
  distribution?.mean ?? percentileOf(distribution, 50);

/** A distribution in another unit. */
export function scaled(distribution: Distribution, factor: number): Distribution {
  const { mean, deviation, percentiles, count, histogram } = distribution;
  return {
    ...(count === undefined ? {} : { count }),
    ...(histogram === undefined ? {} : { histogram: scaledHistogram(histogram, factor) }),
    ...(mean === undefined ? {} : { mean: mean * factor }),
    ...(deviation === undefined ? {} : { deviation: deviation * factor }),
    percentiles: percentiles.map(({ rank, value }) => ({ rank, value: value * factor })),
  };
}

const scaledHistogram = ({ bounds, counts, sum }: Histogram, factor: number): Histogram => ({
  bounds: bounds.map((bound) => bound * factor),
  counts,
  ...(sum === undefined ? {} : { sum: sum * factor }),
});

const sampledRanks = [0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100] as const;

/**
 * Mean, deviation and percentiles of values; percentiles interpolate linearly between neighbours, as numpy does.
 * Undefined without values.
 */
export function distributionOf(values: readonly number[]): Distribution | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return {
    mean,
    deviation: Math.sqrt(variance),
    count: values.length,
    percentiles: sampledRanks.map((rank) => ({ rank, value: quantile(sorted, rank / 100) })),
  };
}

/** Linear interpolation between the neighbours in sorted values (numpy's default); NaN without values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low;
  return low + (at - below) * (high - low);
}

/** A histogram: `counts` per bucket, one more than `bounds` (the last is open). */
export interface Histogram {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum?: number;
  /** Bounds are powers whose base a writer picks by itself, so that two histograms need not share them. */
  readonly isExponential?: boolean;
}

const bucketRanks = [50, 75, 90, 95, 99] as const;

/**
 * Mean from the sum, percentiles by linear interpolation within a bucket, as Prometheus' `histogram_quantile` does.
 * A rank that falls into the open bucket has no value: the file only says that it is larger.
 */
export function fromHistogram({ bounds, counts, sum }: Histogram): Distribution | undefined {
  const count = counts.reduce((total, each) => total + each, 0);
  if (count === 0) return undefined;
  const percentiles: Percentile[] = [];
  for (const rank of bucketRanks) {
    const value = valueAtRank(bounds, counts, (rank / 100) * count);
    if (value !== undefined) percentiles.push({ rank, value });
  }
  return {
    ...(sum === undefined ? {} : { mean: sum / count }),
    count,
    percentiles,
    histogram: { bounds, counts, ...(sum === undefined ? {} : { sum }) },
  };
}

function valueAtRank(bounds: readonly number[], counts: readonly number[], wanted: number): number | undefined {
  let passed = 0;
  for (const [index, bound] of bounds.entries()) {
    const inside = counts[index] ?? 0;
    if (inside > 0 && passed + inside >= wanted) {
      const from = index === 0 ? Math.min(0, bound) : (bounds[index - 1] ?? 0);
      return from + ((wanted - passed) / inside) * (bound - from);
    }
    passed += inside;
  }
  return undefined;
}
