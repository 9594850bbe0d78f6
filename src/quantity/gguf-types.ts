/** Source of the block layouts below, read 2026-12-01. */
export const ggmlSource = 'ggml-org/llama.cpp ggml/src/ggml-common.h, gguf-py/gguf/constants.py';

/** ik_llama.cpp's own types; they add a 16- or 32-bit scale per row, which is left out. */
export const ikSource = 'ikawrakow/ik_llama.cpp ggml/src/ggml-common.h';

// Bytes of a block and the elements in it.
const blocks: Readonly<Record<string, readonly [bytes: number, elements: number]>> = {
  f32: [4, 1],
  f16: [2, 1],
  bf16: [2, 1],
  q1_0: [18, 128],
  q2_0: [18, 64],
  q4_0: [18, 32],
  q4_1: [20, 32],
  q5_0: [22, 32],
  q5_1: [24, 32],
  q8_0: [34, 32],
  q8_1: [36, 32],
  q2_k: [84, 256],
  q3_k: [110, 256],
  q4_k: [144, 256],
  q5_k: [176, 256],
  q6_k: [210, 256],
  iq1_s: [50, 256],
  iq1_m: [56, 256],
  iq2_xxs: [66, 256],
  iq2_xs: [74, 256],
  iq2_s: [82, 256],
  iq3_xxs: [98, 256],
  iq3_s: [110, 256],
  iq4_nl: [18, 32],
  iq4_xs: [136, 256],
  tq1_0: [54, 256],
  tq2_0: [66, 256],
  mxfp4: [17, 32],
  nvfp4: [36, 64],
  iq2_k: [76, 256],
  iq3_k: [110, 256],
  iq4_ks: [136, 256],
  iq4_k: [144, 256],
  iq5_k: [176, 256],
  iq6_k: [212, 256],
};

export const ggufTypeNames: readonly string[] = Object.keys(blocks);

/**
 * Bits per element of one ggml block type, such as q4_k or iq4_xs.
 * @returns undefined where there is no such type.
 */
export function ggufTypeBits(type: string): number | undefined {
  const block = Object.hasOwn(blocks, type) ? blocks[type] : undefined;
  return block === undefined ? undefined : (block[0] * 8) / block[1];
}
