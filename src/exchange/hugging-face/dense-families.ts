import { attentionPart, headShape } from './attention.ts';
import { headCount, headSize, hiddenSize, keyValueHeadCount, mlpWidth } from './dimensions.ts';
import type { Family, MixerPart } from './family.ts';
import { densePart } from './feed-forward.ts';
import { type Fields, flag, wholeList } from './fields.ts';
import { everyNthFull, lateWindowed, type LayerKind, neverWindowed } from './layer-kinds.ts';
import { decoderModules } from './multi-token.ts';
import {
  attentionTraits,
  biases,
  fixed,
  fourBiases,
  threeBiases,
  transformer,
  type TransformerTraits,
} from './transformer.ts';

/** RMSNorm before attention and MLP, gated MLP, no biases unless stated: the common form. */
export const llamaLike: TransformerTraits = {
  norm: 'rms',
  normsPerLayer: fixed(2),
  gated: true,
  bias: fourBiases,
  mlpBias: (fields) => flag(fields, ['mlp_bias'], false),
};

/** Qwen 2: biases on query, key and value that no field announces. */
const qwen2: TransformerTraits = { ...llamaLike, bias: biases(true, false), kinds: lateWindowed };
const qwen3: TransformerTraits = { ...llamaLike, queryKeyNorm: fixed('head'), kinds: lateWindowed };

/** Norms of query and key over all heads together, norms after the blocks. */
const olmo2: TransformerTraits = { ...llamaLike, queryKeyNorm: fixed('heads') };

const cohere: TransformerTraits = {
  ...llamaLike,
  norm: 'layer-without-bias',
  normsPerLayer: fixed(1),
  parallel: fixed(true),
  queryKeyNorm: (fields) => (flag(fields, ['use_qk_norm'], false) ? 'heads' : 'none'),
};

/** StableLM 2 12B: norms of query and key per head, and one norm for parallel blocks. */
const stablelm: TransformerTraits = {
  ...llamaLike,
  norm: 'layer',
  normsPerLayer: (fields) => (stablelmParallel(fields) ? 1 : 2),
  bias: (fields) => ({ queryKeyValue: flag(fields, ['use_qkv_bias'], false), output: false }),
  parallel: stablelmParallel,
  layerVectors: (fields) =>
    flag(fields, ['qk_layernorm'], false) ? (headCount(fields) + keyValueHeadCount(fields)) * headSize(fields) : 0,
};

function stablelmParallel(fields: Fields): boolean {
  return flag(fields, ['use_parallel_residual'], false);
}

/** Llama-shaped dense transformers. */
export const denseFamilies: readonly Family[] = [
  {
    types: ['llama', 'LLaMAForCausalLM', 'aquila', 'xverse', 'smollm3', 'yi'],
    tied: false,
    build: transformer({ ...llamaLike, kinds: neverWindowed }),
  },
  { types: ['mistral', 'mistral3', 'ministral', 'ministral3'], tied: false, build: transformer(llamaLike) },
  // Projections are fused (qkv_proj, gate_up_proj): the same number of elements.
  {
    types: ['phi3'],
    tied: false,
    build: transformer({ ...llamaLike, headBias: (fields) => flag(fields, ['lm_head_bias'], false) }),
  },
  { types: ['internlm'], tied: 'never', build: transformer(llamaLike) },
  { types: ['internlm2', 'internlm3'], tied: false, build: transformer(llamaLike) },
  { types: ['baichuan'], tied: 'never', build: transformer({ ...llamaLike, kinds: neverWindowed }) },
  { types: ['orion'], tied: 'never', build: transformer({ ...llamaLike, norm: 'layer' }) },
  { types: ['minicpm'], tied: true, build: transformer({ ...llamaLike, kinds: neverWindowed }) },
  { types: ['granite'], tied: true, build: transformer(llamaLike) },
  {
    types: ['seed_oss'],
    tied: false,
    build: transformer({
      ...llamaLike,
      bias: (fields) => ({
        queryKeyValue: flag(fields, ['attention_bias'], true),
        output: flag(fields, ['attention_out_bias'], false),
      }),
    }),
  },
  // Intermediate size counts both halves of the gated MLP.
  {
    types: ['qwen'],
    tied: 'never',
    build: transformer({
      ...llamaLike,
      bias: biases(true, false),
      block: (fields) => densePart(fields, true, false, mlpWidth(fields) / 2),
    }),
  },
  {
    types: ['qwen2', 'qwen2_vl', 'qwen2_5_vl', 'qwen2_vl_text', 'qwen2_5_vl_text'],
    tied: false,
    build: transformer(qwen2),
  },
  { types: ['qwen3', 'qwen3_vl', 'qwen3_vl_text'], tied: false, build: transformer(qwen3) },
  {
    types: ['mimo'],
    tied: false,
    build: transformer({ ...llamaLike, bias: threeBiases, kinds: lateWindowed, multiToken: decoderModules(false) }),
  },
  { types: ['olmo2', 'olmo3'], tied: false, build: transformer(olmo2) },
  { types: ['olmo'], tied: false, build: transformer({ ...llamaLike, norm: 'weightless' }) },
  { types: ['cohere'], tied: true, build: transformer({ ...cohere, kinds: neverWindowed }) },
  { types: ['cohere2'], tied: true, build: transformer({ ...cohere, kinds: everyNthFull(4) }) },
  { types: ['stablelm', 'stablelm_epoch'], tied: false, build: transformer(stablelm) },
  { types: ['glm'], tied: false, build: transformer({ ...llamaLike, bias: threeBiases }) },
  // Norms before and after both blocks.
  { types: ['glm4'], tied: false, build: transformer({ ...llamaLike, bias: threeBiases, normsPerLayer: fixed(4) }) },
  {
    types: ['starcoder2'],
    tied: true,
    build: transformer({
      ...llamaLike,
      norm: 'layer',
      gated: false,
      bias: (fields) => both(flag(fields, ['use_bias'], true)),
      mlpBias: (fields) => flag(fields, ['use_bias'], true),
    }),
  },
  // Nemotron (Minitron): LayerNorm with weight and bias, squared ReLU without a gate.
  { types: ['nemotron'], tied: false, build: transformer({ ...llamaLike, norm: 'layer', gated: false }) },
  // Scaled embeddings in, cross-attention layers left out of the text cache: see `mllama`.
  {
    types: ['mllama', 'mllama_text_model'],
    tied: false,
    build: transformer({
      ...llamaLike,
      mixer: mllamaMixer,
      lookups: (fields) => 8 * hiddenSize(fields),
      notes: () => ['Cross-attention layers are run for images only: they hold no text cache.'],
    }),
  },
];

/**
 * Cross-attention layers (`cross_attention_layers`) take keys and values from an image: no text cache. Their key and
 * value projections are stored, but a text token never multiplies them; two norms and two scalar gates besides.
 */
function mllamaMixer(fields: Fields, _kind: LayerKind, index: number): MixerPart | undefined {
  if (!(wholeList(fields, 'cross_attention_layers') ?? []).includes(index)) return undefined;
  const shape = headShape(fields);
  const part = attentionPart(fields, shape, 'full', attentionTraits(fields, llamaLike, 'full'), 'shared');
  const stored = 2 * hiddenSize(fields) * shape.keyValueHeads * shape.keySize;
  return { mixer: part.mixer, vectors: part.vectors + stored + 2 * shape.keySize + 2 };
}

function both(all: boolean): { readonly queryKeyValue: boolean; readonly output: boolean } {
  return { queryKeyValue: all, output: all };
}
