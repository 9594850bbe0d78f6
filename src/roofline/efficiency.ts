import type { Citation } from '../profile/citation.ts';

/**
 * What a device family reaches of its data sheet, operator by operator: the parameters of the smooth roofline
 *
 *     t = ( (F / (P compute))^q + (B / (W memory))^q )^(1/q) + linear part + floor
 *
 * Shares are between 0 and 1, floors in seconds of device time for one operator, `sharpness` is q
 * (1 = the two times add up, large = textbook maximum).
 */
export interface Efficiency {
  readonly gemm: Readonly<Record<GemmClass, GemmEfficiency>>;
  readonly prefillAttention: PrefillAttentionEfficiency;
  /** With an FP8 cache, where the kernel then multiplies in FP8; shares still of the 16-bit peak. Absent = as without. */
  readonly fp8PrefillAttention?: PrefillAttentionEfficiency;
  readonly decodeAttention: DecodeAttentionEfficiency;
  /** Decode attention that the kernel for the matrix units does not take. */
  readonly headByHead?: HeadByHead;
  readonly latentPrefill: PrefillAttentionEfficiency;
  readonly latentDecode: DecodeAttentionEfficiency;
  readonly experts: Readonly<Record<GemmClass, ExpertsEfficiency>>;
  readonly elementWise: ElementWiseEfficiency;
  readonly collective: CollectiveEfficiency;
  /** How products of few rows are charged, where the matrix unit is slow enough for it to matter. */
  readonly smallBatch?: SmallBatch;
  /** 16-bit products keep their sums in FP16, at the doubled rate of the cards that have one (llama.cpp on CUDA). */
  readonly halfSums?: boolean;
  /** `measured`: operator timings of this family; `similar`: borrowed from a relative; `assumed`: end-to-end evidence only. */
  readonly evidence: 'measured' | 'similar' | 'assumed';
  readonly sources: readonly Citation[];
}

/**
 * Products of few rows run in vector kernels, which cost `vectorCost` rows of the matrix kernel for each of theirs,
 * until a whole tile of `tileRows` is cheaper: charged rows = min(vectorCost x rows, tileRows) below a tile.
 */
export interface SmallBatch {
  readonly tileRows: number;
  readonly vectorCost: number;
}

/**
 * Kind of matrix product: what is stored times what is multiplied. `weight-only` stores 4 bits and multiplies in
 * 16 (AWQ, GPTQ, GGUF through dequantisation); `weight-only-8` likewise with 8.
 */
export const gemmClasses = ['fp32', 'bf16', 'fp8', 'fp8-block', 'int8', 'fp4', 'weight-only', 'weight-only-8'] as const;
export type GemmClass = (typeof gemmClasses)[number];

export interface GemmEfficiency {
  readonly compute: number;
  readonly memory: number;
  readonly floor: number;
  readonly sharpness: number;
  /** Passes over the input (2 M K bytes each, at full bandwidth) to quantise activations; 0 where none. */
  readonly quantisationPasses: number;
}

export interface PrefillAttentionEfficiency {
  readonly compute: number;
  readonly memory: number;
  readonly floor: number;
  readonly sharpness: number;
  /** Prompt length at which half of `compute` is reached: e(S) = compute S / (S + halfLength). */
  readonly halfLength: number;
}

export interface DecodeAttentionEfficiency {
  readonly compute: number;
  readonly memory: number;
  readonly floor: number;
  readonly sharpness: number;
  /** Fixed cost of a sequence, in tokens of KV read. */
  readonly contextOffset: number;
}

/** Each query head by itself on the vector units, whatever it shares with others. */
export interface HeadByHead {
  /** Of heads that share nothing. */
  readonly single?: DecodeAttentionEfficiency;
  /** Of grouped ones: the share of the matrix units' peak, and the query heads for each stored one that those do take. */
  readonly grouped?: { readonly compute: number; readonly except: readonly number[] };
}

export interface ExpertsEfficiency {
  readonly compute: number;
  readonly memory: number;
  readonly floor: number;
  readonly sharpness: number;
  /** Passes over the routed activations (gather, scatter, quantise), added to the roofline. */
  readonly activationPasses: number;
}

export interface ElementWiseEfficiency {
  readonly memory: number;
  /** Per kernel. */
  readonly floor: number;
}

export interface CollectiveEfficiency {
  /** Latency of an all-reduce: floor x log2(ranks) seconds (2 ranks pay one floor). */
  readonly floor: number;
  /** Share of the link's rate per direction that large messages reach. */
  readonly bandwidth: number;
  readonly sharpness: number;
  /** Ditto for devices that talk over the host link (no NVLink, xGMI ...). */
  readonly hostFloor: number;
  readonly hostBandwidth: number;
}
