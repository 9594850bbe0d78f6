import type { Matrix } from '../profile/layer-matrices.ts';
import type { LayerGroup } from '../profile/model.ts';
import type { StoredFormat } from '../profile/precision.ts';

/**
 * What a step asks of the device, as counts alone: no seconds, no hardware.
 *
 * Every count is linear in a few variables of the step (its tokens, the KV entries it reads ...), so a deployment is
 * compiled once into coefficients, and any step, however long its prompts, is a short sum over them.
 */

/** Variables of a step on one rank. The suffix names the attention span or the group of experts it belongs to. */
export type Variable =
  /** 1 in any step. */
  | 'once'
  /** Tokens pushed through the layers. */
  | 'tokens'
  /** Rows of the output head: one per sequence that gets a token. */
  | 'rows'
  | 'sequences'
  | 'prefillTokens'
  | 'decodeSequences'
  /** `tokens` and `rows` as the matrix unit is charged for them: see `SmallBatch` in roofline/. */
  | 'chargedTokens'
  | 'chargedRows'
  /** Sequences whose new token goes to a client at once. */
  | 'streamed'
  /** Query-key pairs of prefill, after causality and window. */
  | `pairs/${number}`
  /** KV entries from earlier steps or a prefix cache that prefill reads. */
  | `prefillContext/${number}`
  /** KV entries that decode reads, summed over sequences. */
  | `decodeContext/${number}`
  /** Experts of the rank that at least one token visits. */
  | `touchedExperts/${number}`
  /** Token-expert pairs of the rank as its matrix unit is charged for them. */
  | `chargedVisits/${number}`;

/** What one unit of `variable` adds, over all `count` launches of the operator in a step. */
export interface Term {
  readonly variable: Variable;
  readonly flops: number;
  readonly weightBytes: number;
  readonly keyValueBytes: number;
  readonly activationBytes: number;
  readonly linkBytes: number;
}

/** What an operator is made of; decides which efficiency applies. */
export type OperatorKind =
  | 'gemm'
  | 'prefill-attention'
  | 'decode-attention'
  | 'latent-prefill'
  | 'latent-decode'
  | 'experts'
  | 'recurrence'
  | 'element-wise'
  | 'all-reduce'
  | 'all-to-all'
  | 'send';

export interface Operator {
  readonly name: string;
  readonly kind: OperatorKind;
  /** Launches in a step, e.g. one per layer. */
  readonly count: number;
  readonly terms: readonly Term[];
  /** Stored and multiplied formats, where the operator multiplies matrices. */
  readonly weights?: WeightFormat;
  /** Ranks that take part, for collectives. */
  readonly ranks?: number;
  /** Padding of query heads to the matrix unit's rows: FLOPs really issued over FLOPs needed (decode attention). */
  readonly padding?: number;
  /** Query heads that meet each stored entry (decode attention). */
  readonly queriesPerEntry?: number;
  /** The KV cache that prefill attention writes holds 8-bit floats, which some kernels then multiply as such. */
  readonly fp8Cache?: boolean;
  /** One pass over the input in 16 bits, which a dynamic quantisation of activations reads again. */
  readonly inputPass?: Term;
  /** The matrices of a product as this rank has them, and the layer (of all its ranks) that it comes from: for formulas. */
  readonly matrices?: readonly Matrix[];
  readonly layer?: LayerGroup;
}

/** How a matrix is stored, and the format of the activations that it meets. */
export interface WeightFormat extends StoredFormat {
  readonly activations: string;
}

const zero = { flops: 0, weightBytes: 0, keyValueBytes: 0, activationBytes: 0, linkBytes: 0 };

/** A term with the counts given and zero elsewhere. */
export const term = (variable: Variable, counts: Partial<Omit<Term, 'variable'>>): Term => ({
  variable,
  ...zero,
  ...counts,
});

/** The operator of one layer, `layers` times in a step. */
export const repeated = (operator: Operator, layers: number, layer?: LayerGroup): Operator => ({
  ...operator,
  ...(layer === undefined ? {} : { layer }),
  count: operator.count * layers,
  terms: operator.terms.map((each) => scaledTerm(each, layers)),
  ...(operator.inputPass === undefined ? {} : { inputPass: scaledTerm(operator.inputPass, layers) }),
});

const scaledTerm = (each: Term, factor: number): Term => ({
  variable: each.variable,
  flops: each.flops * factor,
  weightBytes: each.weightBytes * factor,
  keyValueBytes: each.keyValueBytes * factor,
  activationBytes: each.activationBytes * factor,
  linkBytes: each.linkBytes * factor,
});

/** Two operators with the same variables as one: launches and counts add up. */
export const joined = (one: Operator, other: Operator): Operator => ({
  ...one,
  count: one.count + other.count,
  terms: one.terms.map((each, index) => addedTerm(each, other.terms[index])),
  ...(one.inputPass === undefined ? {} : { inputPass: addedTerm(one.inputPass, other.inputPass) }),
});

const addedTerm = (one: Term, other: Term | undefined): Term => ({
  variable: one.variable,
  flops: one.flops + (other?.flops ?? 0),
  weightBytes: one.weightBytes + (other?.weightBytes ?? 0),
  keyValueBytes: one.keyValueBytes + (other?.keyValueBytes ?? 0),
  activationBytes: one.activationBytes + (other?.activationBytes ?? 0),
  linkBytes: one.linkBytes + (other?.linkBytes ?? 0),
});
