import { type BenchmarkFacts, facts } from './benchmark-writers.ts';

/* Further tools and variants, of the same made-up run. */

/** As outputs/csv.py writes it: status and unit in the second row, the statistic in the third, percentiles as a list. */
export function guideLlmWideCsv(run: BenchmarkFacts = facts): string {
  const clock = (group: string, unit: string, { mean, p50, p95, p99 }: BenchmarkFacts['ttft'], factor: number) => {
    const [low, median, high, top] = [mean / 2, p50, p95, p99].map((value) => value / factor);
    return [
      [group, `Successful ${unit}`, 'Mean', mean / factor],
      [group, `Successful ${unit}`, 'Median', median],
      [group, `Successful ${unit}`, 'Std Dev', 0],
      [
        group,
        `Successful ${unit}`,
        'Percentiles',
        `"[${[low, low, low, low, low, low, median, median, high, top, top].join(', ')}]"`,
      ],
      [group, `Incomplete ${unit}`, 'Mean', 9999],
    ];
  };
  const columns: readonly (readonly unknown[])[] = [
    ['Run Info', 'Run ID', '', 'r1'],
    ['Run Info', 'Backend', '', `"{""type"": ""openai_http"", ""model"": ""${run.model}""}"`],
    ['Benchmark', 'Type', '', 'generative_benchmark'],
    ['Benchmark', 'Strategy', '', 'synchronous'],
    ['Timings', 'Start Time', '', '2026-08-01 10:00:00'],
    ['Timings', 'Duration', 'Sec', run.seconds],
    ['Request Counts', 'Successful', '', run.requests],
    ['Request Counts', 'Incomplete', '', 3],
    ['Request Counts', 'Errored', '', 0],
    ['Request Counts', 'Total', '', run.requests + 3],
    ...clock('Request Latency', 'Sec', run.e2e, 1),
    ...clock('Time to First Token', 'ms', run.ttft, 1e-3),
    ...clock('Inter Token Latency', 'ms', run.tpot, 1e-3),
    ['Server Throughput', 'Successful Requests/Sec', 'Mean', run.requests / run.seconds],
    ['Server Throughput', 'Successful Concurrency', 'Mean', (run.requests / run.seconds) * run.e2e.mean],
    ['Server Throughput', 'Incomplete Concurrency', 'Mean', 0.1],
    ['Token Metrics', 'Successful Input Tokens', 'Mean', run.input],
    ['Token Metrics', 'Successful Output Tokens', 'Mean', run.output],
    ['Token Metrics', 'Successful Total Tokens', 'Mean', run.input + run.output],
    ['Token Throughput', 'Successful Input Tokens/Sec', 'Mean', (run.requests * run.input) / run.seconds],
    ['Token Throughput', 'Successful Output Tokens/Sec', 'Mean', (run.requests * run.output) / run.seconds],
  ];
  return `${[0, 1, 2, 3].map((row) => columns.map((column) => column[row]).join()).join('\n')}\n`;
}

export const llamaBenchy = (run: BenchmarkFacts = facts): object => ({
  version: '0.3.1',
  timestamp: '2026-08-01 10:00:00',
  latency_mode: 'api',
  latency_ms: 2.1,
  model: run.model,
  prefix_caching_enabled: true,
  max_concurrency: 2,
  benchmarks: [
    {
      concurrency: 2,
      context_size: 4096,
      prompt_size: run.input,
      response_size: run.output,
      is_context_prefill_phase: false,
      tg_throughput: { mean: 150, std: 1, values: [149, 151] },
      tg_req_throughput: { mean: 1 / run.tpot.mean, std: 0, values: [1 / run.tpot.mean] },
      ttfr: { mean: 170, std: 1, values: [170] },
      est_ppt: { mean: 168, std: 1, values: [168] },
      e2e_ttft: { mean: run.ttft.mean * 1e3, std: 0, values: [run.ttft.mean * 1e3, run.ttft.mean * 1e3] },
    },
  ],
});

export const llamaBenchyTable = (run: BenchmarkFacts = facts): string => `Printing results in MD format:

| model | test | t/s (total) | t/s (req) | peak t/s | ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |
|:------|-----:|------------:|----------:|---------:|----------:|-------------:|--------------:|
| ${run.model} | pp${run.input} @ d4096 (c2) | 8000.00 ± 20.66 | 4000.00 ± 1.00 | | 170.00 ± 1.00 | 168.00 ± 1.00 | ${run.ttft.mean * 1e3} ± 1.00 |
| ${run.model} | tg${run.output} @ d4096 (c2) | 150.00 ± 1.00 | ${1 / run.tpot.mean} ± 1.00 | 160.00 ± 0.00 | | | |
`;

