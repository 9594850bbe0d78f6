import type { Router } from '../../profile/scenario.ts';

/** Lengths in whole tokens; what is drawn is rounded, and at least 1. */
export type LengthDistribution =
  | { readonly kind: 'fixed'; readonly tokens: number }
  /** Every whole number from `least` to `most`, equally likely. */
  | { readonly kind: 'uniform'; readonly least: number; readonly most: number }
  /** Cut off at 1 and, where given, at `most`. */
  | { readonly kind: 'normal'; readonly mean: number; readonly deviation: number; readonly most?: number }
  /** `mean` is that of the lengths, `variation` their deviation over their mean. */
  | { readonly kind: 'lognormal'; readonly mean: number; readonly variation: number; readonly most?: number }
  /** One of the values, each as likely as its weight (all alike where none are given). */
  | { readonly kind: 'empirical'; readonly values: readonly number[]; readonly weights?: readonly number[] };

/** How requests come; rates are requests per second of the whole deployment. */
export type Arrivals =
  | { readonly kind: 'constant'; readonly rate: number }
  | { readonly kind: 'poisson'; readonly rate: number }
  /** Gamma gaps of shape `burstiness`: 1 = Poisson, below it bunched, above it regular (vllm bench serve). */
  | { readonly kind: 'gamma'; readonly rate: number; readonly burstiness: number }
  /** All at once. */
  | { readonly kind: 'burst' }
  /** So many users; each sends its next request when the last was answered, after a pause (mean seconds, exponential). */
  | { readonly kind: 'closed'; readonly concurrency: number; readonly think: number }
  /**
   * Conversations begin at random at `rate`; each turn's prompt is all that was said before and a new message, and
   * comes a pause (mean seconds, exponential) after the last answer.
   */
  | { readonly kind: 'sessions'; readonly rate: number; readonly turns: LengthDistribution; readonly think: number };

/** What several prompts begin with alike, besides `cached`. */
export interface SharedPrefix {
  /** Different prefixes, each equally likely. */
  readonly groups: number;
  /** Tokens of the prefix; they are part of the prompt, which is at least one token longer. */
  readonly tokens: number;
}

/** Limits that an answer has to keep to count as good; seconds. */
export interface Objectives {
  readonly ttft?: number;
  readonly tpot?: number;
  readonly e2e?: number;
}

/** A workload for the event simulation. */
export interface SimulatedWorkload {
  readonly arrivals: Arrivals;
  /** Of the new message, where arrivals are sessions. */
  readonly prompt: LengthDistribution;
  readonly output: LengthDistribution;
  /** The run ends when so many requests were answered. */
  readonly requests: number;
  /** Prompt tokens that every replica holds from the start (a hot system prompt). */
  readonly cached: number;
  readonly prefix?: SharedPrefix;
  readonly router: Router;
  readonly objectives: Objectives;
  /** Requests at the start that do not count; `detect` finds them by MSER-5, `none` counts all. */
  readonly warmUp: 'detect' | 'none' | number;
}
