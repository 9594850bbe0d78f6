import type { Distribution } from './summary.ts';

/** What a run of the event simulation showed. Seconds, tokens, shares, requests per second. */
export interface SimulationResult {
  readonly producedBy: 'event simulation';
  readonly seed: number;
  /** `stopped`: the run was ended before its last request was answered. */
  readonly outcome: 'complete' | 'stopped';
  readonly requests: {
    readonly sent: number;
    readonly answered: number;
    readonly refused: number;
    readonly inFlight: number;
    /** At the start, not counted in the distributions and rates below. */
    readonly warmUp: number;
    readonly counted: number;
  };
  /** Simulated seconds from the first counted request to the last answer. */
  readonly seconds: number;
  /** Distributions are absent where nothing was counted: no request answered, no answer of two tokens. */
  readonly ttft: Distribution | undefined;
  readonly tpot: Distribution | undefined;
  /** Every gap between two tokens of the whole run; percentiles to half a percent. */
  readonly itl: Distribution | undefined;
  readonly e2e: Distribution | undefined;
  /** From the engine's queue to the start of the first step. */
  readonly queueWait: Distribution | undefined;
  readonly throughput: {
    readonly requestsPerSecond: number;
    readonly outputTokensPerSecond: number;
    readonly totalTokensPerSecond: number;
  };
  /** Requests per second that kept every objective, and their share; absent without objectives. */
  readonly goodput?: { readonly requestsPerSecond: number; readonly share: number };
  /** Share of time that an engine had work, in the mean over engines. */
  readonly utilisation: number;
  readonly running: { readonly mean: number; readonly most: number };
  /** Share of KV blocks held. */
  readonly keyValueOccupancy: { readonly mean: number; readonly most: number };
  readonly preemptions: { readonly count: number; readonly requests: number };
  /** Share of prompt tokens found cached. */
  readonly hitRate: number;
  readonly stability: {
    readonly verdict: 'stable' | 'near saturation' | 'unstable' | 'not an arrival rate';
    readonly reason: string;
  };
  /** Little's law: requests present (counted by events) and rate x time in the system, which must agree. */
  readonly little: { readonly present: number; readonly rateTimesTime: number };
  readonly series: { readonly binSeconds: number; readonly bins: readonly SimulationBin[] };
  readonly warnings: readonly string[];
}

/** One stretch of a run. */
export interface SimulationBin {
  readonly start: number;
  readonly arrivals: number;
  readonly completions: number;
  readonly outputTokensPerSecond: number;
  /** Mean of the first tokens of this stretch; null where there were none. */
  readonly ttft: number | null;
  readonly running: number;
  readonly waiting: number;
  readonly keyValueOccupancy: number;
}
