import type { ExpertGroup } from '../operator/feed-forward.ts';
import type { Operator, Variable } from '../operator/operator.ts';
import type { Span } from '../operator/span.ts';
import type { SmallBatch } from './efficiency.ts';
import type { AssumedRates } from './operator-seconds.ts';

/** Terms an operator may have: a constant, a count of tokens, and what attention reads. */
export const slotsPerOperator = 3;

/** Seconds per unit of a slot's variable: compute (or link latency), four kinds of traffic under the roofline, one beside it. */
export const secondsPerSlot = 6;

/**
 * A deployment compiled for the fast path: for each operator a few coefficients in seconds per unit of a step's
 * variables. Evaluating a step is a loop over these numbers and allocates nothing; the explained path reads the same
 * table.
 */
export interface StepTable {
  readonly operators: readonly Operator[];
  readonly spans: readonly Span[];
  readonly expertGroups: readonly ExpertGroup[];
  /** Variables in the order of a step's vector. */
  readonly variables: readonly Variable[];
  /** Index of each slot's variable, `slotsPerOperator` an operator. */
  readonly slotVariables: Int32Array;
  /** [compute | weight | key-value | activation | link | beside] seconds, `secondsPerSlot` a slot. */
  readonly slotSeconds: Float64Array;
  /** One past the last slot in use, per operator. */
  readonly slotEnds: Int32Array;
  /** q of each operator's smooth roofline; Infinity = textbook maximum. */
  readonly sharpness: Float64Array;
  /** Device-side floor of each operator, seconds over all its launches. */
  readonly floors: Float64Array;
  /** 1 where the first kind of seconds is link latency rather than compute. */
  readonly isCollective: Uint8Array;
  /** How few rows are charged; absent = as many as there are. */
  readonly smallBatch?: SmallBatch;
  /** What each operator is taken to reach; for explanations only. */
  readonly rates: readonly AssumedRates[];
  /** Exposed host costs of the engine, seconds. */
  readonly perStep: number;
  readonly perSequence: number;
  /** Per sequence whose token is streamed to a client. */
  readonly perStreamed: number;
  /** Seconds the host needs to launch a step's kernels one by one; the device can run behind it. 0 with graphs. */
  readonly launch: number;
  /** The same for a step that prefills; absent = as `launch`. */
  readonly prefillLaunch?: number;
  /** Largest step with prefill that still takes `launch`, tokens; absent = 0. */
  readonly graphTokens?: number;
  /** Tokens of one pass through the layers; absent = steps are not cut. */
  readonly passTokens?: number;
  /** A step that prefills runs a decode step of everybody behind it, which gives the first tokens too. */
  readonly decodesLastToken?: boolean;
  /** What a step with decoding sequences does in place of this table, where tokens are drafted. */
  readonly speculative?: SpeculativeTable;
}

/** A step that drafts tokens and checks them. */
export interface SpeculativeTable extends StepTable {
  /** Tokens that each decoding sequence sends through the model: the drafted ones and the one before. */
  readonly decodeWidth: number;
  /** Tokens that a decoding sequence keeps of a step, in the mean. */
  readonly tokensPerStep: number;
}

/** Position of the variables that every deployment has; spans and expert groups follow. */
export const fixedVariables: readonly Variable[] = Object.freeze([
  'once',
  'tokens',
  'rows',
  'sequences',
  'prefillTokens',
  'decodeSequences',
  'chargedTokens',
  'chargedRows',
  'streamed',
]);

/** Offsets of a span's three variables behind the fixed ones. */
export const spanVariables = 3;

export const variablesOf = (spans: number, expertGroups: number): readonly Variable[] => [
  ...fixedVariables,
  ...Array.from({ length: spans }, (_, index): Variable[] => [
    `pairs/${index}`,
    `prefillContext/${index}`,
    `decodeContext/${index}`,
  ]).flat(),
  ...Array.from({ length: expertGroups }, (_, index): Variable[] => [
    `touchedExperts/${index}`,
    `chargedVisits/${index}`,
  ]).flat(),
];