export function mlperfSummary(run: BenchmarkFacts = facts): string {
  const nanoseconds = (seconds: number): number => Math.round(seconds * 1e9);
  const block = (name: string, lower: string, { mean, p50, p95, p99 }: BenchmarkFacts['ttft']): readonly string[] => [
    `Mean ${name} (ns)              : ${nanoseconds(mean)}`,
    `50.00 percentile ${lower} (ns)  : ${nanoseconds(p50)}`,
    `95.00 percentile ${lower} (ns)  : ${nanoseconds(p95)}`,
    `99.00 percentile ${lower} (ns)  : ${nanoseconds(p99)}`,
  ];
  return [
    '================================================',
    'MLPerf Results Summary',
    '================================================',
    'SUT name : PySUT',
    'Scenario : Server',
    `Completed samples per second    : ${run.requests / run.seconds}`,
    `Completed tokens per second: ${(run.requests * run.output) / run.seconds}`,
    'Result is : VALID',
    '',
    ...block('latency', 'latency', run.e2e),
    ...block('First Token latency', 'first token latency', run.ttft),
    ...block('Time per Output Token', 'time to output token', run.tpot),
    '================================================',
    'Test Parameters Used',
    '================================================',
    `target_qps : ${run.rate}`,
    'ttft_latency (ns): 2000000000',
    'tpot_latency (ns): 200000000',
    'max_async_queries : 0',
    '',
  ].join('\n');
}

/** Four requests a second apart with three responses each; nanoseconds. */
export const perfAnalyzer = (run: BenchmarkFacts = facts): object => ({
  experiments: [
    {
      experiment: { mode: 'concurrency', value: 2 },
      requests: [0, 1, 2, 3].map((index) => {
        const start = (100 + index) * 1e9;
        const first = start + Math.round(run.ttft.mean * 1e9);
        return {
          timestamp: start,
          response_timestamps: [0, 1, 2].map((gap) => first + gap * Math.round(run.tpot.mean * 1e9)),
        };
      }),
      window_boundaries: [],
    },
  ],
  version: '2.0',
});

/** The sum before the buckets, as prometheus_client writes it with several processes. */
export const sglangMetrics = (run: BenchmarkFacts = facts): string =>
  ['time_to_first_token_seconds', 'time_per_output_token_seconds', 'e2e_request_latency_seconds']
    .map((name, index) => {
      const mean = [run.ttft.mean, run.tpot.mean, run.e2e.mean][index] ?? 0;
      return [
        `# TYPE sglang:${name} histogram`,
        `sglang:${name}_sum{model_name="${run.model}"} ${mean * run.requests}`,
        `sglang:${name}_bucket{le="0.001",model_name="${run.model}"} 0.0`,
        `sglang:${name}_bucket{le="10.0",model_name="${run.model}"} ${run.requests}.0`,
        `sglang:${name}_bucket{le="+Inf",model_name="${run.model}"} ${run.requests}.0`,
        `sglang:${name}_count{model_name="${run.model}"} ${run.requests}.0`,
      ].join('\n');
    })
    .concat(`sglang:num_running_reqs{model_name="${run.model}"} 7.0`, '')
    .join('\n');

/** 10 ms in the queue; prefill and decode batches under one name, told apart by a label. */
export const tgiMetrics = (run: BenchmarkFacts = facts): string => {
  const histogram = (name: string, mean: number, label = ''): string =>
    [
      `tgi_${name}_bucket{${label}le="5"} 100`,
      `tgi_${name}_bucket{${label}le="+Inf"} 100`,
      `tgi_${name}_sum{${label.replace(/,$/, '')}} ${mean * 100}`,
      `tgi_${name}_count{${label.replace(/,$/, '')}} 100`,
    ].join('\n');
  return [
    'tgi_queue_size 0',
    'tgi_batch_current_size 7',
    histogram('request_queue_duration', 0.01),
    histogram('request_duration', run.e2e.mean),
    histogram('request_mean_time_per_token_duration', run.e2e.mean / run.output),
    histogram('batch_inference_duration', run.ttft.mean - 0.01, 'method="prefill",'),
    histogram('batch_inference_duration', run.tpot.mean, 'method="decode",'),
    '',
  ].join('\n');
};

/** What an OpenTelemetry collector writes to a file: an export a line; the second says the first again and more. */
export function openTelemetryLines(run: BenchmarkFacts = facts): string {
  const line = (count: number): object => ({
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'vllm' } }] },
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'gen_ai.server.time_to_first_token',
                unit: 's',
                exponentialHistogram: {
                  aggregationTemporality: 2,
                  dataPoints: [
                    {
                      startTimeUnixNano: '1000',
                      count: String(count),
                      sum: run.ttft.mean * count,
                      scale: 0,
                      zeroCount: '0',
                      // Buckets end at 2^-2, 2^-1: the second holds all in (0.125, 0.25].
                      positive: { offset: -4, bucketCounts: ['0', String(count)] },
                      attributes: [],
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  });
  return [{ resourceMetrics: [] }, line(run.requests / 2), line(run.requests)]
    .map((each) => `${JSON.stringify(each)}\n`)
    .join('');
}
