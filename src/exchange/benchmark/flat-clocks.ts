import { known, type RunClock, type RunClocks, runClocks } from './benchmark-run.ts';
import { type Distribution, type Percentile, scaled } from './distribution.ts';
import { type ForeignRecord, numberAt } from './foreign-record.ts';

/** Statistics that a writer spreads over keys of one object: mean_ttft_ms, p99_ttft_ms, median_ttft_ms. */
export interface FlatKeys {
  /** Their name of each clock. */
  readonly names: Readonly<Partial<Record<RunClock, string>>>;
  /** Behind the name: '_ms'. */
  readonly suffix: string;
  /** Seconds of one unit. */
  readonly unit: number;
}

const statistic = /^(?:mean|median|std|p\d{1,2}(?:\.\d{1,3})?|p100|min|max)$/;

/** Collects the clocks of an object with flat keys. Statistics of another form are ignored. */
export function flatClocks(record: ForeignRecord, { names, suffix, unit }: FlatKeys): RunClocks {
  const clocks: Partial<Record<RunClock, Distribution>> = {};
  for (const clock of runClocks) {
    const name = names[clock];
    if (name === undefined) continue;
    const ending = `_${name}${suffix}`;
    const stated = Object.keys(record.values)
      .filter((key) => key.endsWith(ending) && statistic.test(key.slice(0, -ending.length)))
      .flatMap((key) => {
        const value = numberAt(record, key);
        return value === undefined ? [] : [{ statistic: key.slice(0, -ending.length), value }];
      });
    if (stated.length > 0) clocks[clock] = scaled(distributionFrom(stated), unit);
  }
  return clocks;
}

/** Statistics by their usual names (mean, avg, std, median, min, max, p99.9, p001 of GuideLLM) as a distribution. */
export function distributionFrom(
  stated: readonly { readonly statistic: string; readonly value: number }[],
  count?: number,
): Distribution {
  const of = (...names: readonly string[]): number | undefined =>
    stated.find(({ statistic: name }) => names.includes(name))?.value;
  const ranks = new Map<number, number>();
  for (const { statistic: name, value } of stated) {
    const rank = rankOf(name);
    if (rank !== undefined) ranks.set(rank, value);
  }
  const percentiles: Percentile[] = [...ranks]
    .map(([rank, value]) => ({ rank, value }))
    .toSorted((a, b) => a.rank - b.rank);
  return {
    ...known({ mean: of('mean', 'avg'), deviation: of('std', 'std_dev', 'stddev', 'deviation'), count }),
    percentiles,
  };
}

/** 'median' 50, 'p99' 99, 'p99.9' 99.9, 'min' 0; undefined for what is no rank. */
function rankOf(name: string): number | undefined {
  if (name === 'median') return 50;
  if (name === 'min') return 0;
  if (name === 'max') return 100;
  const match = /^p(\d{1,3}(?:\.\d{1,3})?)$/.exec(name);
  const rank = Number(match?.[1]);
  return rank >= 0 && rank <= 100 ? rank : undefined;
}

/** The numeric statistics of an object such as { avg, p50, p99, min, max, std }. */
export function statisticsOf(
  record: ForeignRecord | undefined,
  rename: (key: string) => string = (key) => key,
): Distribution | undefined {
  if (record === undefined) return undefined;
  const stated = Object.keys(record.values)
    .map((key) => ({ key, statistic: rename(key) }))
    .filter(({ statistic: name }) => statisticNames.test(name))
    .flatMap(({ key, statistic: name }) => {
      const value = numberAt(record, key);
      return value === undefined ? [] : [{ statistic: name, value }];
    });
  return stated.length === 0 ? undefined : distributionFrom(stated, numberAt(record, 'count'));
}

const statisticNames = /^(?:mean|avg|median|std|std_dev|stddev|min|max|p\d{1,3}(?:\.\d{1,3})?)$/;
