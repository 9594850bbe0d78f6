import type { Attention, SparseSelector } from '../../profile/model.ts';
import { headCount, headSize, hiddenSize, keyValueHeadCount } from './dimensions.ts';
import type { MixerPart } from './family.ts';
import { type Fields, maybeWhole, whole } from './fields.ts';
import { type LayerKind, windowSize } from './layer-kinds.ts';
import { ConfigurationError, wrongField } from './messages.ts';

/** Which of the four attention projections carry a bias. */
export interface AttentionBias {
  readonly queryKeyValue: boolean;
  readonly output: boolean;
}

export const noBias: AttentionBias = { queryKeyValue: false, output: false };

/** Norms of queries and keys: `head` one weight per head dimension; `heads` one per dimension of all heads. */
export type QueryKeyNorm = 'none' | 'head' | 'heads';

export interface AttentionTraits {
  readonly bias: AttentionBias;
  readonly queryKeyNorm: QueryKeyNorm;
  /** One learned sink per query head (gpt-oss). */
  readonly sinks: boolean;
  readonly gated: boolean;
}

export interface HeadShape {
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly keySize: number;
  readonly valueSize: number;
}

export function headShape(fields: Fields): HeadShape {
  const size = headSize(fields);
  if (!Number.isInteger(size)) {
    throw new ConfigurationError(
      wrongField(
        fields.where,
        'num_attention_heads',
        headCount(fields),
        `a divisor of the width ${hiddenSize(fields)}`,
      ),
    );
  }
  const heads = headCount(fields);
  const keyValueHeads = keyValueHeadCount(fields);
  if (heads % keyValueHeads !== 0) {
    throw new ConfigurationError(
      wrongField(fields.where, 'num_key_value_heads', keyValueHeads, `a divisor of the ${heads} attention heads`),
    );
  }
  return { heads, keyValueHeads, keySize: size, valueSize: maybeWhole(fields, ['v_head_dim'], 0) || size };
}

/** One attention layer with its biases, norms and sinks. */
export function attentionPart(
  fields: Fields,
  shape: HeadShape,
  kind: LayerKind,
  traits: AttentionTraits,
  keyValue: Attention['keyValue'] = 'own',
): MixerPart {
  const window = kind === 'window' ? windowSize(fields) : kind === 'chunk' ? chunkSize(fields) : undefined;
  const mixer: Attention = {
    kind: 'attention',
    ...shape,
    ...(window === undefined ? {} : { window }),
    chunked: kind === 'chunk',
    gated: traits.gated,
    keyValue,
  };
  return { mixer, vectors: attentionVectors(hiddenSize(fields), mixer, traits) };
}

export function attentionVectors(width: number, mixer: Attention, traits: AttentionTraits): number {
  const queries = mixer.heads * mixer.keySize * (mixer.gated ? 2 : 1);
  const owns = mixer.keyValue !== 'shared';
  const keys = owns ? mixer.keyValueHeads * mixer.keySize : 0;
  const values = mixer.keyValue === 'own' ? mixer.keyValueHeads * mixer.valueSize : 0;
  const norms = {
    none: 0,
    head: mixer.keySize * (owns ? 2 : 1),
    heads: (mixer.heads + mixer.keyValueHeads) * mixer.keySize,
  }[traits.queryKeyNorm];
  return (
    (traits.bias.queryKeyValue ? queries + keys + values : 0) +
    (traits.bias.output ? width : 0) +
    norms +
    (traits.sinks ? mixer.heads : 0)
  );
}

/** DeepSeek's indexer, where the configuration has one. */
export function sparseSelector(fields: Fields, owns: boolean): SparseSelector | undefined {
  const topTokens = maybeWhole(fields, ['index_topk']);
  if (topTokens === undefined) return undefined;
  const heads = whole(fields, ['index_n_heads'], 'the heads of the token selector');
  const size = whole(fields, ['index_head_dim'], 'the head size of the token selector');
  return { topTokens, heads: owns ? heads : 0, headSize: size };
}

function chunkSize(fields: Fields): number {
  return whole(fields, ['attention_chunk_size'], 'the tokens of a chunk');
}
