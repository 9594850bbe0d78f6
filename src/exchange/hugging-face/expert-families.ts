import type { Experts } from '../../profile/model.ts';
import { attentionPart, attentionVectors, headShape } from './attention.ts';
import { hiddenSize } from './dimensions.ts';
import { llamaLike } from './dense-families.ts';
import type { BlockPart, Family, MixerPart } from './family.ts';
import { densePart, expertsPart, plainExperts } from './feed-forward.ts';
import { type Fields, flag, maybeWhole, section, wholeList, word } from './fields.ts';
import { chunkedUnlessNoRope, evenWindowed, lateWindowed, type LayerKind, neverWindowed } from './layer-kinds.ts';
import { decoderModules } from './multi-token.ts';
import { attentionTraits, biases, fixed, threeBiases, transformer, type TransformerTraits } from './transformer.ts';

const mixtral: TransformerTraits = { ...llamaLike, experts: fixed(plainExperts) };

/** Selection biases where `topk_method`, `use_routing_bias` or `use_moe_router_bias` says so. */
const byField = {
  ...llamaLike,
  experts: (fields: Fields) => ({ ...plainExperts, routerBias: hasRouterBias(fields) }),
};

const biased: TransformerTraits = { ...llamaLike, experts: fixed({ ...plainExperts, routerBias: true }) };

const qwenShared = { ...plainExperts, sharedGate: true };

const glm45: TransformerTraits = {
  ...biased,
  bias: threeBiases,
  queryKeyNorm: (fields) => (flag(fields, ['use_qk_norm'], false) ? 'head' : 'none'),
  multiToken: decoderModules(true),
};

/** Mixtures of experts over ordinary attention. */
export const expertFamilies: readonly Family[] = [
  { types: ['mixtral'], tied: false, build: transformer(mixtral) },
  { types: ['deepseek'], tied: false, build: transformer(mixtral) },
  { types: ['olmoe'], tied: false, build: transformer({ ...mixtral, queryKeyNorm: fixed('heads') }) },
  {
    types: ['phimoe'],
    tied: false,
    build: transformer({ ...mixtral, norm: 'layer', headBias: (fields) => flag(fields, ['lm_head_bias'], false) }),
  },
  { types: ['granitemoe'], tied: true, build: transformer(mixtral) },
  {
    types: ['qwen2_moe'],
    tied: false,
    build: transformer({ ...mixtral, bias: biases(true, false), kinds: lateWindowed, experts: fixed(qwenShared) }),
  },
  {
    types: ['qwen3_moe', 'qwen3_vl_moe', 'qwen3_vl_moe_text'],
    tied: false,
    build: transformer({ ...mixtral, queryKeyNorm: fixed('head'), kinds: lateWindowed }),
  },
  { types: ['glm4_moe'], tied: false, build: transformer(glm45) },
  { types: ['dots1'], tied: false, build: transformer({ ...byField, queryKeyNorm: fixed('head') }) },
  {
    types: ['ernie4_5_moe'],
    tied: true,
    build: transformer({ ...biased, bias: (fields) => allBy(fields, 'use_bias') }),
  },
  { types: ['hunyuan_v1_moe', 'hunyuan'], tied: true, build: transformer({ ...mixtral, queryKeyNorm: hunyuanNorm }) },
  {
    types: ['minimax_m2', 'minimax'],
    tied: false,
    build: transformer({
      ...byField,
      queryKeyNorm: (fields) => (flag(fields, ['use_qk_norm'], false) ? 'heads' : 'none'),
    }),
  },
  { types: ['minimax_m3'], tied: false, build: transformer({ ...byField, mixer: blockSparse, block: minimaxDense }) },
  {
    types: ['mimo_v2_flash', 'mimo_v2'],
    tied: false,
    build: transformer({ ...byField, mixer: mimoMixer, multiToken: decoderModules(false) }),
  },
  {
    types: ['step3p5', 'step3p7'],
    tied: false,
    build: transformer({ ...byField, queryKeyNorm: fixed('head'), multiToken: decoderModules(false) }),
  },
  // Hunyuan 3.
  {
    types: ['hy_v3'],
    tied: false,
    build: transformer({
      ...biased,
      queryKeyNorm: (fields) => (flag(fields, ['qk_norm'], true) ? 'head' : 'none'),
      multiToken: decoderModules(false),
    }),
  },
  { types: ['laguna'], tied: false, build: transformer({ ...mixtral, mixer: lagunaMixer }) },
  { types: ['gpt_oss'], tied: false, build: transformer(gptOss()) },
  {
    types: ['llama4', 'llama4_text'],
    tied: false,
    build: transformer({ ...llamaLike, kinds: chunkedUnlessNoRope, block: llama4Block }),
  },
  {
    types: ['dbrx'],
    tied: false,
    build: transformer({ ...mixtral, norm: 'layer-without-bias', block: dbrxBlock, kinds: neverWindowed }),
  },
  {
    types: ['grok-1', 'grok1'],
    tied: true,
    build: transformer({ ...mixtral, normsPerLayer: fixed(4), kinds: neverWindowed }),
  },
];

