import {
  type BenchmarkRun,
  known,
  mostRuns,
  newRun,
  type RequestTiming,
  type RunClocks,
  type RunLoad,
} from './benchmark-run.ts';
import { type Distribution, scaled } from './distribution.ts';
import { distributionFrom } from './flat-clocks.ts';
import {
  type ForeignRecord,
  has,
  innerAt,
  isRecord,
  listAt,
  numberAt,
  recordOf,
  recordsAt,
  textAt,
} from './foreign-record.ts';
import { BenchmarkError, noRuns, tooManyValues } from './messages.ts';
import { mostRequests } from './serving-run.ts';

/*
 * GuideLLM benchmarks.json and .yaml (src/guidellm/benchmark/schemas/report.py, metrics.py), with metadata.version
 * since 0.4 and without before. TTFT and ITL in ms, request latency in s.
 */

export const isGuideLlm = (value: unknown): boolean =>
  has(value, 'benchmarks') &&
  Array.isArray(value['benchmarks']) &&
  (has(value['metadata'], 'guidellm_version') ||
    value['benchmarks'].some(
      (each) => has(each, 'metrics') && isRecord(each['metrics']) && isGuideLlmMetrics(each['metrics']),
    ));

const isGuideLlmMetrics = (metrics: Readonly<Record<string, unknown>>): boolean =>
  has(metrics, 'time_to_first_token_ms') || has(metrics, 'inter_token_latency_ms') || has(metrics, 'request_latency');

/** Every benchmark of the report: a sweep holds several. */
export function readGuideLlm(value: unknown, where: string): readonly BenchmarkRun[] {
  const report = recordOf(value, where);
  if ((listAt(report, 'benchmarks') ?? []).length > mostRuns) {
    throw new BenchmarkError(tooManyValues(where, 'runs', mostRuns));
  }
  const benchmarks = recordsAt(report, 'benchmarks');
  if (benchmarks.length === 0) throw new BenchmarkError(noRuns(where, 'GuideLLM', 'benchmarks'));
  const version = innerAt(report, 'metadata');
  const toolVersion = version === undefined ? undefined : textAt(version, 'guidellm_version');
  return benchmarks.map((benchmark) => runOf(benchmark, toolVersion));
}

/** What is said of every GuideLLM file, so that its TPOT is not taken for others'. */
export const guideLlmDefinition =
  "GuideLLM's time per output token is E2E / n and includes the first token; TPOT here is its inter-token latency, which excludes it.";

function runOf(benchmark: ForeignRecord, toolVersion: string | undefined): BenchmarkRun {
  const metrics = innerAt(benchmark, 'metrics') ?? { ...benchmark, values: {} };
  const of = (name: string): Distribution | undefined => successful(innerAt(metrics, name));
  const milliseconds = (name: string): Distribution | undefined => scaledOr(of(name), 1e-3);
  const totals = innerAt(metrics, 'request_totals') ?? innerAt(benchmark, 'request_totals');
  const count = (key: string): number | undefined => (totals === undefined ? undefined : numberAt(totals, key));
  const clocks: RunClocks = known({
    ttft: milliseconds('time_to_first_token_ms'),
    tpot: milliseconds('inter_token_latency_ms'),
    perToken: milliseconds('time_per_output_token_ms'),
    e2e: of('request_latency'),
  });
  const scheduler = innerAt(benchmark, 'scheduler_metrics');
  const start = scheduler === undefined ? undefined : numberAt(scheduler, 'start_time');
  const end = scheduler === undefined ? undefined : numberAt(scheduler, 'end_time');
  const seconds = start !== undefined && end !== undefined && end > start ? end - start : undefined;
  return newRun({
    tool: 'GuideLLM',
    ...known({ toolVersion, seconds: seconds ?? numberAt(benchmark, 'duration') }),
    where: `${benchmark.where} ${benchmark.path}`,
    kind: 'client',
    load: loadOf(benchmark),
    setting: settingOf(benchmark),
    requests: known({
      asked: count('total'),
      completed: count('successful'),
      failed: count('errored'),
    }),
    tokens: known({
      input: of('prompt_token_count'),
      output: of('output_token_count'),
      cachedTotal: cachedOf(benchmark, count('successful')),
    }),
    clocks,
    throughput: known({
      requestsPerSecond: of('requests_per_second')?.mean,
      inputTokensPerSecond: of('prompt_tokens_per_second')?.mean,
      outputTokensPerSecond: of('output_tokens_per_second')?.mean,
      totalTokensPerSecond: of('tokens_per_second')?.mean,
    }),
    observed: known({ concurrency: of('request_concurrency')?.mean }),
    timings: timingsOf(benchmark),
    notes: [guideLlmDefinition, ...incomplete(count('incomplete'))],
  });
}

