/** Exactly one kind of load: all start together, a fixed number in flight, or an arrival rate. */
export type Load =
  | { readonly kind: 'batch'; readonly size: number }
  | { readonly kind: 'concurrency'; readonly size: number }
  | { readonly kind: 'rate'; readonly requestsPerSecond: number };

export interface Workload {
  /** Tokens of the prompt. */
  readonly prompt: number;
  /** Tokens generated, the first included. */
  readonly output: number;
  /** Prompt tokens whose KV is already there; less than `prompt`. */
  readonly cached: number;
  readonly load: Load;
}
