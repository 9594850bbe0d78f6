/** What a word of benchmarks means here and in each tool, and how to get from theirs to ours. */
export interface Definition {
  readonly term: string;
  readonly aliases: readonly string[];
  /** What it means here. */
  readonly ours: string;
  readonly tools: readonly ToolDefinition[];
}

interface ToolDefinition {
  readonly tool: string;
  readonly meaning: string;
  /** To ours; absent where it is ours. */
  readonly conversion?: string;
}

/*
 * Sources: vllm/benchmarks/serve.py and lib/endpoint_request_func.py; sglang python/sglang/bench_serving.py; GuideLLM
 * src/guidellm/benchmark/schemas; inference-perf docs/metrics.md; AIPerf and GenAI-Perf metric docs; llmperf
 * token_benchmark_ray.py; vllm/v1/metrics/loggers.py; llama.cpp tools/llama-bench; OpenTelemetry semantic conventions
 * for generative AI; InferenceX utils/process_result.py. Read in 2026.
 */
export const definitions: readonly Definition[] = [
  {
    term: 'TTFT',
    aliases: ['time to first token', 'ttfr', 'first token latency', 'first-token', 'prefill latency'],
    ours: "The client's wait from sending a request to the first output token: network, API, queue, scheduling, prefill and return.",
    tools: [
      {
        tool: 'vllm bench serve, InferenceX',
        meaning:
          'From after the limit on requests in flight to the first chunk with a choice in it, even an empty one (in chat the role chunk, sent with the first engine output).',
        conversion: 'Waiting for the limit in the client is not in it: add client_queue_time where the file has it.',
      },
      { tool: 'SGLang bench_serving', meaning: 'To the first chunk with text.' },
      {
        tool: 'GuideLLM',
        meaning: 'To the first token iteration, in ms; time_to_first_output_token leaves reasoning tokens out.',
      },
      { tool: 'inference-perf', meaning: 'To the first non-empty token, in s.' },
      { tool: 'GenAI-Perf', meaning: 'To the first non-empty response; the role chunk is dropped.' },
      { tool: 'AIPerf', meaning: 'To the first response; the second token has its own metric.' },
      { tool: 'llmperf', meaning: 'To the first chunk, in s.' },
      {
        tool: 'vLLM and SGLang metrics, OpenTelemetry server',
        meaning: 'From arrival in the server to its first token.',
        conversion: 'Network and client are not in it: add them, or subtract from a client measurement to get them.',
      },
      { tool: 'OpenTelemetry client', meaning: 'time_to_first_chunk: to the first chunk of the stream.' },
      {
        tool: 'llama.cpp timings',
        meaning: 'prompt eval time: prefill alone, of the tokens that were not cached.',
        conversion: 'No queue, HTTP or sampling in it: a floor of TTFT.',
      },
      {
        tool: 'TGI metrics',
        meaning: 'Not exposed.',
        conversion: 'Mean wait in the queue + mean batch_inference_duration of prefill: no percentiles.',
      },
      {
        tool: 'llama-benchy',
        meaning:
          'e2e_ttft, network included; ttfr is to the first response of any kind, est_ppt that less the network.',
      },
      {
        tool: 'perf_analyzer',
        meaning: 'To the first response of its stream, in ns.',
      },
      {
        tool: 'MLPerf LoadGen',
        meaning: 'first token latency, in ns; in the same host, so hardly any network is in it.',
      },
    ],
  },
  {
    term: 'TPOT',
    aliases: [
      'time per output token',
      'tbt',
      'time between tokens',
      'decode latency',
      'ms per token',
      'inter-token latency mean',
    ],
    ours: 'Mean time between the output tokens of a request after the first: (E2E - TTFT) / (n - 1). It excludes the first token.',
    tools: [
      {
        tool: 'vllm bench serve, SGLang bench_serving, InferenceX',
        meaning: '(E2E - TTFT) / (n - 1), n as the server counts tokens.',
      },
      {
        tool: 'GuideLLM',
        meaning: 'time_per_output_token: E2E / n. It includes the first token.',
        conversion: 'Take its inter_token_latency, or (n x TPOT - TTFT) / (n - 1).',
      },
      {
        tool: 'inference-perf',
        meaning: '(E2E - TTFT) / (n - 1); normalized_time_per_output_token is E2E / n.',
        conversion: 'Some older files hold exactly half: check E2E = TTFT + (n - 1) x TPOT.',
      },
      { tool: 'AIPerf, GenAI-Perf', meaning: 'Called inter-token latency: (E2E - TTFT) / (n - 1).' },
      {
        tool: 'llmperf',
        meaning: 'Called inter-token latency: E2E / n. It includes the first token.',
        conversion: '(E2E - TTFT) / (n - 1) from its other columns.',
      },
      {
        tool: 'vLLM metrics',
        meaning:
          'request_time_per_output_token_seconds per request; time_per_output_token_seconds (old) is one gap per sample.',
      },
      {
        tool: 'TGI metrics',
        meaning:
          'mean_time_per_token: inference time / n, prefill included; batch_inference_duration of decode is one step.',
        conversion: '(n x it - prefill) / (n - 1).',
      },
      { tool: 'llama-bench', meaning: 'tg: 1 / (t/s), decode alone from an empty cache (or from depth d).' },
    ],
  },
  {
    term: 'ITL',
    aliases: ['inter-token latency', 'inter token latency', 'inter-chunk latency', 'icl', 'gap'],
    ours: 'One gap between two output tokens as the client receives them. TPOT is the mean of a request; percentiles of ITL are over gaps, those of TPOT over requests.',
    tools: [
      {
        tool: 'vllm bench serve',
        meaning: 'One sample per stream chunk.',
        conversion:
          'With speculation or a stream interval a chunk holds several tokens; about 0 between role and first content chunk.',
      },
      {
        tool: 'SGLang bench_serving',
        meaning:
          'The gap divided by the tokens that came with it, repeated for each (native); per chunk with OpenAI backends.',
      },
      {
        tool: 'GuideLLM',
        meaning: '(last - first) / (n - 1) of a request: our TPOT.',
        conversion: 'It has no single gaps.',
      },
      { tool: 'AIPerf', meaning: 'inter_token_latency is our TPOT; inter_chunk_latency is the gap between chunks.' },
      { tool: 'llmperf', meaning: 'E2E / n: neither.', conversion: 'See TPOT.' },
      { tool: 'vLLM metrics', meaning: 'inter_token_latency_seconds: one sample per gap, in the server.' },
    ],
  },
  {
    term: 'E2E',
    aliases: ['end to end', 'e2el', 'e2e latency', 'request latency', 'latency'],
    ours: 'From sending a request to its last token: TTFT + (n - 1) x TPOT.',
    tools: [
      { tool: 'vllm bench serve', meaning: 'e2el, in ms; only with --percentile-metrics e2el.' },
      { tool: 'GuideLLM', meaning: 'request_latency, in seconds, beside TTFT in milliseconds.' },
      { tool: 'vllm bench latency', meaning: 'avg_latency: a whole batch, in s.' },
      { tool: 'static batch tables', meaning: 'Time of the whole batch; prefill of all its prompts is in it.' },
    ],
  },
  {
    term: 'output speed',
    aliases: [
      'output tokens per second',
      'tokens per second',
      'tok/s',
      'throughput',
      'tps',
      'output throughput',
      'generation throughput',
    ],
    ours: 'Output tokens of the whole deployment per second of wall time, prefill included.',
    tools: [
      {
        tool: 'vllm bench serve',
        meaning: 'output_throughput of the whole server; total_token_throughput counts prompts too.',
      },
      {
        tool: 'vllm bench throughput',
        meaning: 'tokens_per_second counts prompt and output together.',
        conversion: 'x n / (prompt + n).',
      },
      {
        tool: 'InferenceX',
        meaning: 'tput_per_gpu counts both and is per GPU; disaggregated runs divide by the GPUs of one pool.',
        conversion: 'x GPUs.',
      },
      { tool: 'llama-bench', meaning: 't/s of prefill (pp) or decode (tg) alone, one sequence.' },
      {
        tool: 'llmperf',
        meaning: 'request_output_throughput is of one request: n / E2E; mean_output_throughput is of the server.',
      },
      { tool: 'vLLM log', meaning: 'Avg generation throughput over the last 10 s, idle time included.' },
      { tool: 'leaderboards', meaning: 'Output speed is often that of one stream after the first token: 1 / TPOT.' },
    ],
  },
  {
    term: 'interactivity',
    aliases: ['intvty', 'tokens per second per user', 'tps/user', 'tok/s/user', 'speed per user'],
    ours: 'What one user sees after the first token: 1 / TPOT, tokens/s.',
    tools: [
      { tool: 'InferenceX', meaning: 'intvty: 1 / TPOT.' },
      { tool: 'AIPerf', meaning: 'output_token_throughput_per_user: 1 / inter-token latency.' },
      {
        tool: 'others',
        meaning: 'Output tokens / E2E of a request, TTFT included.',
        conversion: '(n - 1) / (E2E - TTFT).',
      },
    ],
  },
  {
    term: 'concurrency',
    aliases: ['concurrent requests', 'max_concurrency', 'in flight', 'users', 'streams'],
    ours: 'Requests in flight: a closed loop, each followed at once by the next. They arrive one by one and are never one prefill batch.',
    tools: [
      {
        tool: 'vllm bench serve',
        meaning: 'max_concurrency: a limit in the client; with rate inf it starts with a burst of that many.',
      },
      {
        tool: 'SGLang bench_serving',
        meaning: 'max_concurrency likewise; the field concurrency is the measured mean (sum of E2E / duration).',
      },
      { tool: 'GuideLLM', meaning: 'streams of the profile concurrent; request_concurrency is the measured mean.' },
      { tool: 'llmperf', meaning: 'num_concurrent_requests: threads, each with pauses between requests.' },
      { tool: 'InferenceX', meaning: 'conc: the limit; a run has 10 x conc prompts.' },
    ],
  },
  {
    term: 'batch',
    aliases: ['batch size', 'max_num_seqs', 'static batch', 'ubatch'],
    ours: 'Requests that start together and are prefilled together. Only then is concurrency a batch.',
    tools: [
      { tool: 'vllm bench latency, TensorRT-LLM tables', meaning: 'A static batch.' },
      {
        tool: 'vLLM',
        meaning: 'max_num_seqs: the most that run at once; the running batch changes from step to step.',
      },
      { tool: 'llama.cpp', meaning: 'n_batch and n_ubatch are tokens of a step, not requests.' },
    ],
  },
  {
    term: 'rate',
    aliases: ['request rate', 'qps', 'rps', 'request_rate', 'arrival rate', 'requests per second'],
    ours: 'Requests that arrive per second whether or not earlier ones are done (open loop). What is finished is another number.',
    tools: [
      {
        tool: 'vllm bench serve',
        meaning: 'request_rate with Poisson gaps (burstiness 1), rescaled to the total; inf sends everything at once.',
      },
      { tool: 'SGLang bench_serving', meaning: 'request_rate with exponential gaps; inf sends everything at once.' },
      { tool: 'GuideLLM', meaning: 'constant or poisson rate; throughput sends as much as goes.' },
      { tool: 'inference-perf', meaning: 'requested_rate per stage beside achieved_rate.' },
      { tool: 'llmperf', meaning: 'num_completed_requests_per_min: finished, per minute.' },
    ],
  },
  {
    term: 'goodput',
    aliases: ['request goodput', 'slo attainment'],
    ours: 'Requests per second that met their targets for the clocks; with no target it is only throughput.',
    tools: [
      { tool: 'vllm bench serve', meaning: 'request_goodput: requests/s within every --goodput limit, in ms.' },
      { tool: 'AIPerf', meaning: 'goodput: requests/s within the limits that were given.' },
      { tool: 'inference-perf', meaning: 'goodput_metrics, against ttft_slo_sec and tpot_slo_sec of each request.' },
      {
        tool: 'MLPerf LoadGen',
        meaning: 'none; a run is VALID where p99 meets the limits.',
        conversion: 'At most 1 % of a valid run missed them.',
      },
    ],
  },
  {
    term: 'prefix cache hit rate',
    aliases: ['hit rate', 'cached tokens', 'prefix hit', 'cache hit'],
    ours: 'Share of prompt tokens whose KV was there already: they cost no prefill.',
    tools: [
      {
        tool: 'vLLM log and metrics',
        meaning: 'prefix_cache_hits / prefix_cache_queries, in tokens; the log shows a recent window.',
      },
      { tool: 'SGLang', meaning: 'cache_hit_rate gauge; #cached-token against #new-token in the log.' },
      { tool: 'inference-perf', meaning: 'prompt_tokens cached and uncached.' },
    ],
  },
];
