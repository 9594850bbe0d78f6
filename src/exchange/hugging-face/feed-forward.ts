import type { Experts } from '../../profile/model.ts';
import { hiddenSize, mlpWidth } from './dimensions.ts';
import type { BlockPart } from './family.ts';
import { type Fields, list, maybeWhole, raw, whole, wholeList } from './fields.ts';
import { ofLength } from './layer-kinds.ts';

const expertNames = ['num_local_experts', 'num_experts', 'n_routed_experts', 'moe_num_experts'];
const activeNames = [
  'num_experts_per_tok',
  'num_experts_per_token',
  'top_k_experts',
  'moe_top_k',
  'moe_topk',
  'moe_k',
  'experts_per_token',
  'num_selected_experts',
];
const sharedWidthNames = [
  'shared_expert_intermediate_size',
  'moe_shared_expert_intermediate_size',
  'shared_intermediate_size',
  'share_expert_dim',
];
const sharedCountNames = ['n_shared_experts', 'num_shared_experts', 'num_shared_expert', 'moe_num_shared_experts'];

export interface ExpertTraits {
  readonly gated: boolean;
  /** One selection bias per expert. */
  readonly routerBias: boolean;
  /** Qwen: the shared expert has a gate of one weight per hidden unit. */
  readonly sharedGate: boolean;
}

export const plainExperts: ExpertTraits = { gated: true, routerBias: false, sharedGate: false };

export function densePart(fields: Fields, gated: boolean, bias = false, width: number = mlpWidth(fields)): BlockPart {
  const vectors = bias ? (gated ? 2 : 1) * width + hiddenSize(fields) : 0;
  return { feedForward: { kind: 'dense', width, gated }, vectors };
}

/** Experts of layer `index`; counts and widths may be lists with one entry per layer (Hunyuan). */
export function expertsPart(fields: Fields, index: number, traits: ExpertTraits): BlockPart {
  const width =
    perLayer(fields, ['moe_intermediate_size', 'expert_intermediate_size'], index) ??
    whole(fields, ['intermediate_size'], 'the width of an expert');
  const sharedWidth =
    maybeWhole(fields, sharedWidthNames, 0) ?? (perLayer(fields, sharedCountNames, index) ?? 0) * width;
  const latentSize = maybeWhole(fields, ['moe_latent_size', 'routed_expert_hidden_size']);
  const feedForward: Experts = {
    kind: 'experts',
    experts: perLayer(fields, expertNames, index) ?? whole(fields, expertNames, 'the number of experts'),
    active: perLayer(fields, activeNames, index) ?? whole(fields, activeNames, 'the experts that a token visits'),
    width,
    gated: traits.gated,
    sharedWidth,
    ...(latentSize === undefined ? {} : { latentSize }),
    denseWidth: 0,
    vectorParametersPerExpert: 0,
    ...(traits.routerBias ? { routerBias: true } : {}),
  };
  return { feedForward, vectors: traits.sharedGate && sharedWidth > 0 ? hiddenSize(fields) : 0 };
}

export function hasExperts(fields: Fields): boolean {
  const stated = raw(fields, ...expertNames);
  return Array.isArray(stated) || (maybeWhole(fields, expertNames, 0) ?? 0) > 0;
}

/** Which layers hold experts, by whichever of the many fields the configuration uses. */
export function sparseLayers(fields: Fields, layers: number): readonly boolean[] {
  const types = list(fields, 'mlp_layer_types');
  if (types !== undefined) return ofLength(fields, 'mlp_layer_types', types, layers).map((entry) => entry === 'sparse');
  if (Array.isArray(raw(fields, 'moe_layer_freq'))) {
    const stated = wholeList(fields, 'moe_layer_freq') ?? [];
    return ofLength(fields, 'moe_layer_freq', stated, layers).map((entry) => entry === 1);
  }
  const named = wholeList(fields, 'moe_layers');
  if (named !== undefined) return byRule(layers, (index) => named.includes(index));
  return byRule(layers, sparseRule(fields));
}

function sparseRule(fields: Fields): (index: number) => boolean {
  const interleave = maybeWhole(fields, ['interleave_moe_layer_step']);
  if (interleave !== undefined) return (index) => (index + 1) % interleave === 0;
  const period = maybeWhole(fields, ['expert_layer_period']);
  if (period !== undefined) {
    const offset = maybeWhole(fields, ['expert_layer_offset'], 0) ?? 0;
    return (index) => index % period === offset;
  }
  const firstDense = maybeWhole(fields, ['first_k_dense_replace', 'num_dense_layers', 'moe_layer_start_index'], 0) ?? 0;
  const every = maybeWhole(fields, ['moe_layer_freq', 'decoder_sparse_step', 'moe_layer_interval']) ?? 1;
  const dense = new Set(wholeList(fields, 'mlp_only_layers') ?? []);
  // DeepSeek counts from layer 0, Qwen's decoder_sparse_step from layer 1.
  const origin = maybeWhole(fields, ['decoder_sparse_step']) === undefined ? 0 : 1;
  return (index) => index >= firstDense && !dense.has(index) && (index + origin) % every === 0;
}

function byRule(layers: number, rule: (index: number) => boolean): readonly boolean[] {
  return Array.from({ length: layers }, (_, index) => rule(index));
}

function perLayer(fields: Fields, names: readonly string[], index: number): number | undefined {
  if (!Array.isArray(raw(fields, ...names))) return maybeWhole(fields, names, 0);
  const values = wholeList(fields, ...names);
  return values?.[Math.min(index, values.length - 1)];
}
