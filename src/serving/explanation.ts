import type { Operator } from '../operator/operator.ts';
import type { AssumedRates } from '../roofline/operator-seconds.ts';
import type { Breakdown } from '../roofline/resource.ts';

/** A step taken apart: every operator with its counts, the rates assumed, and the seconds that follow. */
export interface StepExplanation {
  /** `prefill` of one request (or batch), or `decode` of the mean step. */
  readonly phase: 'prefill' | 'decode';
  /** The step's variables by name: tokens, rows, pairs/0 ... */
  readonly variables: Readonly<Record<string, number>>;
  /** Equal steps of this kind in the phase (chunks of prefill; 1 for decode). */
  readonly steps: number;
  /** Sequences of the step, each with its tokens from..to new (prefill) or at the mean of the contexts from..to (decode). */
  readonly lengths: { readonly sequences: number; readonly from: number; readonly to: number };
  readonly operators: readonly OperatorExplanation[];
  /** Exposed host seconds of the engine per step. */
  readonly engineSeconds: number;
  /** Seconds of the whole step; operators and engine add up to it (with launches one by one: a smooth maximum). */
  readonly seconds: number;
  readonly breakdown: Breakdown;
}

/** One operator, all its launches in a step together. */
export interface OperatorExplanation {
  readonly name: string;
  readonly kind: Operator['kind'];
  readonly launches: number;
  /** The counts themselves, per unit of the step's variables. */
  readonly operator: Operator;
  /** Counts in this step: FLOP and bytes by kind. */
  readonly flops: number;
  readonly weightBytes: number;
  readonly keyValueBytes: number;
  readonly activationBytes: number;
  readonly linkBytes: number;
  readonly rates: AssumedRates;
  /** q of the smooth maximum; Infinity = the larger of the two. */
  readonly sharpness: number;
  /** ( compute^q + traffic^q )^(1/q) + beside + floor, each in seconds. */
  readonly computeSeconds: number;
  readonly trafficSeconds: number;
  readonly besideSeconds: number;
  readonly floorSeconds: number;
  readonly seconds: number;
  readonly breakdown: Breakdown;
}
