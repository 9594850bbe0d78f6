/** One request of a trace. */
export interface TracedRequest {
  /** Seconds since the start of the trace, not decreasing. */
  readonly arrival: number;
  readonly prompt: number;
  readonly output: number;
  /** Names of the parts that the prompt is made of, in order, each with the token at which it ends. */
  readonly parts?: readonly { readonly key: number; readonly end: number }[];
}
