import { type BenchmarkRun, known, newRun, type RunLoad } from './benchmark-run.ts';
import { type Distribution, scaled } from './distribution.ts';
import { statisticsOf } from './flat-clocks.ts';
import { type ForeignRecord, has, innerAt, isRecord, numberAt, recordOf, textAt } from './foreign-record.ts';
import { BenchmarkError, missingValue, noRuns, unknownUnit } from './messages.ts';

/* llm-d benchmark report 0.2 (llmdbenchmark/analysis/benchmark_report/schema_v0_2_1.py): values carry their units. */

export const isLlmdReport = (value: unknown): boolean =>
  has(value, 'version', 'results') && (has(value, 'scenario') || has(value, 'run')) && isRecord(value['results']);

const units: Readonly<Record<string, number>> = {
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  's/token': 1,
  'ms/token': 1e-3,
  'us/token': 1e-6,
  'tokens/s': 1,
  'queries/s': 1,
  'requests/s': 1,
  count: 1,
  fraction: 1,
  percent: 1e-2,
  bool: 1,
};

export function readLlmdReport(value: unknown, where: string): readonly BenchmarkRun[] {
  const report = recordOf(value, where);
  const aggregate = path(report, 'results', 'request_performance', 'aggregate') ?? path(report, 'results', 'metrics');
  if (aggregate === undefined) {
    throw new BenchmarkError(noRuns(where, 'llm-d', 'results.request_performance.aggregate'));
  }
  const load = path(report, 'scenario', 'load', 'standardized');
  const observability = path(report, 'results', 'observability');
  // A time without its unit could be a thousand times off: it is refused. Counts and rates have one unit each.
  const of = (group: string, name: string): Distribution | undefined =>
    valueOf(path(aggregate, group, name), group === 'latency');
  const observed = (name: string): number | undefined =>
    observability === undefined || !isRecord(observability.values[name])
      ? undefined
      : valueOf(innerAt(observability, name))?.mean;
  const requests = innerAt(aggregate, 'requests');
  const count = (key: string): number | undefined => (requests === undefined ? undefined : numberAt(requests, key));
  const tool = load === undefined ? undefined : textAt(load, 'tool');
  const failed = count('failures');
  const total = count('total');
  return [
    newRun({
      tool: tool === undefined ? 'llm-d benchmark report' : `llm-d benchmark report of ${tool}`,
      ...known({ toolVersion: textAt(report, 'version') }),
      where,
      kind: 'client',
      load: load === undefined ? { kind: 'unknown' } : loadOf(load),
      ...known({ seconds: durationOf(report) }),
      requests: known({
        asked: total,
        failed,
        completed: total === undefined ? undefined : Math.max(0, total - (failed ?? 0) - (count('incomplete') ?? 0)),
      }),
      tokens: known({
        input: of('requests', 'input_length') ?? plannedLength(load, 'input_seq_len'),
        output: of('requests', 'output_length') ?? plannedLength(load, 'output_seq_len'),
      }),
      clocks: known({
        ttft: of('latency', 'time_to_first_token'),
        tpot: of('latency', 'time_per_output_token'),
        itl: of('latency', 'inter_token_latency'),
        e2e: of('latency', 'request_latency'),
        perToken: of('latency', 'normalized_time_per_output_token'),
      }),
      throughput: known({
        requestsPerSecond: of('throughput', 'request_rate')?.mean,
        inputTokensPerSecond: of('throughput', 'input_token_rate')?.mean,
        outputTokensPerSecond: of('throughput', 'output_token_rate')?.mean,
        totalTokensPerSecond: of('throughput', 'total_token_rate')?.mean,
      }),
      observed: known({
        keyValueShare: observed('kv_cache_usage'),
        prefixHitShare: observed('cache_hit_rate'),
        running: observed('running_requests'),
        waiting: observed('waiting_requests'),
        preemptions: observed('preemptions'),
      }),
    }),
  ];
}

function path(record: ForeignRecord, ...keys: readonly string[]): ForeignRecord | undefined {
  let at: ForeignRecord | undefined = record;
  for (const key of keys) at = at === undefined ? undefined : innerAt(at, key);
  return at;
}

function valueOf(record: ForeignRecord | undefined, unitWanted = false): Distribution | undefined {
  const statistics = statisticsOf(record, (key) => key.replace(/^p(\d+)p(\d+)$/, 'p$1.$2'));
  if (record === undefined || statistics === undefined) return undefined;
  const unit = textAt(record, 'units');
  if (unit === undefined && unitWanted) {
    throw new BenchmarkError(missingValue(record.where, `${record.path}.units`, "a unit such as 's' or 'ms'"));
  }
  const factor = unit === undefined ? 1 : units[unit];
  if (factor === undefined) {
    throw new BenchmarkError(unknownUnit(record.where, `${record.path}.units`, unit ?? '', Object.keys(units)));
  }
  return scaled(statistics, factor);
}

/** What the load was to be, where the report does not say what it was. */
function plannedLength(load: ForeignRecord | undefined, name: string): Distribution | undefined {
  const planned = load === undefined ? undefined : innerAt(load, name);
  const mean = planned === undefined ? undefined : numberAt(planned, 'value');
  return mean === undefined ? undefined : { mean, percentiles: [] };
}

function loadOf(load: ForeignRecord): RunLoad {
  const rate = numberAt(load, 'rate_qps');
  const concurrency = numberAt(load, 'concurrency');
  if (rate !== undefined && rate > 0) {
    return { kind: 'rate', requestsPerSecond: rate, ...(concurrency === undefined ? {} : { atMost: concurrency }) };
  }
  return concurrency !== undefined && concurrency > 0
    ? { kind: 'concurrency', size: concurrency }
    : { kind: 'unknown' };
}

function durationOf(report: ForeignRecord): number | undefined {
  const time = path(report, 'run', 'time');
  return time === undefined || typeof time.values['duration'] !== 'number' ? undefined : numberAt(time, 'duration');
}
