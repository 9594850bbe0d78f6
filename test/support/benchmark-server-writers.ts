import { type BenchmarkFacts, facts } from './benchmark-writers.ts';

/* What servers, their logs and llama.cpp write of the same made-up run. */

const bounds = [0.01, 0.02, 0.1, 0.25, 1, 2.5] as const;

/** All values of a histogram at once; the mean comes from the sum. */
function buckets(value: number, count: number): readonly number[] {
  return bounds.map((bound) => (bound >= value ? count : 0));
}

export function openTelemetry(run: BenchmarkFacts = facts): object {
  const metric = (name: string, value: number): object => ({
    name,
    unit: 's',
    histogram: {
      dataPoints: [
        {
          attributes: [{ key: 'gen_ai.request.model', value: { stringValue: run.model } }],
          count: String(run.requests),
          sum: value * run.requests,
          bucketCounts: [...buckets(value, run.requests), run.requests].map((cumulative, index, all) =>
            String(cumulative - (all[index - 1] ?? 0)),
          ),
          explicitBounds: bounds,
        },
      ],
    },
  });
  return {
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              metric('gen_ai.server.time_to_first_token', run.ttft.mean),
              metric('gen_ai.server.time_per_output_token', run.tpot.mean),
              metric('gen_ai.server.request.duration', run.e2e.mean),
              { name: 'http.server.duration', unit: 'ms', histogram: { dataPoints: [] } },
            ],
          },
        ],
      },
    ],
  };
}

export function vllmMetrics(run: BenchmarkFacts = facts): string {
  const labels = `engine="0",model_name="${run.model}"`;
  const histogram = (name: string, value: number): string =>
    [
      `# HELP vllm:${name} Histogram of ${name}.`,
      `# TYPE vllm:${name} histogram`,
      ...bounds.map(
        (bound, index) =>
          `vllm:${name}_bucket{engine="0",le="${bound}",model_name="${run.model}"} ${buckets(value, run.requests)[index]}.0`,
      ),
      `vllm:${name}_bucket{engine="0",le="+Inf",model_name="${run.model}"} ${run.requests}.0`,
      `vllm:${name}_sum{${labels}} ${value * run.requests}`,
      `vllm:${name}_count{${labels}} ${run.requests}.0`,
    ].join('\n');
  return `${[
    `# TYPE vllm:num_requests_running gauge`,
    `vllm:num_requests_running{${labels}} 7.0`,
    `vllm:num_requests_waiting{${labels}} 0.0`,
    `vllm:kv_cache_usage_perc{${labels}} 0.42`,
    `vllm:prefix_cache_queries_total{${labels}} 1000.0`,
    `vllm:prefix_cache_hits_total{${labels}} 250.0`,
    `vllm:num_preemptions_total{${labels}} 0.0`,
    `vllm:prompt_tokens_total{${labels}} ${run.requests * run.input}.0`,
    `vllm:generation_tokens_total{${labels}} ${run.requests * run.output}.0`,
    `vllm:request_success_total{${labels},finished_reason="stop"} ${run.requests}.0`,
    histogram('time_to_first_token_seconds', run.ttft.mean),
    histogram('request_time_per_output_token_seconds', run.tpot.mean),
    histogram('e2e_request_latency_seconds', run.e2e.mean),
    histogram('request_queue_time_seconds', run.ttft.mean * 0.2),
    histogram('request_prefill_time_seconds', run.ttft.mean * 0.8),
    histogram('request_decode_time_seconds', run.e2e.mean - run.ttft.mean),
    `python_gc_objects_collected_total{generation="0"} 9000.0`,
  ].join('\n')}\n`;
}

/** A log every ten seconds; 7 running at 546.875 tokens/s: 12.8 ms between a request's tokens. */
export const vllmLog = (run: BenchmarkFacts = facts): string =>
  [
    "INFO 08-01 10:14:00 [core.py:58] Initializing a V1 LLM engine (v0.11.0) with config: model='acme/Tiny-8B', tensor_parallel_size=2, pipeline_parallel_size=1",
    'INFO 08-01 10:14:20 [gpu_model_runner.py:2392] Model loading took 14.99 GiB and 3.2 seconds',
    'INFO 08-01 10:14:40 [kv_cache_utils.py:849] GPU KV cache size: 389,872 tokens',
    'INFO 08-01 10:14:40 [kv_cache_utils.py:853] Maximum concurrency for 32,768 tokens per request: 11.90x',
    ...Array.from(
      { length: 6 },
      (_, index) =>
        `INFO 08-01 10:15:${index}0 [loggers.py:127] Engine 000: Avg prompt throughput: 4085.0 tokens/s, Avg generation throughput: ${7 / run.tpot.mean} tokens/s, Running: 7 reqs, Waiting: 0 reqs, GPU KV cache usage: 12.3%, Prefix cache hit rate: 25.0%`,
    ),
    'INFO:     127.0.0.1:5000 - "POST /v1/completions HTTP/1.1" 200 OK',
  ].join('\n');

export const sglangLog = (run: BenchmarkFacts = facts): string =>
  [
    '[2026-08-01 10:15:00] max_total_num_tokens=389872, chunked_prefill_size=8192',
    '[2026-08-01 10:15:00] Prefill batch. #new-seq: 1, #new-token: 768, #cached-token: 256, token usage: 0.00, #running-req: 0, #queue-req: 0,',
    ...Array.from(
      { length: 6 },
      (_, index) =>
        `[2026-08-01 10:15:${index}1] Decode batch. #running-req: 7, #token: 8000, token usage: 0.12, cuda graph: True, gen throughput (token/s): ${7 / run.tpot.mean}, #queue-req: 0,`,
    ),
  ].join('\n');

