import {
  type AttentionBias,
  type AttentionTraits,
  attentionPart,
  headShape,
  noBias,
  type QueryKeyNorm,
} from './attention.ts';
import { hiddenSize, layerCount, vocabulary } from './dimensions.ts';
import type { Anatomy, BlockPart, Layer, MixerPart } from './family.ts';
import { densePart, expertsPart, type ExpertTraits, hasExperts, sparseLayers } from './feed-forward.ts';
import { type Fields, flag } from './fields.ts';
import { type LayerKind, layerKinds, type LayerPattern } from './layer-kinds.ts';

/** RMSNorm and bias-free LayerNorm have one weight per hidden unit, LayerNorm two, OLMo-1's norms none. */
export type NormKind = 'rms' | 'layer' | 'layer-without-bias' | 'weightless';

export function normVectors(kind: NormKind, width: number): number {
  return { rms: width, layer: 2 * width, 'layer-without-bias': width, weightless: 0 }[kind];
}

/** What sets one family of transformers apart from the next. Absent functions mean "none of it". */
export interface TransformerTraits {
  readonly norm: NormKind;
  readonly normsPerLayer: (fields: Fields) => number;
  /** MLP with a gate projection. */
  readonly gated: boolean;
  readonly bias?: (fields: Fields) => AttentionBias;
  readonly mlpBias?: (fields: Fields) => boolean;
  readonly queryKeyNorm?: (fields: Fields) => QueryKeyNorm;
  readonly sinks?: (kind: LayerKind, fields: Fields) => boolean;
  readonly gatedAttention?: (fields: Fields) => boolean;
  /** Attention and MLP read the same input. */
  readonly parallel?: (fields: Fields) => boolean;
  readonly kinds?: LayerPattern;
  readonly experts?: (fields: Fields) => ExpertTraits;
  /** A mixer of the family's own; undefined = ordinary attention. */
  readonly mixer?: (fields: Fields, kind: LayerKind, index: number) => MixerPart | undefined;
  /** A block of the family's own; undefined = experts or dense by the configuration. */
  readonly block?: (fields: Fields, index: number, sparse: boolean) => BlockPart | undefined;
  /** Vectors of a layer beyond norms, biases and the parts' own. */
  readonly layerVectors?: (fields: Fields, layer: Layer) => number;
  /** The head has a bias of one element per row. */
  readonly headBias?: (fields: Fields) => boolean;
  /** Vectors between embedding and layers, beyond the final norm. */
  readonly embeddingVectors?: (fields: Fields) => number;
  readonly lookups?: (fields: Fields) => number;
  readonly projections?: (fields: Fields) => number;
  readonly multiToken?: (fields: Fields, layers: readonly Layer[]) => number;
  readonly notes?: (fields: Fields) => readonly string[];
}

/** Builds the reader of a family from its traits. */
export function transformer(traits: TransformerTraits): (fields: Fields) => Anatomy {
  return (fields) => {
    const width = hiddenSize(fields);
    const count = layerCount(fields);
    const kinds = layerKinds(fields, count, traits.kinds);
    const sparse = hasExperts(fields) ? sparseLayers(fields, count) : [];
    const layers = kinds.map((kind, index) => layerOf(fields, traits, kind, index, sparse[index] === true));
    return {
      layers,
      vectors:
        normVectors(traits.norm, width) +
        (traits.headBias?.(fields) === true ? vocabulary(fields) : 0) +
        (traits.embeddingVectors?.(fields) ?? 0),
      lookupParameters: traits.lookups?.(fields) ?? 0,
      projectionParameters: traits.projections?.(fields) ?? 0,
      mtpParameters: traits.multiToken?.(fields, layers) ?? 0,
      notes: traits.notes?.(fields) ?? [],
    };
  };
}

/** The attention traits that a family's fields imply for a layer of this kind. */
export function attentionTraits(fields: Fields, traits: TransformerTraits, kind: LayerKind): AttentionTraits {
  return {
    bias: traits.bias?.(fields) ?? noBias,
    queryKeyNorm: traits.queryKeyNorm?.(fields) ?? 'none',
    sinks: traits.sinks?.(kind, fields) ?? false,
    gated: traits.gatedAttention?.(fields) ?? false,
  };
}

function layerOf(fields: Fields, traits: TransformerTraits, kind: LayerKind, index: number, sparse: boolean): Layer {
  const mixer =
    traits.mixer?.(fields, kind, index) ??
    attentionPart(fields, headShape(fields), kind, attentionTraits(fields, traits, kind));
  const block = traits.block?.(fields, index, sparse) ?? blockOf(fields, traits, index, sparse);
  const norms = traits.normsPerLayer(fields) * normVectors(traits.norm, hiddenSize(fields));
  const layer: Layer = {
    mixer: mixer.mixer,
    feedForward: block.feedForward,
    vectorParameters: norms + mixer.vectors + block.vectors,
    parallelBlocks: traits.parallel?.(fields) ?? false,
  };
  const extra = traits.layerVectors?.(fields, layer) ?? 0;
  return { ...layer, vectorParameters: layer.vectorParameters + extra };
}

function blockOf(fields: Fields, traits: TransformerTraits, index: number, sparse: boolean): BlockPart {
  const experts = sparse ? traits.experts?.(fields) : undefined;
  return experts === undefined
    ? densePart(fields, traits.gated, traits.mlpBias?.(fields) ?? false)
    : expertsPart(fields, index, experts);
}

/** `attention_bias` on all four projections (Llama, Granite). */
export function fourBiases(fields: Fields): AttentionBias {
  const all = flag(fields, ['attention_bias', 'bias'], false);
  return { queryKeyValue: all, output: all };
}

/** `attention_bias` on query, key and value only (GLM-4.5, MiMo). */
export function threeBiases(fields: Fields): AttentionBias {
  return { queryKeyValue: flag(fields, ['attention_bias'], false), output: false };
}

/** Families whose projections always (`true`) or by a named field carry biases. */
export function biases(queryKeyValue: boolean, output: boolean): () => AttentionBias {
  return () => ({ queryKeyValue, output });
}

export function fixed<T>(value: T): () => T {
  return () => value;
}
