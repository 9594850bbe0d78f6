import type { RunClock } from './benchmark-run.ts';

/** How a server names its metrics; without prefix and without what the type adds (_bucket, _total). */
export interface ServerNames {
  readonly tool: string;
  readonly engine: string;
  readonly prefix: string;
  /** Histograms of each clock, newest name first. */
  readonly clocks: Readonly<Partial<Record<RunClock, readonly string[]>>>;
  readonly input: string;
  readonly output: string;
  readonly running: readonly string[];
  readonly waiting: readonly string[];
  readonly keyValueShare: readonly string[];
  /** A histogram of which a label tells parts apart; each is named family.label. */
  readonly parts?: { readonly family: string; readonly label: string };
  readonly notes: readonly string[];
}

export const serverNames: readonly ServerNames[] = [
  {
    // vllm/v1/metrics/loggers.py
    tool: 'vLLM metrics',
    engine: 'vllm',
    prefix: 'vllm:',
    clocks: {
      ttft: ['time_to_first_token_seconds'],
      tpot: ['request_time_per_output_token_seconds'],
      itl: ['inter_token_latency_seconds', 'time_per_output_token_seconds'],
      e2e: ['e2e_request_latency_seconds'],
      queue: ['request_queue_time_seconds'],
      prefill: ['request_prefill_time_seconds'],
      decode: ['request_decode_time_seconds'],
    },
    input: 'request_prompt_tokens',
    output: 'request_generation_tokens',
    running: ['num_requests_running'],
    waiting: ['num_requests_waiting'],
    keyValueShare: ['kv_cache_usage_perc', 'gpu_cache_usage_perc'],
    notes: ["vLLM's own split of TTFT: queue is until first scheduled, prefill from there to the first token."],
  },
  {
    // python/sglang/srt/metrics/collector.py
    tool: 'SGLang metrics',
    engine: 'sglang',
    prefix: 'sglang:',
    clocks: {
      ttft: ['time_to_first_token_seconds'],
      tpot: ['time_per_output_token_seconds'],
      itl: ['inter_token_latency_seconds'],
      e2e: ['e2e_request_latency_seconds'],
      queue: ['queue_time_seconds'],
    },
    input: 'prompt_tokens_histogram',
    output: 'generation_tokens_histogram',
    running: ['num_running_reqs'],
    waiting: ['num_queue_reqs'],
    keyValueShare: ['token_usage'],
    notes: [],
  },
  {
    // router/src/server.rs of text-generation-inference
    tool: 'TGI metrics',
    engine: 'tgi',
    prefix: 'tgi_',
    clocks: {
      e2e: ['request_duration'],
      queue: ['request_queue_duration'],
      perToken: ['request_mean_time_per_token_duration'],
      prefill: ['batch_inference_duration.prefill'],
      tpot: ['batch_inference_duration.decode', 'batch_inference_duration.next_token'],
    },
    parts: { family: 'batch_inference_duration', label: 'method' },
    input: 'request_input_length',
    output: 'request_generated_tokens',
    running: ['batch_current_size'],
    waiting: ['queue_size'],
    keyValueShare: [],
    notes: [
      "TGI's mean time per token is inference time / n, prefill included; TPOT here is the mean time of a decode batch.",
    ],
  },
];
