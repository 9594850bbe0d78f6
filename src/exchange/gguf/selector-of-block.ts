import type { SparseSelector } from '../../profile/model.ts';
import type { GgufKeys } from './gguf-keys.ts';
import type { TensorShelf } from './tensor-shelf.ts';

/** DeepSeek's indexer; layers without its tensors reuse an earlier layer's choice. */
export function selectorOfBlock(shelf: TensorShelf, keys: GgufKeys): SparseSelector | undefined {
  const topTokens = keys.optional('attention.indexer.top_k');
  if (topTokens === undefined || topTokens === 0) return undefined;
  const headSize = keys.required('attention.indexer.key_length');
  const query = shelf.take('indexer.attn_q_b.weight', 'attention');
  if (query === undefined) return { topTokens, heads: 0, headSize };
  shelf.take('indexer.attn_k.weight', 'attention');
  shelf.take('indexer.proj.weight', 'attention');
  return { topTokens, heads: keys.required('attention.indexer.head_count'), headSize };
}
