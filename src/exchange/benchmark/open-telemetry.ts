import { type BenchmarkRun, known, newRun, type RunClock } from './benchmark-run.ts';
import { type Distribution, fromHistogram, type Histogram, scaled } from './distribution.ts';
import { type ForeignRecord, has, innerAt, isRecord, recordOf, recordsAt, textAt } from './foreign-record.ts';
import type { LineReader } from './line-reader.ts';
import { BenchmarkError, noRuns, tooManyValues, unevenLists, unknownUnit } from './messages.ts';
import { otlpHistogram } from './otlp-histogram.ts';

/*
 * OpenTelemetry GenAI metrics as OTLP JSON: a whole export (resourceMetrics), a file of them line by line as the
 * collector writes it, or one metric as samples show it. Names of the semantic conventions, gen_ai.server.* and
 * gen_ai.client.*; histograms; seconds or tokens.
 */

export const isOpenTelemetry = (value: unknown): boolean =>
  ['resourceMetrics', 'resource_metrics', 'resourceSpans', 'resourceLogs'].some((key) => has(value, key)) ||
  isMetric(value) ||
  (Array.isArray(value) && isMetric(value[0]));

const isMetric = (value: unknown): boolean =>
  has(value, 'name') &&
  (has(value, 'histogram') || has(value, 'exponentialHistogram')) &&
  typeof value['name'] === 'string' &&
  value['name'].startsWith('gen_ai.');

const clockNames: Readonly<Record<string, RunClock>> = {
  'gen_ai.server.time_to_first_token': 'ttft',
  'gen_ai.server.time_per_output_token': 'tpot',
  'gen_ai.server.request.duration': 'e2e',
  'gen_ai.client.operation.time_to_first_chunk': 'ttft',
  'gen_ai.client.operation.time_per_output_chunk': 'itl',
  'gen_ai.client.operation.duration': 'e2e',
};

const tokenUsage = 'gen_ai.client.token.usage';
const timeUnits: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };

/** Series that one file may have, to bound memory. */
const mostSeries = 100_000;

/** One series of a metric: what the last export said where it counts on, the sum where exports hold what is new. */
interface Series {
  readonly name: string;
  readonly model: string;
  readonly side: 'input' | 'output' | undefined;
  readonly factor: number;
  readonly histogram: Histogram;
}

/** One run over all data points of a model; several models in one file are one run each. */
export function openTelemetry(where: string): LineReader<unknown> {
  const series = new Map<string, Series>();
  return {
    line(value, at) {
      for (const { metric, resource } of metricsOf(value, at)) {
        collect(metric, resource, series);
        if (series.size > mostSeries) throw new BenchmarkError(tooManyValues(where, 'series', mostSeries));
      }
    },
    end() {
      if (series.size === 0) throw new BenchmarkError(noRuns(where, 'OpenTelemetry', 'a histogram named gen_ai.*'));
      const every = [...series.values()];
      const models = new Set(every.map(({ model }) => model));
      return [...models].map((name) =>
        runOf(
          name,
          every.filter(({ model }) => model === name),
          where,
        ),
      );
    },
  };
}

function runOf(model: string, own: readonly Series[], where: string): BenchmarkRun {
  const added = (of: (each: Series) => boolean): Distribution | undefined => {
    const found = own.filter(of);
    const [first] = found;
    if (first === undefined) return undefined;
    const whole = found
      .slice(1)
      .reduce((sum, { histogram }) => merged(sum, histogram, where, first.name), first.histogram);
    const distribution = fromHistogram(whole);
    return distribution === undefined ? undefined : scaled(distribution, first.factor);
  };
  const clocks: Partial<Record<RunClock, Distribution>> = {};
  let server = false;
  // The server's view wins where both are there: one file, one place of measuring. Its names come first.
  for (const [name, clock] of Object.entries(clockNames)) {
    const distribution = clocks[clock] === undefined ? added((each) => each.name === name) : undefined;
    if (distribution === undefined) continue;
    clocks[clock] = distribution;
    server ||= name.startsWith('gen_ai.server');
  }
  return newRun({
    tool: 'OpenTelemetry GenAI',
    where,
    kind: server ? 'server' : 'client',
    setting: model === '' ? {} : { model },
    requests: known({ completed: clocks.e2e?.count ?? clocks.ttft?.count }),
    tokens: known({ input: added(({ side }) => side === 'input'), output: added(({ side }) => side === 'output') }),
    clocks,
    notes: [
      'Percentiles are interpolated within histogram buckets.',
      ...(server ? ['Times are taken in the server: network and client are not in them.'] : []),
    ],
  });
}

