import type { Citation } from './citation.ts';

/**
 * A transformer (or hybrid) language model as the dimensions of its matrices. Parameter counts, FLOPs and bytes
 * are derived from these; `vectorParameters` holds what no matrix product touches (norms, biases, sinks), so that
 * the derived total equals the published one.
 */
export interface Model {
  readonly name: string;
  readonly title: string;
  readonly aliases: readonly string[];
  /** Model type as its configuration file spells it: `llama`, `deepseek_v3` ... */
  readonly family: string;
  readonly hiddenSize: number;
  /** Rows of the embedding table, padded as shipped. */
  readonly vocabulary: number;
  readonly contextLimit?: number;
  readonly embedding: {
    /** The output head shares the input table. */
    readonly tied: boolean;
    /** Learned positions, per-layer embeddings and other look-ups: stored, read row by row. */
    readonly lookupParameters: number;
    /** Extra matrices between embedding and layers or layers and head, used by every token. */
    readonly projectionParameters: number;
  };
  /** Groups of equal layers, in the order of the model; `count` of each. */
  readonly layers: readonly LayerGroup[];
  /** Final norm, head bias, embedding norm: parameters without a matrix product. */
  readonly vectorParameters: number;
  /** Parts that a checkpoint carries but a plain decode step never runs. */
  readonly extras: {
    /** Multi-token-prediction layers, parameters. */
    readonly mtpParameters: number;
    /** Vision, audio towers and projectors, parameters. */
    readonly towerParameters: number;
  };
  /** Weight format of the checkpoint itself. */
  readonly checkpoint: Checkpoint;
  /** What 'fp8' means where its publisher offers an FP8 checkpoint besides this one: `fp8-block` has a scale for each block. */
  readonly fp8Checkpoint?: string;
  /** How the checkpoint's generation_config.json has tokens chosen; absent = not read. */
  readonly generation?: Generation;
  readonly published?: PublishedCounts;
  readonly sources: readonly Citation[];
  readonly notes: string;
}

/** Sampling that a checkpoint recommends; what it does not state is absent. */
export interface Generation {
  /** Share of probability that is kept. */
  readonly topP?: number;
  /** Tokens that are kept. */
  readonly topK?: number;
  readonly citation: Citation;
}

export interface LayerGroup {
  readonly count: number;
  readonly mixer: Mixer;
  readonly feedForward: FeedForward;
  /** Per layer: norms, biases, sinks, gates that are vectors. */
  readonly vectorParameters: number;
  /** Attention and MLP read the same input and share one all-reduce (GPT-J, Falcon, Cohere). */
  readonly parallelBlocks: boolean;
}

/** What mixes tokens in a layer. */
export type Mixer = Attention | LatentAttention | Recurrent | { readonly kind: 'none' };

/** MHA, GQA, MQA; windowed or chunked where `window` says so. */
export interface Attention {
  readonly kind: 'attention';
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly keySize: number;
  readonly valueSize: number;
  /** Tokens that a query may look back; absent = all. */
  readonly window?: number;
  /** Chunked attention: a query sees only its own chunk of `window` tokens. */
  readonly chunked: boolean;
  /** Query projection is doubled by an output gate (Qwen3-Next). */
  readonly gated: boolean;
  /** `own`: the layer has K and V; `key-is-value`: V reuses K's projection; `shared`: both come from an earlier layer. */
  readonly keyValue: 'own' | 'key-is-value' | 'shared';
  /** Share of tokens actually attended by a learned selector (1 = dense). `indexer` gives its cost. */
  readonly sparse?: SparseSelector;
  /** Low-rank projections and a cache compressed in time (DeepSeek-V4); absent = plain projections, one entry a token. */
  readonly compressed?: CompressedAttention;
}

/**
 * DeepSeek-V4: query and output through low ranks, one vector that is both K and V, and beyond a local window one
 * cached entry for several tokens.
 */
export interface CompressedAttention {
  readonly queryRank: number;
  /** Output: each of `outputGroups` groups of heads goes to `outputRank`, then all together to the hidden size. */
  readonly outputRank: number;
  readonly outputGroups: number;
  /** Tokens per cached entry; 0 = the layer sees its local window only. */
  readonly tokensPerEntry: number;
  /** Tokens kept uncompressed. */
  readonly localWindow: number;
  /** Elements of the further matrices that every token multiplies: compressors and hyper-connections. */
  readonly auxiliaryParameters: number;
}

/** Multi-head latent attention: one latent a token, shared by all heads. */
export interface LatentAttention {
  readonly kind: 'latent-attention';
  readonly heads: number;
  /** Rank of the query compression; absent = direct projection. */
  readonly queryRank?: number;
  readonly keyValueRank: number;
  readonly nopeSize: number;
  readonly ropeSize: number;
  readonly valueSize: number;
  readonly sparse?: SparseSelector;
}

/** A selector that limits how many tokens a query attends to (DeepSeek sparse attention and kin). */
export interface SparseSelector {
  /** Tokens attended at most. */
  readonly topTokens: number;
  /** Selector heads and their size; 0 heads where the layer reuses another layer's choice. */
  readonly heads: number;
  readonly headSize: number;
}

/** Layers that keep a fixed state instead of a KV cache. Parameters of their matrices by part. */
export interface Recurrent {
  readonly kind: 'recurrent';
  readonly variant: 'mamba1' | 'mamba2' | 'gated-delta' | 'lightning' | 'kda' | 'short-convolution';
  /** Projections in and out: elements of all matrices that multiply every token. */
  readonly matrixParameters: number;
  /** State elements per sequence, kept in 4 bytes. */
  readonly stateElements: number;
  /** Convolution tail per sequence, elements in 2 bytes. */
  readonly convolutionElements: number;
  /** FLOPs per token of the recurrence itself, beyond the projections. */
  readonly recurrenceFlops: number;
}

export type FeedForward =
  | { readonly kind: 'dense'; readonly width: number; readonly gated: boolean }
  | Experts
  /** A matrix in place of the MLP (NAS-pruned models). */
  | { readonly kind: 'linear' }
  | { readonly kind: 'none' };

export interface Experts {
  readonly kind: 'experts';
  readonly experts: number;
  readonly active: number;
  readonly width: number;
  readonly gated: boolean;
  /** Summed width of the experts that every token visits; 0 = none. */
  readonly sharedWidth: number;
  /** Experts work at this width behind two projections; absent = hidden size. */
  readonly latentSize?: number;
  /** A dense MLP beside the experts in the same layer (Gemma 4 MoE): its width; 0 = none. */
  readonly denseWidth: number;
  /** Biases and scales inside each expert (gpt-oss): parameters per expert. */
  readonly vectorParametersPerExpert: number;
  /** One selection bias per expert, a buffer that some published counts leave out (scope `noebias`). */
  readonly routerBias?: boolean;
}

/** Formats by part of the model, names of `numberFormat`. */
export interface Checkpoint {
  /** Matrices of layers, where no more special entry applies. */
  readonly layers: string;
  readonly attention?: string;
  readonly experts?: string;
  readonly sharedExperts?: string;
  readonly embedding?: string;
  readonly head?: string;
  readonly activations?: string;
  readonly keyValue?: string;
}

/** Published figures that the derived ones must equal. */
export interface PublishedCounts {
  readonly total?: number;
  readonly active?: number;
  /** `exact` or the tolerance as a fraction. */
  readonly tolerance: 'exact' | number;
  /** What the published total includes: `lm`, `lm+mtp`, `lm+vision` ... */
  readonly scope: string;
  readonly citation: Citation;
}
