import type { SparseSelector } from '../../profile/model.ts';
import type { BlockContext } from './block-context.ts';
import { expectShape, type TensorShelf } from './tensor-shelf.ts';

/**
 * DeepSeek's indexer; layers without its tensors reuse an earlier layer's choice.
 *
 * @param queryInputs width that its queries are computed from: the query compression, or the hidden size
 * @param compressed its keys come out of a compressor of their own (DeepSeek-V4)
 */
export function selectorOfBlock(
  shelf: TensorShelf,
  { keys, hiddenSize, where }: BlockContext,
  queryInputs: number,
  compressed: boolean,
): SparseSelector | undefined {
  const topTokens = keys.optional('attention.indexer.top_k') ?? 0;
  if (topTokens === 0) return undefined;
  const headSize = keys.required('attention.indexer.key_length');
  const query = shelf.take('indexer.attn_q_b.weight', 'attention');
  if (query === undefined) return { topTokens, heads: 0, headSize };
  const heads = keys.required('attention.indexer.head_count');
  expectShape(query, [queryInputs, heads * headSize], where);
  expectShape(shelf.need('indexer.proj.weight', 'attention'), [hiddenSize, heads], where);
  if (!compressed) expectShape(shelf.need('indexer.attn_k.weight', 'attention'), [hiddenSize, headSize], where);
  return { topTokens, heads, headSize };
}
