import type { LatentAttention } from '../../profile/model.ts';
import type { BlockContext } from './block-context.ts';
import { GgufError } from './gguf-error.ts';
import * as messages from './messages.ts';
import { selectorOfBlock } from './selector-of-block.ts';
import { expectShape, inputs, outputs, type TensorShelf, wholeShare } from './tensor-shelf.ts';

/** Shapes: llama.cpp src/models/deepseek2.cpp, 2026 (attn_kv_b in older files, attn_k_b and attn_v_b in newer ones). */
export function latentAttentionOfBlock(shelf: TensorShelf, context: BlockContext): LatentAttention {
  const { keys, hiddenSize, where } = context;
  const heads = keys.requiredOfLayer('attention.head_count', shelf.layer);
  const keyValueRank = keys.required('attention.kv_lora_rank');
  const down = shelf.need('attn_kv_a_mqa.weight', 'attention');
  const ropeSize = outputs(down) - keyValueRank;
  const queryDown = shelf.take('attn_q_a.weight', 'attention');
  const queryRank = queryDown === undefined ? undefined : outputs(queryDown);
  const query = shelf.need(queryDown === undefined ? 'attn_q.weight' : 'attn_q_b.weight', 'attention');
  const headWise = 'outputs in whole heads, as attention.head_count says';
  const nopeSize = wholeShare(query, outputs(query), heads, headWise, where) - ropeSize;
  const output = shelf.need('attn_output.weight', 'attention');
  const valueSize = wholeShare(
    output,
    inputs(output),
    heads,
    'inputs in whole heads, as attention.head_count says',
    where,
  );
  expectShape(down, [hiddenSize, keyValueRank + ropeSize], where);
  if (ropeSize < 0 || nopeSize < 1) {
    throw new GgufError(
      messages.shapeMismatch(
        where,
        down.name,
        down.dimensions,
        'attention.kv_lora_rank and the rotated part as outputs',
      ),
    );
  }
  expectShape(query, [queryRank ?? hiddenSize, heads * (nopeSize + ropeSize)], where);
  expectShape(output, [heads * valueSize, hiddenSize], where);
  takeKeyValueUp(shelf, { heads, keyValueRank, nopeSize, valueSize }, where);
  const sparse = selectorOfBlock(shelf, context, queryRank ?? hiddenSize, false);
  return {
    kind: 'latent-attention',
    heads,
    ...(queryRank === undefined ? {} : { queryRank }),
    keyValueRank,
    nopeSize,
    ropeSize,
    valueSize,
    ...(sparse === undefined ? {} : { sparse }),
  };
}

function takeKeyValueUp(
  shelf: TensorShelf,
  shape: {
    readonly heads: number;
    readonly keyValueRank: number;
    readonly nopeSize: number;
    readonly valueSize: number;
  },
  where: string,
): void {
  const { heads, keyValueRank, nopeSize, valueSize } = shape;
  const fused = shelf.take('attn_kv_b.weight', 'attention');
  if (fused !== undefined) {
    expectShape(fused, [keyValueRank, heads * (nopeSize + valueSize)], where);
    return;
  }
  for (const [name, size] of [['attn_k_b.weight', nopeSize] as const, ['attn_v_b.weight', valueSize] as const]) {
    const tensor = shelf.need(name, 'attention');
    if (tensor.elements !== heads * keyValueRank * size) {
      const expected = `${heads} heads x ${keyValueRank} x ${size} elements`;
      throw new GgufError(messages.shapeMismatch(where, tensor.name, tensor.dimensions, expected));
    }
  }
}