interface PlacedMetric {
  readonly metric: ForeignRecord;
  /** What the process that counts is called, so that two of them are added. */
  readonly resource: string;
}

function metricsOf(value: unknown, where: string): readonly PlacedMetric[] {
  if (Array.isArray(value)) {
    return value.map((each, index) => ({ metric: recordOf(each, where, `[${index}]`), resource: '' }));
  }
  const record = recordOf(value, where);
  if (isMetric(value)) return [{ metric: record, resource: '' }];
  const key = has(value, 'resourceMetrics') ? 'resourceMetrics' : 'resource_metrics';
  return recordsAt(record, key).flatMap((resource) =>
    recordsAt(resource, resource.values['scopeMetrics'] === undefined ? 'scope_metrics' : 'scopeMetrics').flatMap(
      (scope) =>
        recordsAt(scope, 'metrics').map((metric) => ({
          metric,
          resource: JSON.stringify(resource.values['resource'] ?? ''),
        })),
    ),
  );
}

function collect(metric: ForeignRecord, resource: string, series: Map<string, Series>): void {
  const name = textAt(metric, 'name') ?? '';
  const isTokens = name === tokenUsage;
  if (!isTokens && clockNames[name] === undefined) return;
  const unit = textAt(metric, 'unit');
  const factor = isTokens || unit === undefined ? 1 : timeUnits[unit];
  if (factor === undefined)
    throw new BenchmarkError(
      unknownUnit(metric.where, `${metric.path || name}.unit`, unit ?? '', Object.keys(timeUnits)),
    );
  const holder = innerAt(metric, 'histogram') ?? innerAt(metric, 'exponentialHistogram');
  if (holder === undefined) return;
  const isDelta = [1, 'AGGREGATION_TEMPORALITY_DELTA'].includes(temporalityOf(holder));
  for (const point of recordsAt(holder, has(holder.values, 'data_points') ? 'data_points' : 'dataPoints')) {
    const attributes = attributesOf(point);
    const added = otlpHistogram(point);
    const start = isDelta ? undefined : point.values['startTimeUnixNano'];
    const labels = [...attributes].map((pair) => pair.join('=')).toSorted((a, b) => (a < b ? -1 : 1));
    const key = JSON.stringify([name, resource, start, labels]);
    const before = isDelta ? series.get(key) : undefined;
    series.set(key, {
      name,
      model: attributes.get('gen_ai.response.model') ?? attributes.get('gen_ai.request.model') ?? '',
      side: isTokens ? (attributes.get('gen_ai.token.type') === 'output' ? 'output' : 'input') : undefined,
      factor,
      histogram: before === undefined ? added : merged(before.histogram, added, point.where, point.path),
    });
  }
}

function temporalityOf({ values }: ForeignRecord): string | number {
  const stated = values['aggregationTemporality'] ?? values['aggregation_temporality'];
  return typeof stated === 'string' || typeof stated === 'number' ? stated : '';
}

function attributesOf(point: ForeignRecord): ReadonlyMap<string, string> {
  return new Map(
    recordsAt(point, 'attributes').flatMap((attribute): [string, string][] => {
      const key = textAt(attribute, 'key');
      const value = isRecord(attribute.values['value']) ? innerAt(attribute, 'value') : undefined;
      const text = value === undefined ? undefined : textAt(value, 'stringValue');
      return key === undefined || text === undefined ? [] : [[key, text]];
    }),
  );
}

/** Both together. Exponential buckets of another scale have no common bounds: what is left is the mean. */
function merged(a: Histogram, b: Histogram, where: string, path: string): Histogram {
  const sum = a.sum === undefined || b.sum === undefined ? {} : { sum: a.sum + b.sum };
  if (a.bounds.length === b.bounds.length && a.bounds.every((bound, index) => bound === b.bounds[index])) {
    return { bounds: a.bounds, counts: a.counts.map((count, index) => count + (b.counts[index] ?? 0)), ...sum };
  }
  if (a.isExponential === true && b.isExponential === true) {
    const total = [...a.counts, ...b.counts].reduce((all, count) => all + count, 0);
    return { bounds: [], counts: [total], isExponential: true, ...sum };
  }
  throw new BenchmarkError(unevenLists(where, 'explicitBounds', path, [a.bounds.length, b.bounds.length]));
}
