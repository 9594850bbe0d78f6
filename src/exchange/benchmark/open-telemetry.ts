import { type BenchmarkRun, known, newRun, type RunClock } from './benchmark-run.ts';
import { type Distribution, fromHistogram, type Histogram, scaled } from './distribution.ts';
import {
  countAt,
  type ForeignRecord,
  has,
  innerAt,
  listAt,
  numberAt,
  numbersAt,
  recordOf,
  recordsAt,
  textAt,
} from './foreign-record.ts';
import { BenchmarkError, noRuns, unevenLists, unknownUnit } from './messages.ts';

/*
 * OpenTelemetry GenAI metrics as OTLP JSON: a whole export (resourceMetrics), or one metric as samples show it.
 * Names of the semantic conventions, gen_ai.server.* and gen_ai.client.*; histograms; seconds or tokens.
 */

export const isOpenTelemetry = (value: unknown): boolean =>
  has(value, 'resourceMetrics') ||
  has(value, 'resource_metrics') ||
  isMetric(value) ||
  (Array.isArray(value) && isMetric(value[0]));

const isMetric = (value: unknown): boolean =>
  has(value, 'name', 'histogram') && typeof value['name'] === 'string' && value['name'].startsWith('gen_ai.');

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

/** One run over all data points of a metric; several models in one export are one run each. */
export function readOpenTelemetry(value: unknown, where: string): readonly BenchmarkRun[] {
  const models = new Map<string, Collected>();
  for (const metric of metricsOf(value, where)) collect(metric, models);
  if (models.size === 0) throw new BenchmarkError(noRuns(where, 'OpenTelemetry', 'a histogram named gen_ai.*'));
  return [...models].map(([model, { histograms, input, output }]) => {
    const clocks: Partial<Record<RunClock, Distribution>> = {};
    let server = false;
    for (const [name, { histogram, factor }] of histograms) {
      const clock = clockNames[name];
      const distribution = fromHistogram(histogram);
      if (clock === undefined || distribution === undefined) continue;
      // The server's view wins where both are there: one file, one place of measuring.
      const isServer = name.startsWith('gen_ai.server');
      if (clocks[clock] !== undefined && !isServer) continue;
      clocks[clock] = scaled(distribution, factor);
      server ||= isServer;
    }
    return newRun({
      tool: 'OpenTelemetry GenAI',
      where,
      kind: server ? 'server' : 'client',
      setting: model === '' ? {} : { model },
      requests: known({ completed: clocks.e2e?.count ?? clocks.ttft?.count }),
      tokens: known({
        input: input === undefined ? undefined : fromHistogram(input),
        output: output === undefined ? undefined : fromHistogram(output),
      }),
      clocks,
      notes: [
        'Percentiles are interpolated within histogram buckets.',
        ...(server ? ['Times are taken in the server: network and client are not in them.'] : []),
      ],
    });
  });
}

interface Collected {
  readonly histograms: Map<string, { readonly histogram: Histogram; readonly factor: number }>;
  input?: Histogram;
  output?: Histogram;
}

function metricsOf(value: unknown, where: string): readonly ForeignRecord[] {
  if (Array.isArray(value)) return value.map((each, index) => recordOf(each, where, `[${index}]`));
  const record = recordOf(value, where);
  if (isMetric(value)) return [record];
  const key = has(value, 'resourceMetrics') ? 'resourceMetrics' : 'resource_metrics';
  return recordsAt(record, key).flatMap((resource) =>
    recordsAt(resource, resource.values['scopeMetrics'] === undefined ? 'scope_metrics' : 'scopeMetrics').flatMap(
      (scope) => recordsAt(scope, 'metrics'),
    ),
  );
}

function collect(metric: ForeignRecord, models: Map<string, Collected>): void {
  const name = textAt(metric, 'name') ?? '';
  const isTokens = name === tokenUsage;
  if (!isTokens && clockNames[name] === undefined) return;
  const unit = textAt(metric, 'unit');
  const factor = isTokens || unit === undefined ? 1 : timeUnits[unit];
  if (factor === undefined)
    throw new BenchmarkError(
      unknownUnit(metric.where, `${metric.path || name}.unit`, unit ?? '', Object.keys(timeUnits)),
    );
  const histogram = innerAt(metric, 'histogram');
  if (histogram === undefined) return;
  for (const point of recordsAt(histogram, has(histogram.values, 'data_points') ? 'data_points' : 'dataPoints')) {
    const attributes = attributesOf(point);
    const model = attributes.get('gen_ai.response.model') ?? attributes.get('gen_ai.request.model') ?? '';
    const entry: Collected = models.get(model) ?? { histograms: new Map() };
    models.set(model, entry);
    const added = histogramOf(point);
    if (isTokens) {
      const side = attributes.get('gen_ai.token.type') === 'output' ? 'output' : 'input';
      entry[side] = entry[side] === undefined ? added : merged(entry[side], added, point);
    } else {
      const before = entry.histograms.get(name);
      entry.histograms.set(name, {
        histogram: before === undefined ? added : merged(before.histogram, added, point),
        factor,
      });
    }
  }
}

function attributesOf(point: ForeignRecord): ReadonlyMap<string, string> {
  return new Map(
    recordsAt(point, 'attributes').flatMap((attribute): [string, string][] => {
      const key = textAt(attribute, 'key');
      const inner = innerAt(attribute, 'value');
      const value = inner === undefined ? undefined : textAt(inner, 'stringValue');
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
}

function histogramOf(point: ForeignRecord): Histogram {
  const bounds = numbersAt(point, 'explicitBounds') ?? [];
  const written = listAt(point, 'bucketCounts') ?? [];
  const counts = written.map((value, index) => {
    const key = String(index);
    return countAt({ where: point.where, path: `${point.path}.bucketCounts`, values: { [key]: value } }, key) ?? 0;
  });
  if (counts.length !== bounds.length + 1) {
    throw new BenchmarkError(
      unevenLists(point.where, `${point.path}.explicitBounds`, 'bucketCounts', [bounds.length, counts.length]),
    );
  }
  const sum = numberAt(point, 'sum');
  return { bounds, counts, ...(sum === undefined ? {} : { sum }) };
}

function merged(a: Histogram, b: Histogram, point: ForeignRecord): Histogram {
  if (a.bounds.length !== b.bounds.length || a.bounds.some((bound, index) => bound !== b.bounds[index])) {
    throw new BenchmarkError(
      unevenLists(point.where, 'explicitBounds', `${point.path}.explicitBounds`, [a.bounds.length, b.bounds.length]),
    );
  }
  return {
    bounds: a.bounds,
    counts: a.counts.map((count, index) => count + (b.counts[index] ?? 0)),
    ...(a.sum === undefined || b.sum === undefined ? {} : { sum: a.sum + b.sum }),
  };
}
