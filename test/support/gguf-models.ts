import type { WrittenFile, WrittenTensor, WrittenValue } from './gguf-writer.ts';

/**
 * Tensor lists of public models, written down from their published dimensions and the tensor names of llama.cpp
 * (src/llama-arch.cpp, src/models/*.cpp, 2026), so that tests need no file of anybody else.
 */

type Entry = readonly [name: string, ...dimensions: number[]];

/** Matrices as F16, everything with one axis as F32. */
export function ggufFile(
  architecture: string,
  keys: Readonly<Record<string, WrittenValue>>,
  outside: readonly Entry[],
  layers: readonly (readonly Entry[])[],
): WrittenFile {
  const prefixed: readonly (readonly [string, WrittenValue])[] = Object.entries({
    block_count: layers.length,
    ...keys,
  }).map(([key, value]) => [`${architecture}.${key}`, value]);
  const blocks = layers.flatMap((entries, layer) =>
    entries.map(([name, ...dimensions]): Entry => [`blk.${layer}.${name}`, ...dimensions]),
  );
  return {
    metadata: {
      'general.architecture': architecture,
      'general.name': `Test ${architecture}`,
      ...Object.fromEntries<WrittenValue>(prefixed),
    },
    tensors: [...outside, ...blocks].map(([name, ...dimensions]): WrittenTensor => ({
      name,
      dimensions,
      type: dimensions.length === 1 ? 'F32' : 'F16',
    })),
  };
}

/** The same list for every layer, or one that depends on it. */
export function repeat(count: number, entries: (layer: number) => readonly Entry[]): readonly (readonly Entry[])[] {
  return Array.from({ length: count }, (_, layer) => entries(layer));
}

export interface Shape {
  readonly hidden: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly size: number;
}

/** Q, K, V, O and the norm before them. */
export function attention({ hidden, heads, keyValueHeads, size }: Shape, queries = 1): readonly Entry[] {
  return [
    ['attn_norm.weight', hidden],
    ['attn_q.weight', hidden, queries * heads * size],
    ['attn_k.weight', hidden, keyValueHeads * size],
    ['attn_v.weight', hidden, keyValueHeads * size],
    ['attn_output.weight', heads * size, hidden],
  ];
}

export function biases({ hidden, heads, keyValueHeads, size }: Shape, output = false): readonly Entry[] {
  return [
    ['attn_q.bias', heads * size],
    ['attn_k.bias', keyValueHeads * size],
    ['attn_v.bias', keyValueHeads * size],
    ...(output ? [['attn_output.bias', hidden] as const] : []),
  ];
}

export function headNorms(size: number): readonly Entry[] {
  return [
    ['attn_q_norm.weight', size],
    ['attn_k_norm.weight', size],
  ];
}

/** Gate, up and down with the norm before them, named `norm`. */
export function gated(hidden: number, width: number, norm: string | null = 'ffn_norm'): readonly Entry[] {
  return [
    ...(norm === null ? [] : [[`${norm}.weight`, hidden] as const]),
    ['ffn_gate.weight', hidden, width],
    ['ffn_up.weight', hidden, width],
    ['ffn_down.weight', width, hidden],
  ];
}

/** Router and stacked experts. */
export function experts(hidden: number, width: number, count: number): readonly Entry[] {
  return [
    ['ffn_gate_inp.weight', hidden, count],
    ['ffn_gate_exps.weight', hidden, width, count],
    ['ffn_up_exps.weight', hidden, width, count],
    ['ffn_down_exps.weight', width, hidden, count],
  ];
}

export function sharedExpert(hidden: number, width: number): readonly Entry[] {
  return [
    ['ffn_gate_shexp.weight', hidden, width],
    ['ffn_up_shexp.weight', hidden, width],
    ['ffn_down_shexp.weight', width, hidden],
  ];
}

/** Embedding, final norm and, unless tied, a head. */
export function ends(hidden: number, vocabulary: number, tied = false): readonly Entry[] {
  return [
    ['token_embd.weight', hidden, vocabulary],
    ['output_norm.weight', hidden],
    ...(tied ? [] : [['output.weight', hidden, vocabulary] as const]),
  ];
}

export function attentionKeys(shape: Shape): Readonly<Record<string, WrittenValue>> {
  return {
    embedding_length: shape.hidden,
    'attention.head_count': shape.heads,
    'attention.head_count_kv': shape.keyValueHeads,
    'attention.key_length': shape.size,
    'attention.value_length': shape.size,
  };
}

/** A Llama or Qwen3 (`norms`) of any size; Llama 3.1 and later carry a table of rotation frequencies. */
export function llamaLike(
  shape: Shape & { readonly layers: number; readonly width: number; readonly vocabulary: number },
  options: { readonly tied?: boolean; readonly norms?: boolean; readonly frequencies?: boolean } = {},
): WrittenFile {
  const { hidden, layers, width, vocabulary } = shape;
  return ggufFile(
    options.norms === true ? 'qwen3' : 'llama',
    attentionKeys(shape),
    [
      ...ends(hidden, vocabulary, options.tied),
      ...(options.frequencies === true ? [['rope_freqs.weight', shape.size / 2] as const] : []),
    ],
    repeat(layers, () => [
      ...attention(shape),
      ...(options.norms === true ? headNorms(shape.size) : []),
      ...gated(hidden, width),
    ]),
  );
}

export const llama2With7B: WrittenFile = llamaLike({
  layers: 32,
  hidden: 4096,
  heads: 32,
  keyValueHeads: 32,
  size: 128,
  width: 11_008,
  vocabulary: 32_000,
});

export const llama31With8B: WrittenFile = llamaLike(
  { layers: 32, hidden: 4096, heads: 32, keyValueHeads: 8, size: 128, width: 14_336, vocabulary: 128_256 },
  { frequencies: true },
);

/** gpt-oss: biases in attention and experts, one sink per head, every other layer windowed. */
export function gptOss(layers: number, count: number): WrittenFile {
  const shape = { hidden: 2880, heads: 64, keyValueHeads: 8, size: 64 };
  const file = ggufFile(
    'gpt-oss',
    { ...attentionKeys(shape), expert_used_count: 4, 'attention.sliding_window': 128, context_length: 131_072 },
    ends(2880, 201_088),
    repeat(layers, () => [
      ...attention(shape),
      ...biases(shape, true),
      ['attn_sinks.weight', 64],
      ['post_attention_norm.weight', 2880],
      ...experts(2880, 2880, count),
      ['ffn_gate_inp.bias', count],
      ['ffn_gate_exps.bias', 2880, count],
      ['ffn_up_exps.bias', 2880, count],
      ['ffn_down_exps.bias', 2880, count],
    ]),
  );
  const type = ({ name, dimensions, type: plain }: WrittenTensor): string =>
    name.endsWith('exps.weight') ? 'MXFP4' : /\.bias$|gate_inp/.test(name) || dimensions.length === 1 ? 'F32' : plain;
  return { ...file, tensors: file.tensors.map((tensor) => ({ ...tensor, type: type(tensor) })) };
}

/** A public model as a GGUF file would hold it, and the parameters that others publish for it. */
export interface KnownModel {
  readonly title: string;
  readonly file: WrittenFile;
  /** Of the language model (and prediction layers), without tables of rotation frequencies. */
  readonly parameters: number;
}
