import type { Attention } from '../../profile/model.ts';
import type { BlockContext } from './block-context.ts';
import { selectorOfBlock } from './selector-of-block.ts';
import { elementsOf, expectShape, outputs, type TensorShelf, wholeShare } from './tensor-shelf.ts';

const auxiliary = /^(attn_compressor_(kv|gate)|indexer_compressor_(kv|gate)|hc_(attn|ffn)_fn)\.weight$/u;

/** DeepSeek-V4's attention; tensors by llama.cpp src/llama-arch.cpp (`attn_output_a`, `attn_compressor_*`, `hc_*`), 2026. */
export function compressedOfBlock(shelf: TensorShelf, context: BlockContext): Attention {
  const { keys, hiddenSize, reach, where } = context;
  const heads = keys.requiredOfLayer('attention.head_count', shelf.layer);
  const queryDown = shelf.need('attn_q_a.weight', 'attention');
  const query = shelf.need('attn_q_b.weight', 'attention');
  const keyValue = shelf.need('attn_kv.weight', 'attention');
  const outputDown = shelf.need('attn_output_a.weight', 'attention');
  const outputUp = shelf.need('attn_output_b.weight', 'attention');
  const keySize = wholeShare(
    query,
    outputs(query),
    heads,
    'outputs in whole heads, as attention.head_count says',
    where,
  );
  const outputGroups = keys.required('attention.output_group_count');
  const outputRank = keys.required('attention.output_lora_rank');
  expectShape(query, [outputs(queryDown), heads * keySize], where);
  expectShape(keyValue, [hiddenSize, keySize], where);
  expectShape(outputUp, [outputGroups * outputRank, hiddenSize], where);
  wholeShare(
    outputDown,
    outputDown.elements / (heads * keySize),
    outputRank,
    'attention.output_lora_rank outputs',
    where,
  );
  const sparse = shelf.has('indexer.attn_q_b.weight')
    ? selectorOfBlock(shelf, context, outputs(queryDown), true)
    : undefined;
  return {
    kind: 'attention',
    heads,
    keyValueHeads: 1,
    keySize,
    valueSize: keySize,
    chunked: false,
    gated: false,
    keyValue: 'key-is-value',
    ...(sparse === undefined ? {} : { sparse }),
    compressed: {
      queryRank: outputs(queryDown),
      outputRank,
      outputGroups,
      tokensPerEntry: keys.optionalOfLayer('attention.compress_ratios', shelf.layer) ?? 0,
      localWindow: reach.window ?? keys.required('attention.sliding_window'),
      auxiliaryParameters: elementsOf(shelf.takeAll((name) => auxiliary.test(name), 'attention')),
    },
  };
}
