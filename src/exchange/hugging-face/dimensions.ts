import { flag, type Fields, maybeWhole, raw, section, whole } from './fields.ts';
import { ConfigurationError, wrongField } from './messages.ts';

/** Names of the same quantity, in the order to try; null counts as absent. */

export function hiddenSize(fields: Fields): number {
  return whole(fields, ['hidden_size', 'n_embd', 'n_embed', 'd_model'], 'the width of the model');
}

/** The deepest published model has 126 layers; more than this is no model. */
export const deepestModel: number = 2000;

export function layerCount(fields: Fields): number {
  const count = statedLayerCount(fields);
  if (count > deepestModel) {
    throw new ConfigurationError(
      wrongField(fields.where, 'num_hidden_layers', count, `at most ${deepestModel} layers`),
    );
  }
  return count;
}

function statedLayerCount(fields: Fields): number {
  const stated = maybeWhole(fields, ['num_hidden_layers', 'n_layer', 'num_layers', 'n_layers']);
  if (stated !== undefined) return stated;
  const pattern = raw(fields, 'hybrid_override_pattern', 'layers_block_type', 'layer_types');
  if (typeof pattern === 'string' || Array.isArray(pattern)) return pattern.length;
  return whole(fields, ['num_hidden_layers', 'n_layer', 'num_layers', 'n_layers'], 'the number of layers');
}

export function vocabulary(fields: Fields): number {
  return whole(fields, ['padded_vocab_size', 'vocab_size'], 'the rows of the embedding table');
}

/**
 * Longest context. `model_max_length` is read first: Command R+ states 131072 there beside a stale
 * `max_position_embeddings` of 8192.
 */
export function contextLimit(fields: Fields): number | undefined {
  const names = ['max_position_embeddings', 'n_positions', 'max_seq_len', 'max_sequence_length', 'seq_length', 'n_ctx'];
  return maybeWhole(fields, ['model_max_length', ...names]);
}

export function headCount(fields: Fields): number {
  return whole(fields, ['num_attention_heads', 'n_head', 'n_heads', 'num_heads'], 'the number of attention heads');
}

/**
 * Key and value heads. Falcon-7B's files say `num_kv_heads: 71` beside `multi_query: true`: without the new decoder
 * architecture multi-query wins. Absent = one per query head.
 */
export function keyValueHeadCount(fields: Fields): number {
  if (flag(fields, ['multi_query'], false) && !flag(fields, ['new_decoder_architecture'], false)) return 1;
  const groups = maybeWhole(fields, ['multi_query_group_num']);
  if (groups !== undefined && flag(fields, ['multi_query_attention'], true)) return groups;
  const inner = section(fields, 'attn_config');
  const nested = inner === undefined ? undefined : maybeWhole(inner, ['kv_n_heads']);
  return nested ?? maybeWhole(fields, ['num_key_value_heads', 'num_kv_heads', 'n_head_kv']) ?? headCount(fields);
}

export function headSize(fields: Fields): number {
  const stated = maybeWhole(fields, ['head_dim', 'attention_head_dim', 'kv_channels']);
  return stated ?? hiddenSize(fields) / headCount(fields);
}

/** Width of a dense MLP; absent = four times the width (GPT-2, BLOOM, Falcon). */
export function mlpWidth(fields: Fields): number {
  const names = ['intermediate_size', 'ffn_dim', 'n_inner', 'ffn_hidden_size', 'inner_hidden_size'];
  const stated = maybeWhole(fields, names);
  if (stated !== undefined) return stated;
  return (maybeWhole(fields, ['expansion_ratio', 'mlp_ratio']) ?? 4) * hiddenSize(fields);
}
