import { contextLimit } from './dimensions.ts';
import { flag, type Fields, list, maybeWhole, raw, wholeList } from './fields.ts';
import { ConfigurationError, unknownEntry, wrongLength } from './messages.ts';

/** What a layer's mixer looks at. */
export type LayerKind = 'full' | 'window' | 'chunk' | 'recurrent';

/** Entries of `layer_types` (and the older spellings) by what they mean. */
const kindByWord: Readonly<Record<string, LayerKind>> = {
  full_attention: 'full',
  attention: 'full',
  deepseek_sparse_attention: 'full',
  global: 'full',
  sliding_attention: 'window',
  chunked_attention: 'chunk',
  linear_attention: 'recurrent',
  mamba: 'recurrent',
  conv: 'recurrent',
};

/** The attention kinds of all layers where a family has no rule of its own. */
export function layerKinds(fields: Fields, layers: number, pattern?: LayerPattern): readonly LayerKind[] {
  return statedKinds(fields, layers) ?? pattern?.(fields, layers) ?? everyLayer(layers, windowKind(fields));
}

export type LayerPattern = (fields: Fields, layers: number) => readonly LayerKind[];

/** Tokens of the window, or undefined where there is none or it exceeds the context, so that it never bites. */
export function windowSize(fields: Fields): number | undefined {
  const size = maybeWhole(
    fields,
    ['sliding_window', 'sliding_window_size', 'sliding_window_attention_size', 'window_size'],
    0,
  );
  const limit = contextLimit(fields);
  return size === undefined || size === 0 || (limit !== undefined && size >= limit) ? undefined : size;
}

/** Every n-th layer full, the others windowed (Gemma 3: 6; Cohere 2: 4). */
export function everyNthFull(otherwise: number): LayerPattern {
  return (fields, layers) => {
    const period = maybeWhole(fields, ['sliding_window_pattern', '_sliding_window_pattern']) ?? otherwise;
    return windowed(fields, layers, (index) => (index + 1) % period !== 0);
  };
}

/** Gemma 2 and gpt-oss: even layers windowed, odd ones full. */
export const evenWindowed: LayerPattern = (fields, layers) => windowed(fields, layers, (index) => index % 2 === 0);

/** Qwen 2 and 3: `use_sliding_window`, then only from `max_window_layers` on. */
export const lateWindowed: LayerPattern = (fields, layers) => {
  if (!flag(fields, ['use_sliding_window'], false)) return everyLayer(layers, 'full');
  const first = maybeWhole(fields, ['max_window_layers'], 0) ?? layers;
  return windowed(fields, layers, (index) => index >= first);
};

/** Files of these families carry a window that the model does not use. */
export const neverWindowed: LayerPattern = (_fields, layers) => everyLayer(layers, 'full');

/** Qwen3-Next and Qwen3.5: every `full_attention_interval`-th layer is full, the others recurrent. */
export const everyNthAttention: LayerPattern = (fields, layers) => {
  const interval = maybeWhole(fields, ['full_attention_interval']) ?? 4;
  return fromRule(layers, (index) => ((index + 1) % interval === 0 ? 'full' : 'recurrent'));
};

/** Llama 4: layers without rotary positions are full, the others chunked; an empty list means every fourth. */
export const chunkedUnlessNoRope: LayerPattern = (fields, layers) => {
  if (maybeWhole(fields, ['attention_chunk_size']) === undefined) return everyLayer(layers, 'full');
  const rope = wholeList(fields, 'no_rope_layers');
  const usable = rope !== undefined && rope.length > 0 ? ofLength(fields, 'no_rope_layers', rope, layers) : undefined;
  const interval = maybeWhole(fields, ['no_rope_layer_interval']) ?? 4;
  // The list holds 1 where rotary positions are used, whatever its name says.
  return fromRule(layers, (index) => {
    const usesRope = usable === undefined ? (index + 1) % interval !== 0 : usable[index] === 1;
    return usesRope ? 'chunk' : 'full';
  });
};

/** GPT-Neo: `attention_layers` of `global` and `local`. */
export const globalAndLocal: LayerPattern = (fields, layers) => {
  const stated = list(fields, 'attention_layers');
  return fromRule(layers, (index) =>
    (stated?.[index] ?? (index % 2 === 0 ? 'global' : 'local')) === 'global' ? 'full' : 'window',
  );
};

export function everyLayer(layers: number, kind: LayerKind): readonly LayerKind[] {
  return Array.from({ length: layers }, () => kind);
}

export function fromRule(layers: number, rule: (index: number) => LayerKind): readonly LayerKind[] {
  return Array.from({ length: layers }, (_, index) => rule(index));
}

/** The list, checked to have one entry per layer. Longer lists are cut: DeepSeek-V4 and MiMo add their MTP layers. */
export function ofLength<T>(fields: Fields, name: string, values: readonly T[], layers: number): readonly T[] {
  if (values.length < layers) {
    throw new ConfigurationError(wrongLength(fields.where, fields.prefix + name, values.length, layers));
  }
  return values.slice(0, layers);
}

function statedKinds(fields: Fields, layers: number): readonly LayerKind[] | undefined {
  const hybrid = wholeList(fields, 'hybrid_layer_pattern');
  if (hybrid !== undefined) {
    // MiMo-V2: 1 marks a windowed layer.
    return ofLength(fields, 'hybrid_layer_pattern', hybrid, layers).map((entry) => (entry === 1 ? 'window' : 'full'));
  }
  const types = list(fields, 'layer_types');
  if (types === undefined) return undefined;
  return ofLength(fields, 'layer_types', types, layers).map((entry) => {
    const kind = typeof entry === 'string' && Object.hasOwn(kindByWord, entry) ? kindByWord[entry] : undefined;
    if (kind === undefined) {
      throw new ConfigurationError(unknownEntry(fields.where, 'layer_types', entry, Object.keys(kindByWord)));
    }
    return kind === 'window' && windowSize(fields) === undefined ? 'full' : kind;
  });
}

function windowKind(fields: Fields): LayerKind {
  return windowSize(fields) === undefined || raw(fields, 'use_sliding_window') === false ? 'full' : 'window';
}

function windowed(fields: Fields, layers: number, rule: (index: number) => boolean): readonly LayerKind[] {
  const exists = windowSize(fields) !== undefined;
  return fromRule(layers, (index) => (exists && rule(index) ? 'window' : 'full'));
}
