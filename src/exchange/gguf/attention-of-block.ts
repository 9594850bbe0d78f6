import type { Attention } from '../../profile/model.ts';
import type { BlockContext } from './block-context.ts';
import { GgufError } from './gguf-error.ts';
import type { GgufTensor } from './gguf-header.ts';
import * as messages from './messages.ts';
import { expectShape, outputs, type TensorShelf, wholeShare } from './tensor-shelf.ts';

/** Attention with one K and V head for each group of query heads; Q, K and V apart or fused in `attn_qkv`. */
export function attentionOfBlock(shelf: TensorShelf, context: BlockContext): Attention {
  const { keys, reach, where } = context;
  const heads = keys.requiredOfLayer('attention.head_count', shelf.layer);
  const keyValueHeads = keys.optionalOfLayer('attention.head_count_kv', shelf.layer) ?? heads;
  expectGroups(heads, keyValueHeads, shelf.layer, where);
  const sizes = shelf.has('attn_qkv.weight')
    ? fusedSizes(shelf, context, heads, keyValueHeads)
    : separateSizes(shelf, context, heads, keyValueHeads);
  const output = shelf.need('attn_output.weight', 'attention');
  expectShape(output, [heads * sizes.valueSize, context.hiddenSize], where);
  return {
    kind: 'attention',
    heads,
    keyValueHeads,
    keySize: sizes.keySize,
    valueSize: sizes.valueSize,
    ...(reach.window === undefined ? {} : { window: reach.window }),
    chunked: reach.chunked,
    gated: sizes.gated || takesGate(shelf, heads * sizes.valueSize),
    keyValue: sizes.keyValue,
  };
}

function expectGroups(heads: number, keyValueHeads: number, layer: number, where: string): void {
  if (heads < 1 || keyValueHeads < 1 || heads % keyValueHeads !== 0) {
    throw new GgufError(messages.wrongHeads(where, layer, heads, keyValueHeads));
  }
}

type Sizes = Pick<Attention, 'keySize' | 'valueSize' | 'gated' | 'keyValue'>;

function fusedSizes(shelf: TensorShelf, context: BlockContext, heads: number, keyValueHeads: number): Sizes {
  const tensor = shelf.need('attn_qkv.weight', 'attention');
  const { keySize, valueSize } = statedSizes(shelf, context, heads);
  expectShape(tensor, [context.hiddenSize, heads * keySize + keyValueHeads * (keySize + valueSize)], context.where);
  return { keySize, valueSize, gated: false, keyValue: 'own' };
}

/** Head sizes by the metadata, for tensors whose shape leaves them open. */
function statedSizes(
  { layer }: TensorShelf,
  { keys, reach, hiddenSize }: BlockContext,
  heads: number,
): { readonly keySize: number; readonly valueSize: number } {
  const stated = (part: string): number | undefined =>
    (reach.window === undefined ? undefined : keys.optionalOfLayer(`attention.${part}_length_swa`, layer)) ??
    keys.optionalOfLayer(`attention.${part}_length`, layer);
  const keySize = stated('key') ?? hiddenSize / heads;
  return { keySize, valueSize: stated('value') ?? keySize };
}

function separateSizes(shelf: TensorShelf, context: BlockContext, heads: number, keyValueHeads: number): Sizes {
  const { hiddenSize, where } = context;
  const query = shelf.need('attn_q.weight', 'attention');
  const keyClass = context.sharesKeyValue ? 'other' : 'attention';
  // Whoever reuses an earlier layer's K and V says so; only Gemma 4 leaves V out because it is K.
  const key = context.sharesKeyValue ? shelf.take('attn_k.weight', keyClass) : shelf.need('attn_k.weight', keyClass);
  const mayLackValue = context.sharesKeyValue || context.keys.architecture.startsWith('gemma4');
  const value = mayLackValue ? shelf.take('attn_v.weight', keyClass) : shelf.need('attn_v.weight', keyClass);
  const headWise = 'outputs in whole heads, as attention.head_count and head_count_kv say';
  const size = (tensor: GgufTensor): number => {
    expectShape(tensor, [hiddenSize, outputs(tensor)], where);
    return wholeShare(tensor, outputs(tensor), keyValueHeads, headWise, where);
  };
  const stated = statedSizes(shelf, context, heads);
  const keySize = key === undefined ? stated.keySize : size(key);
  const valueSize = value === undefined ? (key === undefined ? stated.valueSize : keySize) : size(value);
  const queries = wholeShare(query, outputs(query), heads * keySize, headWise, where);
  expectShape(query, [hiddenSize, heads * keySize * Math.min(queries, 2)], where);
  const own = value === undefined ? 'key-is-value' : 'own';
  const keyValue = context.sharesKeyValue ? 'shared' : own;
  return { keySize, valueSize, gated: queries === 2, keyValue };
}

/** A gate as wide as the heads' output multiplies it; narrower gates (one value a head) stay on the shelf. */
function takesGate(shelf: TensorShelf, width: number): boolean {
  const gate = shelf.has('attn_gate.weight')
    ? shelf.left().find(({ name }) => name.endsWith('.attn_gate.weight'))
    : undefined;
  return gate !== undefined && outputs(gate) === width && shelf.take('attn_gate.weight', 'attention') !== undefined;
}