/** 512 tokens in 0.074 s; 128 tokens at 12.8 ms. */
export const llamaBenchRows = (
  run: BenchmarkFacts = facts,
): readonly Readonly<Record<string, string | number | boolean>>[] => {
  const common = {
    build_commit: 'abc1234',
    build_number: 9000,
    cpu_info: 'X',
    gpu_info: 'NVIDIA RTX 4090',
    backends: 'CUDA',
    model_filename: 'm.gguf',
    model_type: 'llama 8B Q4_K - Medium',
    model_size: 4920733696,
    model_n_params: 8030261248,
    type_k: 'f16',
    n_gpu_layers: 99,
  };
  const prefill = 0.074e9;
  const decode = run.tpot.mean * run.output * 1e9;
  return [
    { ...common, n_prompt: 512, n_gen: 0, n_depth: 0, avg_ns: prefill, stddev_ns: 500000, avg_ts: 512e9 / prefill },
    {
      ...common,
      n_prompt: 0,
      n_gen: run.output,
      n_depth: 0,
      avg_ns: decode,
      stddev_ns: 500000,
      avg_ts: (run.output * 1e9) / decode,
    },
  ];
};

export const llamaBenchCsv = (run: BenchmarkFacts = facts): string => {
  const rows = llamaBenchRows(run);
  const names = Object.keys(rows[0] ?? {});
  return [names.join(','), ...rows.map((row) => names.map((name) => `"${row[name]}"`).join(','))].join('\n') + '\n';
};

export const llamaBenchSql = (run: BenchmarkFacts = facts): string =>
  [
    'CREATE TABLE IF NOT EXISTS llama_bench (',
    '  build_commit TEXT,',
    '  avg_ns INTEGER',
    ');',
    '',
    ...llamaBenchRows(run).map(
      (row) =>
        `INSERT INTO llama_bench (${Object.keys(row).join(', ')}) VALUES (${Object.values(row)
          .map((value) => `'${value}'`)
          .join(', ')});`,
    ),
  ].join('\n');

export const llamaBenchTable = (
  run: BenchmarkFacts = facts,
): string => `| model                          |       size |     params | backend    | ngl |          test |                  t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ------------: | -------------------: |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 |         pp512 |      ${512 / 0.074} ± 46.00 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 |         tg${run.output} |        ${1 / run.tpot.mean} ± 0.10 |

build: abc1234 (9000)
`;

export const llamaTimings = (run: BenchmarkFacts = facts): string =>
  [
    'slot print_timing: id  0 | task 5 |',
    `prompt eval time = ${run.ttft.mean * 1e3} ms / ${run.input} tokens (    0.18 ms per token,  5688.89 tokens per second)`,
    `       eval time = ${run.tpot.mean * run.output * 1e3} ms / ${run.output} tokens (   12.80 ms per token,    78.12 tokens per second)`,
    `      total time = 1818.40 ms / ${run.input + run.output} tokens`,
    'srv  update_slots: all slots are idle',
  ].join('\n');

export const sweepTable = (
  run: BenchmarkFacts = facts,
): string => `| ISL | OSL | Concurrency | N Req | TTFT (ms) | TPOT (ms) | Tput User (TPS) |
|-----|-----|-----|-----|-----|-----|-----|
| ${run.input} | ${run.output} | 1 | 8 | ${run.ttft.mean * 1e3} | ${run.tpot.mean * 1e3} | ${1 / run.tpot.mean} |
`;

/** Requests one second apart, each with the mean times; microseconds. */
export const blisTrace = (run: BenchmarkFacts = facts): string => {
  const row = (id: number): string =>
    `${id},c0,ok,${run.input},${run.output},${id * 1e6},${Math.round((id + run.ttft.mean) * 1e6)},${Math.round((id + run.e2e.mean) * 1e6)}`;
  return `version: 2
mode: real
request_id,client_id,status,input_tokens,output_tokens,send_time_us,first_chunk_time_us,last_chunk_time_us
${row(0)}
${row(1)}
`;
};
