import { type BenchmarkRun, known, newRun, type RequestTiming } from './benchmark-run.ts';
import type { Distribution } from './distribution.ts';
import { statisticsOf } from './flat-clocks.ts';
import { type ForeignRecord, has, innerAt, isRecord, numberAt, numbersAt, recordOf } from './foreign-record.ts';
import { BenchmarkError, noRuns, tooManyValues } from './messages.ts';
import { clocksOf, lengths, mostRequests } from './serving-run.ts';

/*
 * Kubernetes inference-perf: summary_lifecycle_metrics.json, stage_N_lifecycle_metrics.json and
 * per_request_lifecycle_metrics.json (inference_perf/reportgen/base.py). Seconds.
 */

export const isInferencePerf = (value: unknown): boolean =>
  has(value, 'load_summary', 'successes') && isRecord(value['successes']);

export function readInferencePerf(value: unknown, where: string): readonly BenchmarkRun[] {
  const record = recordOf(value, where);
  const summary = innerAt(record, 'load_summary') ?? record;
  const successes = innerAt(record, 'successes') ?? record;
  const latency = innerAt(successes, 'latency');
  const throughput = innerAt(successes, 'throughput');
  const failures = innerAt(record, 'failures');
  const of = (holder: ForeignRecord | undefined, name: string): Distribution | undefined =>
    holder === undefined ? undefined : statisticsOf(innerAt(holder, name));
  const rate = numberAt(summary, 'requested_rate');
  const concurrency = numberAt(summary, 'concurrency');
  const number = (key: string): number | undefined =>
    throughput === undefined ? undefined : numberAt(throughput, key);
  const prompts = innerAt(successes, 'prompt_tokens');
  return [
    newRun({
      tool: 'inference-perf',
      where,
      kind: 'client',
      ...known({ seconds: numberAt(record, 'benchmark_time_seconds') ?? numberAt(summary, 'send_duration') }),
      load:
        rate !== undefined && rate > 0
          ? { kind: 'rate', requestsPerSecond: rate }
          : concurrency !== undefined && concurrency > 0
            ? { kind: 'concurrency', size: concurrency }
            : { kind: 'unknown' },
      requests: known({
        asked: numberAt(summary, 'count'),
        completed: numberAt(successes, 'count'),
        failed: failures === undefined ? undefined : numberAt(failures, 'count'),
      }),
      tokens: known({
        input: of(successes, 'prompt_len'),
        output: of(successes, 'output_len'),
        cachedTotal: prompts === undefined ? undefined : cachedOf(prompts),
      }),
      clocks: known({
        ttft: of(latency, 'time_to_first_token'),
        tpot: of(latency, 'time_per_output_token'),
        itl: of(latency, 'inter_token_latency'),
        e2e: of(latency, 'request_latency'),
        perToken: of(latency, 'normalized_time_per_output_token'),
        clientQueue: of(summary, 'schedule_delay'),
      }),
      throughput: known({
        requestsPerSecond: number('requests_per_sec') ?? numberAt(summary, 'achieved_rate'),
        inputTokensPerSecond: number('input_tokens_per_sec'),
        outputTokensPerSecond: number('output_tokens_per_sec'),
        totalTokensPerSecond: number('total_tokens_per_sec'),
      }),
      notes: [
        'inference-perf: time per output token is (E2E - TTFT) / (n - 1); some older files hold half of it, which is checked.',
      ],
    }),
  ];
}

/** Prompt tokens from the cache: a number, or an object of statistics with a total. */
function cachedOf(prompts: ForeignRecord): number | undefined {
  const { cached } = prompts.values;
  if (typeof cached === 'number') return numberAt(prompts, 'cached');
  return isRecord(cached) ? numberAt(recordOf(cached, prompts.where, `${prompts.path}.cached`), 'total') : undefined;
}

export const isInferencePerfRequests = (value: unknown): boolean =>
  Array.isArray(value) && has(value[0], 'start_time', 'end_time', 'info');

/** Requests one by one; the first of `output_token_times` is the first token. */
export function readInferencePerfRequests(value: unknown, where: string): readonly BenchmarkRun[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new BenchmarkError(noRuns(where, 'inference-perf', 'requests'));
  if (value.length > mostRequests) throw new BenchmarkError(tooManyValues(where, 'requests', mostRequests));
  const records = value.map((each, index) => recordOf(each, where, `[${index}]`));
  const earliest = records.reduce(
    (least, record) => Math.min(least, numberAt(record, 'start_time') ?? least),
    Infinity,
  );
  let latest = 0;
  const timings = records.map((record): RequestTiming => {
    const info = innerAt(record, 'info') ?? record;
    const response = innerAt(info, 'response_metrics');
    const start = numberAt(record, 'start_time');
    const end = numberAt(record, 'end_time');
    latest = Math.max(latest, end ?? 0);
    const times =
      numbersAt(info, 'output_token_times') ??
      (response === undefined ? undefined : numbersAt(response, 'chunk_times'));
    const [first] = times ?? [];
    const failed = record.values['error'] !== null && record.values['error'] !== undefined;
    return {
      ...known({
        start: start === undefined ? undefined : start - earliest,
        ttft: first === undefined || start === undefined || first < start ? undefined : first - start,
        e2e: start === undefined || end === undefined || end < start ? undefined : end - start,
        input: numberAt(info, 'input_tokens'),
        output:
          numberAt(info, 'output_tokens') ?? (response === undefined ? undefined : numberAt(response, 'output_tokens')),
      }),
      ...(failed ? { failed } : {}),
    };
  });
  const failed = timings.filter((timing) => timing.failed === true).length;
  const seconds = latest > earliest ? latest - earliest : undefined;
  return [
    newRun({
      tool: 'inference-perf',
      where,
      kind: 'client',
      ...known({ seconds }),
      requests: { completed: timings.length - failed, failed },
      tokens: known({ input: lengths(timings, 'input'), output: lengths(timings, 'output') }),
      clocks: clocksOf(timings),
      throughput: seconds === undefined ? {} : { requestsPerSecond: (timings.length - failed) / seconds },
      timings,
    }),
  ];
}
