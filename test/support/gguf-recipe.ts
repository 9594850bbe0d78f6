import type { WrittenFile, WrittenTensor } from './gguf-writer.ts';

/** Mixtures that `quantised` knows, with their number in `general.file_type`. */
const fileTypes = { Q4_0: 2, Q8_0: 7, Q4_K_M: 15, Q6_K: 18 };

/**
 * Gives every tensor the type that llama.cpp's quantiser would (src/llama-quant.cpp, llama_tensor_get_type, 2026) for
 * dense models: vectors stay F32; the head, or the table that serves as head, Q6_K; Q4_K_M lifts V and down to Q6_K
 * where `use_more_bits` says so; models of 80 layers with grouped queries lift the rest of V to Q5_K.
 */
export function quantised(file: WrittenFile, recipe: keyof typeof fileTypes): WrittenFile {
  const layers = 1 + Math.max(...file.tensors.map(({ name }) => Number(/^blk\.(\d+)\./.exec(name)?.[1] ?? 0)));
  const tied = !file.tensors.some(({ name }) => name === 'output.weight');
  return {
    metadata: { ...file.metadata, 'general.file_type': fileTypes[recipe] },
    tensors: file.tensors.map((tensor) => ({ ...tensor, type: typeOf(tensor, recipe, layers, tied) })),
  };
}

function typeOf(
  { name, dimensions }: WrittenTensor,
  recipe: keyof typeof fileTypes,
  layers: number,
  tied: boolean,
): string {
  if (dimensions.length === 1) return 'F32';
  if (recipe === 'Q8_0') return 'Q8_0';
  if (name === 'output.weight' || (tied && name === 'token_embd.weight')) return 'Q6_K';
  if (recipe !== 'Q4_K_M') return recipe;
  const [, layer, part] = /^blk\.(\d+)\.(.+)\.weight$/.exec(name) ?? [];
  if (part !== 'attn_v' && part !== 'ffn_down') return 'Q4_K';
  if (useMoreBits(Number(layer), layers)) return 'Q6_K';
  return part === 'attn_v' && layers === 80 ? 'Q5_K' : 'Q4_K';
}

function useMoreBits(layer: number, layers: number): boolean {
  const eighth = Math.floor(layers / 8);
  return layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2;
}
