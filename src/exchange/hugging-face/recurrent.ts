import type { Recurrent } from '../../profile/model.ts';
import { headCount, headSize, hiddenSize } from './dimensions.ts';
import type { MixerPart } from './family.ts';
import { flag, type Fields, maybeWhole, raw, section, whole } from './fields.ts';

/**
 * FLOPs of one step of a recurrence per element of its state: decay and addition (2), outer product of the input
 * (2), read-out (2); the delta rule reads the state once more (2).
 */
const linearFlops = 6;
const deltaFlops = 8;

interface Shape {
  readonly variant: Recurrent['variant'];
  readonly matrices: number;
  readonly state: number;
  /** Channels of the short convolution and its width in tokens. */
  readonly channels: number;
  readonly kernel: number;
  readonly flopsPerState: number;
  readonly vectors: number;
}

/**
 * Mamba 1. The inner width is `intermediate_size` where stated: falcon-mamba-7b's `expand: 16` is a decoy. In
 * hybrids (`inHybrid`), `intermediate_size` is the MLP and `mamba_expand` holds.
 */
export function mamba1Part(fields: Fields, inHybrid: boolean): MixerPart {
  const width = hiddenSize(fields);
  const expanded = (maybeWhole(fields, ['mamba_expand', 'expand']) ?? 2) * width;
  const inner = inHybrid ? expanded : (maybeWhole(fields, ['intermediate_size']) ?? expanded);
  const state = maybeWhole(fields, ['mamba_d_state', 'state_size', 'ssm_state_size']) ?? 16;
  const kernel = maybeWhole(fields, ['mamba_d_conv', 'conv_kernel']) ?? 4;
  const rank = stepRank(fields, width);
  const convolutionBias = flag(fields, ['mamba_conv_bias', 'use_conv_bias'], true) ? inner : 0;
  const projectionBias = flag(fields, ['mamba_proj_bias', 'use_bias'], false) ? 2 * inner + width : 0;
  return part({
    variant: 'mamba1',
    matrices: 2 * width * inner + inner * (rank + 2 * state) + rank * inner + inner * width,
    state: inner * state,
    channels: inner,
    kernel,
    flopsPerState: linearFlops,
    // Convolution, step bias, A and D.
    vectors: inner * kernel + convolutionBias + projectionBias + inner + inner * state + inner,
  });
}

/** Mamba 2: inner width = heads x head size; `expand` is a decoy in Nemotron-H. */
export function mamba2Part(fields: Fields): MixerPart {
  const width = hiddenSize(fields);
  const heads = whole(fields, ['mamba_num_heads', 'mamba_n_heads', 'num_heads'], 'the number of state-space heads');
  const stated = maybeWhole(fields, ['mamba_head_dim', 'mamba_d_head', 'head_dim']);
  const size = stated ?? ((maybeWhole(fields, ['mamba_expand', 'expand']) ?? 2) * width) / heads;
  const inner = heads * size;
  const state = maybeWhole(fields, ['mamba_d_state', 'ssm_state_size', 'state_size']) ?? 128;
  const groups = maybeWhole(fields, ['mamba_n_groups', 'n_groups']) ?? 1;
  const kernel = maybeWhole(fields, ['mamba_d_conv', 'conv_kernel']) ?? 4;
  const channels = inner + 2 * groups * state;
  const convolutionBias = flag(fields, ['mamba_conv_bias', 'use_conv_bias'], true) ? channels : 0;
  const inputs = 2 * inner + 2 * groups * state + heads;
  const projectionBias = flag(fields, ['mamba_proj_bias', 'use_bias'], false) ? inputs + width : 0;
  return part({
    variant: 'mamba2',
    matrices: width * inputs + inner * width,
    state: inner * state,
    channels,
    kernel,
    flopsPerState: linearFlops,
    // Convolution, A, D and step bias per head, gated norm.
    vectors: channels * kernel + convolutionBias + projectionBias + 3 * heads + inner,
  });
}