const incomplete = (count: number | undefined): readonly string[] =>
  count === undefined || count === 0
    ? []
    : [`${count} requests were cut off by the end of the run; they are left out.`];

const scaledOr = (distribution: Distribution | undefined, factor: number): Distribution | undefined =>
  distribution === undefined ? undefined : scaled(distribution, factor);

/** Ranks of GuideLLM: p001 is 0.1, p999 99.9. */
const ranks: Readonly<Record<string, string>> = { p001: 'p0.1', p01: 'p1', p05: 'p5', p999: 'p99.9' };

function successful(metric: ForeignRecord | undefined): Distribution | undefined {
  if (metric === undefined) return undefined;
  const record = innerAt(metric, 'successful');
  if (record === undefined) return undefined;
  const number = (statistic: string): { statistic: string; value: number }[] => {
    const value = numberAt(record, statistic);
    return value === undefined ? [] : [{ statistic, value }];
  };
  const inner = innerAt(record, 'percentiles');
  const percentiles =
    inner === undefined
      ? []
      : Object.keys(inner.values)
          .filter((key) => /^p\d{1,3}$/.test(key))
          .flatMap((key) => {
            const value = numberAt(inner, key);
            return value === undefined ? [] : [{ statistic: ranks[key] ?? key, value }];
          });
  const stated = [
    ...number('mean'),
    ...number('std_dev'),
    ...number('min'),
    ...number('max'),
    ...number('median'),
    ...percentiles,
  ];
  const count = numberAt(record, 'count');
  return stated.length === 0 || count === 0 ? undefined : distributionFrom(stated, count);
}

/** `config.strategy` since 0.4, `args.strategy` before: { type_: 'constant', rate: 4 }. */
function loadOf(benchmark: ForeignRecord): RunLoad {
  const config = innerAt(benchmark, 'config') ?? innerAt(benchmark, 'args');
  const strategy = config === undefined ? undefined : innerAt(config, 'strategy');
  if (strategy === undefined) return { kind: 'unknown' };
  const kind = textAt(strategy, 'type_') ?? '';
  const rate = numberAt(strategy, 'rate');
  const streams = numberAt(strategy, 'streams') ?? numberAt(strategy, 'max_concurrency');
  if (kind === 'synchronous') return { kind: 'concurrency', size: 1 };
  if (kind === 'concurrent' && streams !== undefined) return { kind: 'concurrency', size: streams };
  if (kind === 'throughput') {
    return streams === undefined ? { kind: 'all-at-once' } : { kind: 'concurrency', size: streams };
  }
  if (rate !== undefined && rate > 0) {
    return { kind: 'rate', requestsPerSecond: rate, ...(streams === undefined ? {} : { atMost: streams }) };
  }
  return { kind: 'unknown' };
}

function settingOf(benchmark: ForeignRecord): BenchmarkRun['setting'] {
  const config = innerAt(benchmark, 'config');
  const backend = config === undefined ? innerAt(benchmark, 'worker') : innerAt(config, 'backend');
  return backend === undefined ? {} : known({ model: textAt(backend, 'model') ?? textAt(backend, 'backend_model') });
}

function requestsOf(benchmark: ForeignRecord): readonly ForeignRecord[] {
  const requests = innerAt(benchmark, 'requests');
  const items = requests === undefined ? [] : recordsAt(requests, 'successful');
  if (items.length > mostRequests) throw new BenchmarkError(tooManyValues(benchmark.where, 'requests', mostRequests));
  return items;
}

/** Cached prompt tokens of the run; only where every request is listed, a sample of them would be too few. */
function cachedOf(benchmark: ForeignRecord, completed: number | undefined): number | undefined {
  const cached = requestsOf(benchmark).map((item) => numberAt(item, 'cached_tokens'));
  if (cached.length === 0 || cached.length !== completed) return undefined;
  return cached.every((each) => each === undefined)
    ? undefined
    : cached.reduce<number>((sum, each = 0) => sum + each, 0);
}

function timingsOf(benchmark: ForeignRecord): readonly RequestTiming[] {
  const items = requestsOf(benchmark);
  const starts = items.map((item) => numberAt(item, 'request_start_time') ?? numberAt(item, 'start_time'));
  const earliest = starts.reduce<number>((least, start) => Math.min(least, start ?? least), Infinity);
  return items.map((item, index) => {
    const ttft = numberAt(item, 'time_to_first_token_ms');
    const start = starts[index];
    return known({
      start: start === undefined ? undefined : start - earliest,
      ttft: ttft === undefined ? undefined : ttft * 1e-3,
      e2e: numberAt(item, 'request_latency'),
      input: numberAt(item, 'prompt_tokens'),
      output: numberAt(item, 'output_tokens'),
    });
  });
}
