import type { Histogram } from './distribution.ts';
import { countAt, type ForeignRecord, innerAt, listAt, numberAt, numbersAt } from './foreign-record.ts';
import { BenchmarkError, unevenLists, wrongValue } from './messages.ts';

/** A data point of OTLP, with explicit or exponential buckets (opentelemetry.io/docs/specs/otel/metrics/data-model). */
export function otlpHistogram(point: ForeignRecord): Histogram {
  const sum = numberAt(point, 'sum');
  const total = sum === undefined ? {} : { sum };
  const positive = innerAt(point, 'positive');
  if (positive !== undefined || point.values['scale'] !== undefined)
    return { ...exponential(point, positive), ...total };
  const bounds = numbersAt(point, 'explicitBounds') ?? [];
  const counts = countsAt(point, 'bucketCounts');
  if (counts.length !== bounds.length + 1) {
    throw new BenchmarkError(
      unevenLists(point.where, `${point.path}.explicitBounds`, 'bucketCounts', [bounds.length, counts.length]),
    );
  }
  return { bounds, counts, ...total };
}

const mostBuckets = 10_000;

/** Bucket i of exponential ones ends at 2^((offset + i + 1) / 2^scale). */
function exponential(point: ForeignRecord, positive: ForeignRecord | undefined): Histogram {
  const { scale } = point.values;
  const offset = positive?.values['offset'] ?? 0;
  if (!isWhole(scale, -10, 20)) {
    throw new BenchmarkError(wrongValue(point.where, `${point.path}.scale`, scale, 'a whole number from -10 to 20'));
  }
  if (!isWhole(offset, -1e7, 1e7)) {
    throw new BenchmarkError(wrongValue(point.where, `${point.path}.positive.offset`, offset, 'a whole number'));
  }
  const counts = positive === undefined ? [] : countsAt(positive, 'bucketCounts');
  if (counts.length > mostBuckets) {
    throw new BenchmarkError(
      wrongValue(point.where, `${point.path}.positive.bucketCounts`, counts, `at most ${mostBuckets} buckets`),
    );
  }
  const bounds = [0, ...counts].map((_, index) => 2 ** ((offset + index) / 2 ** scale));
  if (!bounds.every((bound) => bound < Infinity)) {
    throw new BenchmarkError(
      wrongValue(point.where, `${point.path}.positive.offset`, offset, 'buckets below infinity'),
    );
  }
  return { bounds, counts: [countAt(point, 'zeroCount') ?? 0, ...counts, 0], isExponential: true };
}

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const countsAt = (record: ForeignRecord, key: string): readonly number[] =>
  (listAt(record, key) ?? []).map(
    (value, index) =>
      countAt({ where: record.where, path: `${record.path}.${key}`, values: { [index]: value } }, String(index)) ?? 0,
  );
