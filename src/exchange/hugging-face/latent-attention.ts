import type { LatentAttention } from '../../profile/model.ts';
import { sparseSelector } from './attention.ts';
import { headCount, hiddenSize } from './dimensions.ts';
import type { MixerPart } from './family.ts';
import { type Fields, list, maybeWhole, whole } from './fields.ts';
import { ofLength } from './layer-kinds.ts';

/** The indexer's key norm is a LayerNorm: weight and bias. */
const selectorNormVectors = 2;

/**
 * Multi-head latent attention of DeepSeek-V2/V3/V3.2, Kimi K2, GLM-5 and MiniCPM3. `num_key_value_heads` and
 * `head_dim` are decoys there: the cache holds `kv_lora_rank` + `qk_rope_head_dim` elements a token.
 * @param ownsSelector false where the layer reuses the selection of an earlier one (GLM-5.2 `indexer_types`).
 */
export function latentPart(fields: Fields, ownsSelector = true): MixerPart {
  const heads = headCount(fields);
  const queryRank = maybeWhole(fields, ['q_lora_rank']);
  const keyValueRank = whole(fields, ['kv_lora_rank'], 'the rank of the key-value latent');
  const sparse = sparseSelector(fields, ownsSelector);
  const mixer: LatentAttention = {
    kind: 'latent-attention',
    heads,
    ...(queryRank === undefined ? {} : { queryRank }),
    keyValueRank,
    nopeSize: whole(fields, ['qk_nope_head_dim'], 'the part of a head without rotary position'),
    ropeSize: whole(fields, ['qk_rope_head_dim'], 'the part of a head with rotary position'),
    // MiniCPM3 leaves it out.
    valueSize: maybeWhole(fields, ['v_head_dim']) ?? hiddenSize(fields) / heads,
    ...(sparse === undefined ? {} : { sparse }),
  };
  const selector = sparse === undefined || sparse.heads === 0 ? 0 : selectorNormVectors * sparse.headSize;
  return { mixer, vectors: keyValueRank + (queryRank ?? 0) + selector };
}

/** Whether a layer owns an indexer: `indexer_types` of `full` and `shared`; absent = all. */
export function selectorOwners(fields: Fields, layers: number): readonly boolean[] {
  const types = list(fields, 'indexer_types');
  if (types === undefined || types.length === 0) return Array.from({ length: layers }, () => true);
  return ofLength(fields, 'indexer_types', types, layers).map((entry) => entry !== 'shared');
}
