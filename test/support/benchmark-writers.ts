/** What a run was, from which every format is written as its tool writes it; made up. Seconds, tokens. */
export interface BenchmarkFacts {
  readonly model: string;
  readonly requests: number;
  readonly seconds: number;
  readonly rate: number;
  readonly input: number;
  readonly output: number;
  readonly ttft: Spread;
  readonly tpot: Spread;
  readonly e2e: Spread;
}

interface Spread {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/**
 * 240 requests in 60 s = 4.0/s; TTFT 180 ms, TPOT 12.8 ms, 128 tokens: E2E = 0.18 + 127 x 0.0128 = 1.8056 s;
 * in flight 4.0 x 1.8056 = 7.2 (Little).
 */
export const facts: BenchmarkFacts = {
  model: 'acme/Tiny-8B',
  requests: 240,
  seconds: 60,
  rate: 4,
  input: 1024,
  output: 128,
  ttft: { mean: 0.18, p50: 0.171, p95: 0.255, p99: 0.33 },
  tpot: { mean: 0.0128, p50: 0.0126, p95: 0.014, p99: 0.016 },
  e2e: { mean: 1.8056, p50: 1.77, p95: 2.0, p99: 2.1 },
};

const spread = (
  { mean, p50, p95, p99 }: Spread,
  unit: number,
  names: readonly [string, string, string, string],
): Record<string, number> => ({
  [names[0]]: mean / unit,
  [names[1]]: p50 / unit,
  [names[2]]: p95 / unit,
  [names[3]]: p99 / unit,
});

const flat = (name: string, suffix: string, values: Spread, unit: number): Record<string, number> =>
  spread(values, unit, [
    `mean_${name}${suffix}`,
    `median_${name}${suffix}`,
    `p95_${name}${suffix}`,
    `p99_${name}${suffix}`,
  ]);

const rates = (run: BenchmarkFacts): Record<string, number> => ({
  request_throughput: run.requests / run.seconds,
  output_throughput: (run.requests * run.output) / run.seconds,
  total_token_throughput: (run.requests * (run.output + run.input)) / run.seconds,
});

export const vllmBench = (run: BenchmarkFacts = facts): object => ({
  date: '20260801-101500',
  endpoint_type: 'openai',
  backend: 'openai',
  label: null,
  model_id: run.model,
  tokenizer_id: run.model,
  num_prompts: run.requests,
  request_rate: run.rate,
  burstiness: 1.0,
  max_concurrency: null,
  duration: run.seconds,
  completed: run.requests,
  failed: 0,
  total_input_tokens: run.requests * run.input,
  total_output_tokens: run.requests * run.output,
  request_goodput: null,
  ...rates(run),
  ...flat('ttft', '_ms', run.ttft, 1e-3),
  ...flat('tpot', '_ms', run.tpot, 1e-3),
  ...flat('itl', '_ms', run.tpot, 1e-3),
  ...flat('e2el', '_ms', run.e2e, 1e-3),
});

export const sglangBench = (run: BenchmarkFacts = facts): object => ({
  backend: 'sglang',
  dataset_name: 'random',
  request_rate: run.rate,
  max_concurrency: null,
  random_input_len: run.input,
  random_output_len: run.output,
  random_range_ratio: 1.0,
  duration: run.seconds,
  completed: run.requests,
  total_input_tokens: run.requests * run.input,
  total_output_tokens: run.requests * run.output,
  total_output_tokens_retokenized: run.requests * run.output - 3,
  ...rates(run),
  ...flat('e2e_latency', '_ms', run.e2e, 1e-3),
  ...flat('ttft', '_ms', run.ttft, 1e-3),
  ...flat('tpot', '_ms', run.tpot, 1e-3),
  concurrency: (run.requests / run.seconds) * run.e2e.mean,
  accept_length: null,
});

export function guideLlmMetrics(run: BenchmarkFacts = facts): object {
  const metric = (values: Spread, unit: number): object => ({
    successful: {
      mean: values.mean / unit,
      median: values.p50 / unit,
      count: run.requests,
      percentiles: { p50: values.p50 / unit, p95: values.p95 / unit, p99: values.p99 / unit },
      pdf: null,
    },
    incomplete: {},
    errored: {},
    total: {},
  });
  const flatMetric = (value: number): object => metric({ mean: value, p50: value, p95: value, p99: value }, 1);
  return {
    request_totals: { successful: run.requests, incomplete: 0, errored: 0, total: run.requests },
    requests_per_second: flatMetric(run.requests / run.seconds),
    request_concurrency: flatMetric((run.requests / run.seconds) * run.e2e.mean),
    request_latency: metric(run.e2e, 1),
    prompt_token_count: flatMetric(run.input),
    output_token_count: flatMetric(run.output),
    output_tokens_per_second: flatMetric((run.requests * run.output) / run.seconds),
    time_to_first_token_ms: metric(run.ttft, 1e-3),
    inter_token_latency_ms: metric(run.tpot, 1e-3),
    // E2E / n: includes the first token.
    time_per_output_token_ms: flatMetric((run.e2e.mean / run.output) * 1e3),
  };
}

export const guideLlm = (run: BenchmarkFacts = facts): object => ({
  metadata: { version: 2, guidellm_version: '0.6.0', python_version: '3.12', platform: 'Linux' },
  config: {},
  benchmarks: [
    {
      type_: 'generative_benchmark',
      config: { id_: 'b1', strategy: { type_: 'constant', rate: run.rate }, backend: { model: run.model } },
      scheduler_metrics: { start_time: 1.0, end_time: 1 + run.seconds },
      metrics: guideLlmMetrics(run),
      requests: { successful: [], incomplete: [], errored: [] },
    },
  ],
});

export function guideLlmCsv(run: BenchmarkFacts = facts): string {
  const clock = (
    group: string,
    unit: string,
    values: Spread,
    factor: number,
  ): readonly [string, string, string, number][] => [
    [group, 'Mean', unit, values.mean / factor],
    ['', 'Median', unit, values.p50 / factor],
    ['', 'P95', unit, values.p95 / factor],
    ['', 'P99', unit, values.p99 / factor],
  ];
  const columns: readonly (readonly [string, string, string, string | number])[] = [
    ['Run Info', 'Model', '', run.model],
    ['Benchmark', 'Strategy', '', 'constant'],
    ['', 'Rate', '', run.rate],
    ['Timings', 'Duration', 'Sec', run.seconds],
    ['Request Counts', 'Successful', '', run.requests],
    ...clock('Request Latency', 'Sec', run.e2e, 1),
    ...clock('Time to First Token', 'ms', run.ttft, 1e-3),
    ...clock('Inter Token Latency', 'ms', run.tpot, 1e-3),
    ['Token Metrics', 'Input Mean', 'Tokens', run.input],
    ['', 'Output Mean', 'Tokens', run.output],
    ['Server Throughput', 'Requests Mean', 'Req/s', run.requests / run.seconds],
  ];
  return [0, 1, 2, 3].map((row) => columns.map((column) => column[row]).join(',')).join('\n') + '\n';
}

const nested = (values: Spread, unit: number, name: string): object => ({
  unit: name,
  ...spread(values, unit, ['avg', 'p50', 'p95', 'p99']),
});

export const genAiPerf = (run: BenchmarkFacts = facts): object => ({
  time_to_first_token: nested(run.ttft, 1e-3, 'ms'),
  inter_token_latency: nested(run.tpot, 1e-3, 'ms'),
  request_latency: nested(run.e2e, 1e-3, 'ms'),
  request_throughput: { unit: 'requests/sec', avg: run.requests / run.seconds },
  output_token_throughput: { unit: 'tokens/sec', avg: (run.requests * run.output) / run.seconds },
  output_sequence_length: { unit: 'tokens', avg: run.output },
  input_sequence_length: { unit: 'tokens', avg: run.input },
  input_config: { model: [run.model], perf_analyzer: { request_rate: run.rate } },
});

export const aiperf = (run: BenchmarkFacts = facts): object => ({
  ...genAiPerf(run),
  input_config: { endpoint: { model_names: [run.model] }, loadgen: { request_rate: run.rate } },
  was_cancelled: false,
  error_summary: [],
  request_count: { unit: 'requests', avg: run.requests },
  benchmark_duration: { unit: 'sec', avg: run.seconds },
});

/** Requests of the mean times, one every 1 / rate seconds. */
export const aiperfRecords = (run: BenchmarkFacts = facts): string =>
  Array.from({ length: run.requests }, (_, index) => {
    const start = Math.round(1e9 + (index / run.rate) * 1e9);
    return `${JSON.stringify({
      metadata: {
        x_request_id: `r${index}`,
        request_start_ns: start,
        request_end_ns: Math.round(start + run.e2e.mean * 1e9),
        benchmark_phase: 'profiling',
        was_cancelled: false,
      },
      metrics: {
        time_to_first_token: { value: run.ttft.mean * 1e3, unit: 'ms' },
        request_latency: { value: run.e2e.mean * 1e3, unit: 'ms' },
        inter_token_latency: { value: run.tpot.mean * 1e3, unit: 'ms' },
        output_sequence_length: { value: run.output, unit: 'tokens' },
        input_sequence_length: { value: run.input, unit: 'tokens' },
      },
      error: null,
    })}\n`;
  }).join('');

export function aiperfCsv(run: BenchmarkFacts = facts): string {
  const row = (name: string, values: Spread, unit: number): string =>
    `${name},${values.mean / unit},${values.p99 / unit},${values.p95 / unit},${values.p50 / unit}`;
  const same = (value: number): Spread => ({ mean: value, p50: value, p95: value, p99: value });
  return `Metric,avg,p99,p95,p50
${row('Time to First Token (ms)', run.ttft, 1e-3)}
${row('Inter Token Latency (ms)', run.tpot, 1e-3)}
${row('Request Latency (ms)', run.e2e, 1e-3)}
${row('Input Sequence Length (tokens)', same(run.input), 1)}
${row('Output Sequence Length (tokens)', same(run.output), 1)}

Metric,Value
Request Throughput (requests/sec),${run.requests / run.seconds}
Request Count,${run.requests}
Benchmark Duration (sec),${run.seconds}
`;
}

export const llmperfSummary = (run: BenchmarkFacts = facts): object => ({
  version: '2023-08-31',
  name: 'x',
  model: run.model,
  num_concurrent_requests: 5,
  ...spread(run.ttft, 1, [
    'results_ttft_s_mean',
    'results_ttft_s_quantiles_p50',
    'results_ttft_s_quantiles_p95',
    'results_ttft_s_quantiles_p99',
  ]),
  ...spread(run.e2e, 1, [
    'results_end_to_end_latency_s_mean',
    'results_end_to_end_latency_s_quantiles_p50',
    'results_end_to_end_latency_s_quantiles_p95',
    'results_end_to_end_latency_s_quantiles_p99',
  ]),
  // E2E / n, as llmperf has it.
  results_inter_token_latency_s_mean: run.e2e.mean / run.output,
  results_number_input_tokens_mean: run.input,
  results_number_output_tokens_mean: run.output,
  results_num_requests_started: run.requests,
  results_number_errors: 0,
  results_error_code_frequency: '{}',
  results_num_completed_requests: run.requests,
  results_num_completed_requests_per_min: (run.requests / run.seconds) * 60,
});

export const llmperfResponses = (run: BenchmarkFacts = facts): object =>
  Array.from({ length: 5 }, () => ({
    error_code: null,
    error_msg: '',
    inter_token_latency_s: run.e2e.mean / run.output,
    ttft_s: run.ttft.mean,
    end_to_end_latency_s: run.e2e.mean,
    request_output_throughput_token_per_s: run.output / run.e2e.mean,
    number_total_tokens: run.input + run.output,
    number_output_tokens: run.output,
    number_input_tokens: run.input,
  }));

const inferenceSpread = (values: Spread): object => spread(values, 1, ['mean', 'median', 'p95', 'p99']);

export const inferencePerf = (run: BenchmarkFacts = facts): object => ({
  benchmark_time_seconds: run.seconds,
  load_summary: { count: run.requests, requested_rate: run.rate, achieved_rate: run.requests / run.seconds },
  successes: {
    count: run.requests,
    latency: {
      request_latency: inferenceSpread(run.e2e),
      normalized_time_per_output_token: { mean: run.e2e.mean / run.output },
      time_per_output_token: inferenceSpread(run.tpot),
      time_to_first_token: inferenceSpread(run.ttft),
      inter_token_latency: inferenceSpread(run.tpot),
    },
    throughput: {
      input_tokens_per_sec: (run.requests * run.input) / run.seconds,
      output_tokens_per_sec: (run.requests * run.output) / run.seconds,
      total_tokens_per_sec: (run.requests * (run.input + run.output)) / run.seconds,
      requests_per_sec: run.requests / run.seconds,
    },
    prompt_len: { mean: run.input },
    output_len: { mean: run.output },
  },
  failures: { count: 0, request_latency: null, prompt_len: null },
});

export const inferencePerfRequests = (run: BenchmarkFacts = facts): object =>
  Array.from({ length: 4 }, (_, index) => ({
    stage_id: 0,
    start_time: 100 + index,
    end_time: 100 + index + run.e2e.mean,
    info: {
      input_tokens: run.input,
      output_tokens: run.output,
      output_token_times: [100 + index + run.ttft.mean, 100 + index + run.e2e.mean],
    },
    error: null,
  }));

export function llmdReport(run: BenchmarkFacts = facts): object {
  const value = (values: Spread, units: string, unit: number): object => ({
    units,
    ...spread(values, unit, ['mean', 'p50', 'p95', 'p99']),
  });
  return {
    version: '0.2.1',
    run: { uid: 'r1' },
    scenario: { stack: [], load: { standardized: { tool: 'inference-perf', rate_qps: run.rate } } },
    results: {
      request_performance: {
        aggregate: {
          requests: {
            total: run.requests,
            failures: 0,
            input_length: { units: 'count', mean: run.input },
            output_length: { units: 'count', mean: run.output },
          },
          latency: {
            time_to_first_token: value(run.ttft, 'ms', 1e-3),
            time_per_output_token: value(run.tpot, 's/token', 1),
            request_latency: value(run.e2e, 's', 1),
          },
          throughput: { request_rate: { units: 'queries/s', mean: run.requests / run.seconds } },
        },
      },
    },
  };
}

export const inferenceX = (run: BenchmarkFacts = facts): object => ({
  hw: 'h200',
  conc: 64,
  model: run.model,
  framework: 'vllm',
  precision: 'fp8',
  spec_decoding: 'none',
  disagg: false,
  isl: run.input,
  osl: run.output,
  tp: 2,
  ep: 1,
  tput_per_gpu: 4200,
  output_tput_per_gpu: 2100,
  ...flat('ttft', '', run.ttft, 1),
  ...flat('tpot', '', run.tpot, 1),
  ...flat('e2el', '', run.e2e, 1),
  median_intvty: 1 / run.tpot.p50,
});
