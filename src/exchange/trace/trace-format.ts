/** How a trace writes its requests. */
export interface TraceFormat {
  readonly name: 'azure' | 'burstgpt' | 'vidur' | 'splitwise' | 'plain' | 'mooncake';
  /** Columns by name, as the header has them. */
  readonly arrival: string;
  readonly prompt: string;
  readonly output: string;
  /** How arrivals are written. */
  readonly time: 'date' | 'seconds' | 'milliseconds';
}

/**
 * Known headers: Azure LLM inference traces 2023 to 2025 (github.com/Azure/AzurePublicDataset), BurstGPT
 * (github.com/HPMLL/BurstGPT), Vidur (microsoft/vidur), splitwise-sim (Mutinifni/splitwise-sim), and our own.
 */
export const traceFormats: readonly TraceFormat[] = [
  { name: 'azure', arrival: 'TIMESTAMP', prompt: 'ContextTokens', output: 'GeneratedTokens', time: 'date' },
  { name: 'burstgpt', arrival: 'Timestamp', prompt: 'Request tokens', output: 'Response tokens', time: 'seconds' },
  { name: 'vidur', arrival: 'arrived_at', prompt: 'num_prefill_tokens', output: 'num_decode_tokens', time: 'seconds' },
  { name: 'splitwise', arrival: 'arrival_timestamp', prompt: 'prompt_size', output: 'token_size', time: 'seconds' },
  { name: 'plain', arrival: 'arrival', prompt: 'prompt', output: 'output', time: 'seconds' },
];

/** Mooncake's JSON lines (github.com/kvcache-ai/Mooncake, FAST25-release): times in ms, a hash for each 512 tokens. */
export const mooncake: TraceFormat = {
  name: 'mooncake',
  arrival: 'timestamp',
  prompt: 'input_length',
  output: 'output_length',
  time: 'milliseconds',
};

/** Tokens of one of Mooncake's hashed blocks. */
export const mooncakeBlock = 512;

/** The format of a header's columns; the first whose three columns are all there. */
export const formatOf = (columns: readonly string[]): TraceFormat | undefined =>
  traceFormats.find(({ arrival, prompt, output }) => [arrival, prompt, output].every((name) => columns.includes(name)));
