import { attentionPart, headShape, type HeadShape } from './attention.ts';
import { hiddenSize, layerCount, mlpWidth, vocabulary } from './dimensions.ts';
import type { BlockPart, Family, MixerPart } from './family.ts';
import { densePart, expertsPart, plainExperts } from './feed-forward.ts';
import { type Fields, flag, maybeWhole } from './fields.ts';
import { evenWindowed, everyNthFull, type LayerKind, neverWindowed } from './layer-kinds.ts';
import { fixed, transformer, type TransformerTraits } from './transformer.ts';

const gemma: TransformerTraits = { norm: 'rms', normsPerLayer: fixed(2), gated: true, kinds: neverWindowed };

/** Norms before and after both blocks. */
const gemma2: TransformerTraits = { ...gemma, normsPerLayer: fixed(4), kinds: evenWindowed };
const gemma3: TransformerTraits = { ...gemma2, queryKeyNorm: fixed('head'), kinds: everyNthFull(6) };

const gemma4: TransformerTraits = {
  ...gemma3,
  mixer: gemma4Mixer,
  block: gemma4Block,
  // Layer scalar; where layers have inputs of their own, gate and projection with a norm.
  layerVectors: (fields) =>
    1 + (perLayerSize(fields) === 0 ? 0 : 2 * hiddenSize(fields) * perLayerSize(fields) + hiddenSize(fields)),
  lookups: (fields) => perLayerRows(fields) * layerCount(fields) * perLayerSize(fields),
  projections: (fields) => hiddenSize(fields) * layerCount(fields) * perLayerSize(fields),
  embeddingVectors: perLayerSize,
};

/** Values of Gemma3TextConfig that gemma-3-4b's nine-key text_config relies on. */
const gemma3Defaults = {
  vocab_size: 262_208,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  head_dim: 256,
  sliding_window: 4096,
  max_position_embeddings: 131_072,
};

export const gemmaFamilies: readonly Family[] = [
  { types: ['gemma'], tied: true, build: transformer(gemma) },
  { types: ['gemma2'], tied: true, build: transformer(gemma2) },
  { types: ['gemma3', 'gemma3_text'], tied: true, defaults: gemma3Defaults, build: transformer(gemma3) },
  { types: ['gemma4', 'gemma4_text', 'gemma4_unified', 'gemma4_unified_text'], tied: true, build: transformer(gemma4) },
];

/**
 * Gemma 4: full layers have larger heads (`global_head_dim`), perhaps fewer key-value heads, and with
 * `attention_k_eq_v` no value projection; the last `num_kv_shared_layers` reuse earlier keys and values.
 */
function gemma4Mixer(fields: Fields, kind: LayerKind, index: number): MixerPart {
  const window = headShape(fields);
  const size = maybeWhole(fields, ['global_head_dim']) ?? window.keySize;
  const full: HeadShape = {
    heads: window.heads,
    keyValueHeads: maybeWhole(fields, ['num_global_key_value_heads']) ?? window.keyValueHeads,
    keySize: size,
    valueSize: size,
  };
  const shared = sharesKeyValue(fields, index);
  const reuses = kind === 'full' && flag(fields, ['attention_k_eq_v'], false);
  const traits = {
    bias: { queryKeyValue: false, output: false },
    queryKeyNorm: 'head' as const,
    sinks: false,
    gated: false,
  };
  return attentionPart(
    fields,
    kind === 'full' ? full : window,
    kind,
    traits,
    shared ? 'shared' : reuses ? 'key-is-value' : 'own',
  );
}

/** `enable_moe_block`: experts beside the dense MLP, with router scale, a scale per expert and three more norms. */
function gemma4Block(fields: Fields, index: number): BlockPart {
  const wide = flag(fields, ['use_double_wide_mlp'], false) && sharesKeyValue(fields, index) ? 2 : 1;
  if (!flag(fields, ['enable_moe_block'], false)) return densePart(fields, true, false, wide * mlpWidth(fields));
  const { feedForward } = expertsPart(fields, index, plainExperts);
  if (feedForward.kind !== 'experts') return densePart(fields, true);
  return {
    feedForward: { ...feedForward, denseWidth: mlpWidth(fields) },
    vectors: 4 * hiddenSize(fields) + feedForward.experts,
  };
}

function sharesKeyValue(fields: Fields, index: number): boolean {
  return index >= layerCount(fields) - (maybeWhole(fields, ['num_kv_shared_layers'], 0) ?? 0);
}

/** Width of the inputs that each layer looks up for itself (E2B, E4B); 0 = none. */
function perLayerSize(fields: Fields): number {
  return maybeWhole(fields, ['hidden_size_per_layer_input'], 0) ?? 0;
}

function perLayerRows(fields: Fields): number {
  return maybeWhole(fields, ['vocab_size_per_layer_input']) ?? vocabulary(fields);
}
