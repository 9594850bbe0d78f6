import { type BenchmarkRun, known, newRun, type RequestTiming } from './benchmark-run.ts';
import { type Distribution, distributionOf } from './distribution.ts';
import { distributionFrom } from './flat-clocks.ts';
import { type ForeignRecord, has, numberAt, recordOf, textAt } from './foreign-record.ts';
import { BenchmarkError, noRuns, tooManyValues } from './messages.ts';
import { clocksOf, lengths, mostRequests } from './serving-run.ts';

/* Ray llmperf: <name>_summary.json (flat) and <name>_individual_responses.json (list); token_benchmark_ray.py. Seconds. */

export const isLlmperfSummary = (value: unknown): boolean =>
  has(value, 'results_ttft_s_mean') || has(value, 'results_end_to_end_latency_s_mean');

const perTokenNote =
  "llmperf's inter-token latency is E2E / n and includes the first token; TPOT here is computed from means, (E2E - TTFT) / (n - 1).";

export function readLlmperfSummary(value: unknown, where: string): readonly BenchmarkRun[] {
  const record = recordOf(value, where);
  const number = (key: string): number | undefined => numberAt(record, key);
  const ttft = flat(record, 'results_ttft_s');
  const e2e = flat(record, 'results_end_to_end_latency_s');
  const output = flat(record, 'results_number_output_tokens');
  const concurrency = number('num_concurrent_requests');
  const perMinute = number('results_num_completed_requests_per_min');
  return [
    newRun({
      tool: 'llmperf',
      ...known({ toolVersion: textAt(record, 'version') }),
      where,
      kind: 'client',
      setting: known({ model: textAt(record, 'model') }),
      load:
        concurrency === undefined || concurrency === 0
          ? { kind: 'unknown' }
          : { kind: 'concurrency', size: concurrency },
      requests: known({
        asked: number('results_num_requests_started'),
        completed: number('results_num_completed_requests'),
        failed: number('results_number_errors'),
      }),
      tokens: known({ input: flat(record, 'results_number_input_tokens'), output }),
      clocks: known({
        ttft,
        e2e,
        perToken: flat(record, 'results_inter_token_latency_s'),
        tpot: fromMeans(ttft?.mean, e2e?.mean, output?.mean),
      }),
      throughput: known({
        requestsPerSecond: perMinute === undefined ? undefined : perMinute / 60,
        outputTokensPerSecond: number('results_mean_output_throughput_token_per_s'),
      }),
      notes: [perTokenNote],
    }),
  ];
}

/** results_ttft_s_mean, results_ttft_s_quantiles_p50 ... */
function flat(record: ForeignRecord, name: string): Distribution | undefined {
  const stated = Object.keys(record.values)
    .filter((key) => key.startsWith(`${name}_`))
    .flatMap((key) => {
      const statistic = key.slice(name.length + 1).replace(/^quantiles_/, '');
      if (!/^(?:mean|min|max|stddev|p\d{1,2})$/.test(statistic)) return [];
      const value = numberAt(record, key);
      return value === undefined ? [] : [{ statistic, value }];
    });
  return stated.length === 0 ? undefined : distributionFrom(stated);
}

/** TPOT from mean times, where the file gives nothing closer. */
const fromMeans = (
  ttft: number | undefined,
  e2e: number | undefined,
  output: number | undefined,
): Distribution | undefined =>
  ttft === undefined || e2e === undefined || output === undefined || output <= 1 || e2e < ttft
    ? undefined
    : { mean: (e2e - ttft) / (output - 1), percentiles: [] };

export const isLlmperfResponses = (value: unknown): boolean =>
  Array.isArray(value) && has(value[0], 'ttft_s', 'end_to_end_latency_s');

export function readLlmperfResponses(value: unknown, where: string): readonly BenchmarkRun[] {
  if (!Array.isArray(value) || value.length === 0) throw new BenchmarkError(noRuns(where, 'llmperf', 'responses'));
  if (value.length > mostRequests) throw new BenchmarkError(tooManyValues(where, 'requests', mostRequests));
  const records = value.map((each, index) => recordOf(each, where, `[${index}]`));
  const timings = records.map((record): RequestTiming => ({
    ...known({
      ttft: numberAt(record, 'ttft_s'),
      e2e: numberAt(record, 'end_to_end_latency_s'),
      input: numberAt(record, 'number_input_tokens'),
      output: numberAt(record, 'number_output_tokens'),
    }),
    ...(record.values['error_code'] === null || record.values['error_code'] === undefined ? {} : { failed: true }),
  }));
  const perToken = distributionOf(
    records
      .filter((_, index) => timings[index]?.failed !== true)
      .map((record) => numberAt(record, 'inter_token_latency_s'))
      .filter((each) => each !== undefined),
  );
  const failed = timings.filter((timing) => timing.failed === true).length;
  return [
    newRun({
      tool: 'llmperf',
      where,
      kind: 'client',
      requests: { completed: timings.length - failed, failed },
      tokens: known({ input: lengths(timings, 'input'), output: lengths(timings, 'output') }),
      clocks: { ...clocksOf(timings), ...known({ perToken }) },
      timings,
      notes: ["llmperf's inter-token latency is E2E / n; TPOT here is (E2E - TTFT) / (n - 1) of every request."],
    }),
  ];
}
