import type { Distribution } from './distribution.ts';

/**
 * One run of a benchmark, or one look at a server, as every reader gives it: seconds, tokens, requests per second.
 * What a file does not say is absent; nothing is guessed.
 */
export interface BenchmarkRun {
  /** What wrote the file: 'vllm bench serve', 'GuideLLM' ... */
  readonly tool: string;
  readonly toolVersion?: string;
  /** File and place in it, for messages: 'runs.jsonl line 3'. */
  readonly where: string;
  readonly kind: RunKind;
  readonly setting: RunSetting;
  readonly load: RunLoad;
  /** Length of the run, seconds. */
  readonly seconds?: number;
  readonly requests: RequestCounts;
  readonly tokens: TokenCounts;
  readonly clocks: RunClocks;
  readonly throughput: RunThroughput;
  readonly observed: ServerState;
  /** Figures over time, in their order. */
  readonly samples: readonly RunSample[];
  /** Requests one by one, in the order of the file. */
  readonly timings: readonly RequestTiming[];
  /** Conversions made and definitions that differ from ours, in sentences. */
  readonly notes: readonly string[];
}

/** `client`: times at the client; `server`: the server's own metrics or log; `kernel`: the model alone, no server. */
type RunKind = 'client' | 'server' | 'kernel';

/** What ran, where the file says so. Names as written. */
export interface RunSetting {
  readonly engine?: string;
  readonly engineVersion?: string;
  readonly model?: string;
  readonly hardware?: string;
  readonly devices?: number;
  readonly tensor?: number;
  readonly pipeline?: number;
  readonly expert?: number;
  readonly weights?: string;
  readonly keyValue?: string;
  /** Bytes of the weights as stored. */
  readonly weightBytes?: number;
  /** Tokens that the KV cache holds. */
  readonly keyValueTokens?: number;
}

/** How requests came. `unknown` for a server that merely watches. */
export type RunLoad =
  | { readonly kind: 'batch'; readonly size: number }
  | { readonly kind: 'concurrency'; readonly size: number }
  | { readonly kind: 'rate'; readonly requestsPerSecond: number; readonly atMost?: number }
  | { readonly kind: 'all-at-once'; readonly requests?: number }
  | { readonly kind: 'unknown' };

interface RequestCounts {
  readonly asked?: number;
  readonly completed?: number;
  readonly failed?: number;
}

/** Tokens per request as a distribution, and totals of the run. */
interface TokenCounts {
  readonly input?: Distribution;
  readonly output?: Distribution;
  readonly inputTotal?: number;
  readonly outputTotal?: number;
  /** Prompt tokens of the run that a prefix cache served. */
  readonly cachedTotal?: number;
}

/**
 * Clocks in our definitions: `tpot` excludes the first token, (E2E - TTFT) / (n - 1); `itl` is one gap between chunks;
 * `perToken` is E2E / n, which some tools call TPOT or ITL. `queue`, `prefill` and `decode` are a server's own split.
 */
export const runClocks = [
  'ttft',
  'tpot',
  'itl',
  'e2e',
  'perToken',
  'queue',
  'prefill',
  'decode',
  'clientQueue',
] as const;
export type RunClock = (typeof runClocks)[number];
export type RunClocks = Readonly<Partial<Record<RunClock, Distribution>>>;

interface RunThroughput {
  readonly requestsPerSecond?: number;
  readonly inputTokensPerSecond?: number;
  readonly outputTokensPerSecond?: number;
  readonly totalTokensPerSecond?: number;
}

/** What a server says about itself. Shares between 0 and 1. */
interface ServerState {
  readonly running?: number;
  readonly waiting?: number;
  readonly keyValueShare?: number;
  readonly prefixHitShare?: number;
  readonly preemptions?: number;
  /** Tokens kept of a speculative step, the one that is always kept included. */
  readonly acceptanceLength?: number;
  /** Requests in flight in the mean, as the client counted them. */
  readonly concurrency?: number;
}

export interface RunSample extends ServerState {
  /** Seconds since the first sample. */
  readonly at?: number;
  readonly inputTokensPerSecond?: number;
  readonly outputTokensPerSecond?: number;
}

export interface RequestTiming {
  /** Seconds since the start of the run. */
  readonly start?: number;
  readonly ttft?: number;
  readonly e2e?: number;
  readonly input?: number;
  readonly output?: number;
  /** Sum of the gaps between chunks, seconds, and how many there were. */
  readonly gaps?: { readonly sum: number; readonly count: number; readonly empty: number };
  readonly failed?: boolean;
}

/** Runs that one file may hold. */
export const mostRuns = 100_000;

const unknownLoad: RunLoad = { kind: 'unknown' };

/** A run with everything optional left out. */
export const newRun = (
  run: Pick<BenchmarkRun, 'tool' | 'where' | 'kind'> & Partial<Omit<BenchmarkRun, 'tool' | 'where' | 'kind'>>,
): BenchmarkRun =>
  Object.freeze({
    setting: {},
    load: unknownLoad,
    requests: {},
    tokens: {},
    clocks: {},
    throughput: {},
    observed: {},
    samples: [],
    timings: [],
    notes: [],
    ...run,
  });

/** Leaves out what is not known, so that absent and undefined are one. */
export function known<T extends object>(values: { readonly [Key in keyof T]: T[Key] | undefined }): Partial<T> {
  const kept: Partial<T> = {};
  for (const key in values) {
    const value = values[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
