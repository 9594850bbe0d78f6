import type { Recurrent } from '../../profile/model.ts';
import type { BlockContext } from './block-context.ts';
import { elementsOf, inputs, outputs, type TensorShelf } from './tensor-shelf.ts';

/**
 * FLOPs of one step of a recurrence per element of its state: decay and addition (2), outer product of the input (2),
 * read-out (2); the delta rule reads the state once more (2). The same counts as for configuration files.
 */
const flopsPerStateElement = { mamba1: 6, mamba2: 6, 'gated-delta': 8, kda: 8 };

/** A layer with a fixed state in place of a KV cache. Tensors: llama.cpp src/models/{mamba,qwen3next,kimi-linear,lfm2}.cpp, 2026. */
export function recurrentOfBlock(shelf: TensorShelf, context: BlockContext): Recurrent {
  if (shelf.has('shortconv.out_proj.weight')) return shortConvolution(shelf);
  if (shelf.has('ssm_conv1d_q.weight')) return deltaAttention(shelf, context);
  if (shelf.has('ssm_x.weight')) return mamba(shelf, context, 'mamba1', ['ssm_in', 'ssm_x', 'ssm_dt', 'ssm_out']);
  if (shelf.has('ssm_d') || shelf.has('ssm_d.weight')) return mamba(shelf, context, 'mamba2', ['ssm_in', 'ssm_out']);
  return mamba(shelf, context, 'gated-delta', deltaMatrices);
}

/** `ssm_ba` and `ssm_in` are the fused forms of `ssm_alpha`, `ssm_beta` and `attn_qkv`, `attn_gate`. */
const deltaMatrices = ['ssm_in', 'attn_qkv', 'attn_gate', 'ssm_ba', 'ssm_alpha', 'ssm_beta', 'ssm_out'];

function mamba(
  shelf: TensorShelf,
  { keys }: BlockContext,
  variant: 'mamba1' | 'mamba2' | 'gated-delta',
  matrices: readonly string[],
): Recurrent {
  const convolution = shelf.need('ssm_conv1d.weight', 'other');
  // Mamba: inner channels x state; delta rule: value heads x value size x key size, and inner = value heads x value size.
  const stateElements = keys.required('ssm.inner_size') * keys.required('ssm.state_size');
  return {
    kind: 'recurrent',
    variant,
    matrixParameters: elementsOf(matrices.flatMap((name) => shelf.take(`${name}.weight`, 'attention') ?? [])),
    stateElements,
    convolutionElements: (inputs(convolution) - 1) * outputs(convolution),
    recurrenceFlops: flopsPerStateElement[variant] * stateElements + 2 * convolution.elements,
  };
}

/** Kimi's delta attention: three convolutions, a decay per channel, state heads x size x size. */
function deltaAttention(shelf: TensorShelf, { keys }: BlockContext): Recurrent {
  const convolutions = ['q', 'k', 'v'].map((part) => shelf.need(`ssm_conv1d_${part}.weight`, 'other'));
  const names = [
    'attn_q',
    'attn_k',
    'attn_v',
    'ssm_f_a',
    'ssm_f_b',
    'ssm_beta',
    'ssm_g_a',
    'ssm_g_b',
    'attn_output',
    'ssm_out',
  ];
  const size = keys.required('kda.head_dim');
  const stateElements = keys.requiredOfLayer('attention.head_count', shelf.layer) * size * size;
  return {
    kind: 'recurrent',
    variant: 'kda',
    matrixParameters: elementsOf(names.flatMap((name) => shelf.take(`${name}.weight`, 'attention') ?? [])),
    stateElements,
    // [kernel, 1, channels]: the kernel's last element is the token itself.
    convolutionElements: convolutions.reduce(
      (sum, tensor) => sum + tensor.elements - tensor.elements / inputs(tensor),
      0,
    ),
    recurrenceFlops: flopsPerStateElement.kda * stateElements + 2 * elementsOf(convolutions),
  };
}

/** LFM2: a gated convolution over the last few tokens, whose tail is all the state there is. */
function shortConvolution(shelf: TensorShelf): Recurrent {
  const convolution = shelf.need('shortconv.conv.weight', 'other');
  const projections = [
    shelf.need('shortconv.in_proj.weight', 'attention'),
    shelf.need('shortconv.out_proj.weight', 'attention'),
  ];
  return {
    kind: 'recurrent',
    variant: 'short-convolution',
    matrixParameters: elementsOf(projections),
    stateElements: 0,
    convolutionElements: (inputs(convolution) - 1) * outputs(convolution),
    recurrenceFlops: 2 * convolution.elements,
  };
}
