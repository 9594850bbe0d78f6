import type { Mixer } from '../../profile/model.ts';
import { attentionOfBlock } from './attention-of-block.ts';
import type { BlockContext } from './block-context.ts';
import { compressedOfBlock } from './compressed-of-block.ts';
import { GgufError } from './gguf-error.ts';
import { latentAttentionOfBlock } from './latent-attention-of-block.ts';
import * as messages from './messages.ts';
import { recurrentOfBlock } from './recurrent-of-block.ts';
import type { TensorShelf } from './tensor-shelf.ts';

/**
 * The token mixer of a layer, from the shapes of its tensors; heads, which no shape tells, from the metadata.
 * @throws GgufError where shapes and metadata contradict each other or the layer holds a mixer without a form
 */
export function mixerOfBlock(shelf: TensorShelf, context: BlockContext): Mixer {
  const attends = ['attn_q.weight', 'attn_qkv.weight', 'attn_q_a.weight'].some((name) => shelf.has(name));
  const recurs = ['ssm_out.weight', 'ssm_conv1d_q.weight', 'shortconv.out_proj.weight'].some((name) => shelf.has(name));
  if (recurs) {
    if (shelf.has('ssm_in.weight') && attends && !shelf.has('attn_gate.weight')) {
      throw new GgufError(
        messages.unsupportedBlock(context.where, shelf.layer, 'runs attention and Mamba side by side'),
      );
    }
    return recurrentOfBlock(shelf, context);
  }
  if (shelf.has('time_mix_key.weight')) {
    throw new GgufError(messages.unsupportedBlock(context.where, shelf.layer, 'mixes tokens as RWKV does'));
  }
  if (shelf.has('attn_kv_a_mqa.weight')) return latentAttentionOfBlock(shelf, context);
  if (shelf.has('attn_output_a.weight')) return compressedOfBlock(shelf, context);
  if (attends) return attentionOfBlock(shelf, context);
  if (shelf.has('attn_output.weight')) {
    throw new GgufError(
      messages.unsupportedBlock(context.where, shelf.layer, 'has a plain matrix in place of attention'),
    );
  }
  return { kind: 'none' };
}
