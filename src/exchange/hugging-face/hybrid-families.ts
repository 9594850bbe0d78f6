import { hiddenSize, layerCount } from './dimensions.ts';
import { llamaLike } from './dense-families.ts';
import type { Anatomy, Family, Layer, MixerPart } from './family.ts';
import { densePart, expertsPart, hasExperts, plainExperts } from './feed-forward.ts';
import { type Fields, flag, maybeWhole, section, wholeList } from './fields.ts';
import { latentPart } from './latent-attention.ts';
import { everyNthAttention, fromRule, type LayerKind } from './layer-kinds.ts';
import { attentionModule } from './multi-token.ts';
import {
  gatedDeltaPart,
  kimiDeltaPart,
  lightningPart,
  mamba1Part,
  mamba2Part,
  shortConvolutionPart,
} from './recurrent.ts';
import { fixed, transformer, type TransformerTraits } from './transformer.ts';

/** Qwen3-Next and 3.5: three gated delta nets to one attention layer with an output gate. */
const qwenNext: TransformerTraits = {
  ...llamaLike,
  kinds: everyNthAttention,
  queryKeyNorm: fixed('head'),
  gatedAttention: (fields) => flag(fields, ['attn_output_gate'], true),
  mixer: (fields, kind) => (kind === 'recurrent' ? gatedDeltaPart(fields) : undefined),
  experts: fixed({ ...plainExperts, sharedGate: true }),
  multiToken: attentionModule,
};

const jamba: TransformerTraits = {
  ...llamaLike,
  kinds: periodicAttention,
  mixer: (fields, kind) => (kind === 'recurrent' ? jambaMamba(fields) : undefined),
  experts: fixed(plainExperts),
};

/** Granite 4: Mamba 2 or attention, then shared MLP and experts; no experts in the small ones. */
const graniteHybrid: TransformerTraits = {
  ...llamaLike,
  mixer: (fields, kind) => (kind === 'recurrent' ? mamba2Part(fields) : undefined),
  block: (fields, index) =>
    hasExperts(fields)
      ? expertsPart(fields, index, plainExperts)
      : densePart(fields, true, false, maybeWhole(fields, ['shared_intermediate_size'])),
};

/** MiniMax-Text-01: `attn_type_list` holds 0 for lightning attention and 1 for softmax. */
const miniMaxText: TransformerTraits = {
  ...llamaLike,
  kinds: (fields, layers) => {
    const types = wholeList(fields, 'attn_type_list') ?? [];
    return fromRule(layers, (index) =>
      (types[index] ?? ((index + 1) % 8 === 0 ? 1 : 0)) === 0 ? 'recurrent' : 'full',
    );
  },
  mixer: (fields, kind) => (kind === 'recurrent' ? lightningPart(fields) : undefined),
  experts: fixed(plainExperts),
};

/** Kimi Linear: `full_attn_layers` counts from 1; the full layers are latent attention. */
const kimiLinear: TransformerTraits = {
  ...llamaLike,
  kinds: (fields, layers) => {
    const linear = section(fields, 'linear_attn_config');
    const full = new Set(linear === undefined ? [] : (wholeList(linear, 'full_attn_layers') ?? []));
    return fromRule(layers, (index) => (full.has(index + 1) ? 'full' : 'recurrent'));
  },
  mixer: (fields, kind) => (kind === 'recurrent' ? kimiDeltaPart(fields) : latentPart(fields)),
  experts: fixed({ ...plainExperts, routerBias: true }),
};

/** LFM2: gated short convolutions and a few attention layers with norms of query and key. */
const lfm2: TransformerTraits = {
  ...llamaLike,
  kinds: (fields, layers) => {
    const full = new Set(wholeList(fields, 'full_attn_idxs') ?? []);
    return fromRule(layers, (index) => (full.has(index) ? 'full' : 'recurrent'));
  },
  queryKeyNorm: fixed('head'),
  mixer: (fields, kind) => (kind === 'recurrent' ? shortConvolutionPart(fields) : undefined),
  block: (fields, index, sparse) =>
    sparse
      ? expertsPart(fields, index, { ...plainExperts, routerBias: flag(fields, ['use_expert_bias'], true) })
      : densePart(fields, true, false, lfm2Width(fields)),
};

/** Models that keep a fixed state in some or all of their layers. */
export const hybridFamilies: readonly Family[] = [
  { types: ['mamba'], tied: true, build: stateSpace((fields) => mamba1Part(fields, false)) },
  { types: ['falcon_mamba'], tied: false, build: stateSpace((fields) => mamba1Part(fields, false)) },
  { types: ['mamba2'], tied: false, build: stateSpace(mamba2Part) },
  { types: ['jamba'], tied: false, build: transformer(jamba) },
  { types: ['granitemoehybrid'], tied: true, build: transformer(graniteHybrid) },
  { types: ['qwen3_next'], tied: false, build: transformer(qwenNext) },
  { types: ['qwen3_5', 'qwen3_5_text', 'qwen3_5_moe', 'qwen3_5_moe_text'], tied: false, build: transformer(qwenNext) },
  { types: ['minimax_text_01', 'minimax_m1'], tied: false, build: transformer(miniMaxText) },
  { types: ['kimi_linear'], tied: false, build: transformer(kimiLinear) },
  { types: ['lfm2', 'lfm2_moe'], tied: true, build: transformer(lfm2) },
];

/** A stack of state-space layers, one norm each and no MLP. */
function stateSpace(mixerOf: (fields: Fields) => MixerPart): (fields: Fields) => Anatomy {
  return (fields) => {
    const width = hiddenSize(fields);
    const { mixer, vectors } = mixerOf(fields);
    const layer: Layer = {
      mixer,
      feedForward: { kind: 'none' },
      vectorParameters: width + vectors,
      parallelBlocks: false,
    };
    return {
      layers: Array.from({ length: layerCount(fields) }, () => layer),
      vectors: width,
      lookupParameters: 0,
      projectionParameters: 0,
      mtpParameters: 0,
      notes: [],
    };
  };
}

function jambaMamba(fields: Fields): MixerPart {
  const part = mamba1Part(fields, true);
  const state = maybeWhole(fields, ['mamba_d_state']) ?? 16;
  const rank = maybeWhole(fields, ['mamba_dt_rank']) ?? Math.ceil(hiddenSize(fields) / 16);
  // Norms of step, B and C.
  return { ...part, vectors: part.vectors + rank + 2 * state };
}

function periodicAttention(fields: Fields, layers: number): readonly LayerKind[] {
  const period = maybeWhole(fields, ['attn_layer_period']) ?? 8;
  const offset = maybeWhole(fields, ['attn_layer_offset'], 0) ?? 4;
  return fromRule(layers, (index) => (index % period === offset ? 'full' : 'recurrent'));
}

/** With `block_auto_adjust_ff_dim` two thirds of the stated width, rounded up to `block_multiple_of`. */
function lfm2Width(fields: Fields): number | undefined {
  const stated = maybeWhole(fields, ['block_ff_dim', 'intermediate_size']);
  if (stated === undefined || !flag(fields, ['block_auto_adjust_ff_dim'], false)) return stated;
  const multiple = maybeWhole(fields, ['block_multiple_of']) ?? 256;
  return Math.ceil(Math.floor((2 * stated) / 3) / multiple) * multiple;
}