/** gpt-oss: biases on everything, a sink per head, biases inside the experts and on the router. */
function gptOss(): TransformerTraits {
  return {
    ...llamaLike,
    bias: biases(true, true),
    sinks: fixed(true),
    kinds: evenWindowed,
    block: (fields, index) => {
      const part = expertsPart(fields, index, plainExperts);
      const experts = asExperts(part);
      const vectorParametersPerExpert = 2 * experts.width + hiddenSize(fields);
      return { feedForward: { ...experts, vectorParametersPerExpert }, vectors: part.vectors + experts.experts };
    },
  };
}

/** Llama 4: one shared expert of an expert's width; dense layers have a width of their own. */
function llama4Block(fields: Fields, index: number, sparse: boolean): BlockPart {
  if (!sparse) return densePart(fields, true, false, maybeWhole(fields, ['intermediate_size_mlp']));
  const part = expertsPart(fields, index, plainExperts);
  const experts = asExperts(part);
  return { ...part, feedForward: { ...experts, sharedWidth: experts.width } };
}

function dbrxBlock(fields: Fields, index: number): BlockPart {
  const inner = section(fields, 'ffn_config') ?? fields;
  const width = maybeWhole(inner, ['ffn_hidden_size']);
  return expertsPart({ ...inner, values: { ...inner.values, moe_intermediate_size: width } }, index, plainExperts);
}

function minimaxDense(fields: Fields, _index: number, sparse: boolean): BlockPart | undefined {
  return sparse ? undefined : densePart(fields, true, false, maybeWhole(fields, ['dense_intermediate_size']));
}

/**
 * MiniMax-M3: from `sparse_attention_freq` on, a selector of few heads picks blocks of tokens. Its queries and its
 * key come from the hidden state; `sparse_topk_blocks` blocks of `sparse_block_size` tokens are attended.
 */
function blockSparse(fields: Fields, kind: LayerKind, index: number): MixerPart {
  const traits = { ...attentionTraits(fields, llamaLike, kind), queryKeyNorm: 'head' as const };
  const part = attentionPart(fields, headShape(fields), kind, traits);
  const inner = section(fields, 'sparse_attention_config');
  if (inner === undefined || !flag(inner, ['use_sparse_attention'], false)) return part;
  const layers = wholeList(inner, 'sparse_attention_freq');
  if (layers?.[index] !== 1 || part.mixer.kind !== 'attention') return part;
  const sparse = {
    topTokens: (maybeWhole(inner, ['sparse_topk_blocks']) ?? 1) * (maybeWhole(inner, ['sparse_block_size']) ?? 1),
    heads: maybeWhole(inner, ['sparse_num_index_heads']) ?? 1,
    headSize: maybeWhole(inner, ['sparse_index_dim']) ?? 128,
  };
  return { mixer: { ...part.mixer, sparse }, vectors: part.vectors + 2 * sparse.headSize };
}

/** MiMo-V2: windowed layers have head counts and sizes of their own, and sinks. */
function mimoMixer(fields: Fields, kind: LayerKind): MixerPart {
  const full = headShape(fields);
  const swa = {
    heads: maybeWhole(fields, ['swa_num_attention_heads']) ?? full.heads,
    keyValueHeads: maybeWhole(fields, ['swa_num_key_value_heads']) ?? full.keyValueHeads,
    keySize: maybeWhole(fields, ['swa_head_dim']) ?? full.keySize,
    valueSize: maybeWhole(fields, ['swa_v_head_dim']) ?? full.valueSize,
  };
  const windowed = kind === 'window';
  const field = windowed ? 'add_swa_attention_sink_bias' : 'add_full_attention_sink_bias';
  const traits = {
    bias: threeBiases(fields),
    queryKeyNorm: 'none' as const,
    sinks: flag(fields, [field], false),
    gated: false,
  };
  const { mixer } = attentionPart(fields, windowed ? swa : full, kind, traits);
  return { mixer, vectors: mixer.kind === 'attention' ? attentionVectors(hiddenSize(fields), mixer, traits) : 0 };
}

/** Laguna: query heads per layer, norms of query and key, and a gate of one weight per hidden unit and head. */
function lagunaMixer(fields: Fields, kind: LayerKind, index: number): MixerPart {
  const shape = headShape(fields);
  const heads = wholeList(fields, 'num_attention_heads_per_layer')?.[index] ?? shape.heads;
  const traits = { ...attentionTraits(fields, llamaLike, kind), queryKeyNorm: 'head' as const };
  const part = attentionPart(fields, { ...shape, heads }, kind, traits);
  const gate = word(fields, 'gating') === 'per-head' ? heads * hiddenSize(fields) : 0;
  return { mixer: part.mixer, vectors: part.vectors + gate };
}

function hasRouterBias(fields: Fields): boolean {
  return (
    word(fields, 'topk_method') === 'noaux_tc' ||
    flag(fields, ['use_routing_bias', 'use_moe_router_bias', 'use_expert_bias'], false)
  );
}

function hunyuanNorm(fields: Fields): 'head' | 'none' {
  return flag(fields, ['use_qk_norm'], false) ? 'head' : 'none';
}

function allBy(fields: Fields, name: string): { readonly queryKeyValue: boolean; readonly output: boolean } {
  const all = flag(fields, [name], false);
  return { queryKeyValue: all, output: all };
}

function asExperts({ feedForward }: BlockPart): Experts {
  if (feedForward.kind !== 'experts') throw new TypeError('expertsPart made something else');
  return feedForward;
}