/** Gated delta net of Qwen3-Next and Qwen3.5. */
export function gatedDeltaPart(fields: Fields): MixerPart {
  const width = hiddenSize(fields);
  const keyHeads = whole(fields, ['linear_num_key_heads'], 'the key heads of linear attention');
  const valueHeads = whole(fields, ['linear_num_value_heads'], 'the value heads of linear attention');
  const keySize = whole(fields, ['linear_key_head_dim'], 'the key size of linear attention');
  const valueSize = whole(fields, ['linear_value_head_dim'], 'the value size of linear attention');
  const kernel = maybeWhole(fields, ['linear_conv_kernel_dim']) ?? 4;
  const keys = keyHeads * keySize;
  const values = valueHeads * valueSize;
  const channels = 2 * keys + values;
  return part({
    variant: 'gated-delta',
    matrices: width * (2 * keys + 2 * values) + width * 2 * valueHeads + values * width,
    state: valueHeads * keySize * valueSize,
    channels,
    kernel,
    flopsPerState: deltaFlops,
    // Convolution, A and step bias per value head, gated norm.
    vectors: channels * kernel + 2 * valueHeads + valueSize,
  });
}

/** Lightning attention of MiniMax-Text-01: decay only, no convolution. */
export function lightningPart(fields: Fields): MixerPart {
  const width = hiddenSize(fields);
  const heads = headCount(fields);
  const size = headSize(fields);
  const inner = heads * size;
  return part({
    variant: 'lightning',
    matrices: width * 3 * inner + width * inner + inner * width,
    state: heads * size * size,
    channels: 0,
    kernel: 1,
    flopsPerState: linearFlops,
    vectors: inner,
  });
}

/** Kimi delta attention: decay and output gate through a rank of one head, one write strength per head. */
export function kimiDeltaPart(fields: Fields): MixerPart {
  const width = hiddenSize(fields);
  const linear = section(fields, 'linear_attn_config') ?? fields;
  const heads = whole(linear, ['num_heads'], 'the heads of linear attention');
  const size = whole(linear, ['head_dim'], 'the head size of linear attention');
  const kernel = maybeWhole(linear, ['short_conv_kernel_size']) ?? 4;
  const inner = heads * size;
  return part({
    variant: 'kda',
    matrices: 3 * width * inner + 2 * (width * size + size * inner) + width * heads + inner * width,
    state: heads * size * size,
    channels: 3 * inner,
    kernel,
    flopsPerState: deltaFlops,
    vectors: 3 * inner * kernel + heads + inner + size,
  });
}

/** Gated short convolution of LFM2: no state beyond the convolution's tail. */
export function shortConvolutionPart(fields: Fields): MixerPart {
  const width = hiddenSize(fields);
  const kernel = maybeWhole(fields, ['conv_L_cache']) ?? 3;
  const bias = flag(fields, ['conv_bias'], false);
  return part({
    variant: 'short-convolution',
    matrices: 3 * width * width + width * width,
    state: 0,
    channels: width,
    kernel,
    flopsPerState: 0,
    vectors: width * kernel + (bias ? 5 * width : 0),
  });
}

function part(shape: Shape): MixerPart {
  const mixer: Recurrent = {
    kind: 'recurrent',
    variant: shape.variant,
    matrixParameters: shape.matrices,
    stateElements: shape.state,
    convolutionElements: (shape.kernel - 1) * shape.channels,
    recurrenceFlops: shape.flopsPerState * shape.state + 2 * shape.kernel * shape.channels,
  };
  return { mixer, vectors: shape.vectors };
}

/** `auto` = a sixteenth of the width, rounded up. */
function stepRank(fields: Fields, width: number): number {
  const names = ['mamba_dt_rank', 'time_step_rank'];
  return raw(fields, ...names) === 'auto'
    ? Math.ceil(width / 16)
    : (maybeWhole(fields, names) ?? Math.ceil(width / 16));
}
