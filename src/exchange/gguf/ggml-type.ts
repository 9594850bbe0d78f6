/** How ggml stores the elements of a tensor: blocks of `blockElements` in `blockBytes`. */
export interface GgmlType {
  readonly name: string;
  readonly blockElements: number;
  readonly blockBytes: number;
  /** Whole numbers are tables (positions, token maps), not weights. */
  readonly kind: 'float' | 'quantized' | 'integer';
}

/**
 * Types by their number in a file. Numbers, block sizes and bytes: github.com/ggml-org/llama.cpp,
 * gguf-py/gguf/constants.py (GGMLQuantizationType, GGML_QUANT_SIZES), 2026. Numbers that are absent were withdrawn
 * (4, 5, 31-33, 36-38) or belong to a fork.
 */
const types: ReadonlyMap<number, GgmlType> = new Map([
  [0, float('F32', 4)],
  [1, float('F16', 2)],
  [2, quantized('Q4_0', 32, 18)],
  [3, quantized('Q4_1', 32, 20)],
  [6, quantized('Q5_0', 32, 22)],
  [7, quantized('Q5_1', 32, 24)],
  [8, quantized('Q8_0', 32, 34)],
  [9, quantized('Q8_1', 32, 36)],
  [10, quantized('Q2_K', 256, 84)],
  [11, quantized('Q3_K', 256, 110)],
  [12, quantized('Q4_K', 256, 144)],
  [13, quantized('Q5_K', 256, 176)],
  [14, quantized('Q6_K', 256, 210)],
  [15, quantized('Q8_K', 256, 292)],
  [16, quantized('IQ2_XXS', 256, 66)],
  [17, quantized('IQ2_XS', 256, 74)],
  [18, quantized('IQ3_XXS', 256, 98)],
  [19, quantized('IQ1_S', 256, 50)],
  [20, quantized('IQ4_NL', 32, 18)],
  [21, quantized('IQ3_S', 256, 110)],
  [22, quantized('IQ2_S', 256, 82)],
  [23, quantized('IQ4_XS', 256, 136)],
  [24, integer('I8', 1)],
  [25, integer('I16', 2)],
  [26, integer('I32', 4)],
  [27, integer('I64', 8)],
  [28, float('F64', 8)],
  [29, quantized('IQ1_M', 256, 56)],
  [30, float('BF16', 2)],
  [34, quantized('TQ1_0', 256, 54)],
  [35, quantized('TQ2_0', 256, 66)],
  [39, quantized('MXFP4', 32, 17)],
  [40, quantized('NVFP4', 64, 36)],
  [41, quantized('Q1_0', 128, 18)],
  [42, quantized('Q2_0', 64, 18)],
]);

/** The type of a number in a tensor description; undefined where ggml has none. */
export function ggmlType(number: number): GgmlType | undefined {
  return types.get(number);
}

/** Number of a type in a file, by name; undefined where ggml has none. */
export function ggmlTypeNumber(name: string): number | undefined {
  return [...types].find(([, type]) => type.name === name)?.[0];
}

/** Bits per element, scales included. */
export function bitsPerElement({ blockBytes, blockElements }: GgmlType): number {
  return (blockBytes * 8) / blockElements;
}

/**
 * Mixtures that `general.file_type` may name, by number: files whose tensors are of several types on purpose.
 * Source: llama.cpp include/llama.h, enum llama_ftype, 2026. Other numbers name a single type.
 */
const mixtures: ReadonlyMap<number, string> = new Map([
  [11, 'q3_k_s'],
  [12, 'q3_k_m'],
  [13, 'q3_k_l'],
  [14, 'q4_k_s'],
  [15, 'q4_k_m'],
  [16, 'q5_k_s'],
  [17, 'q5_k_m'],
  [21, 'q2_k_s'],
  [22, 'iq3_xs'],
  [27, 'iq3_m'],
  [29, 'iq2_m'],
]);

/** Name of the mixture that a file type stands for, `q4_k_m`; undefined for files of a single type and unknown numbers. */
export function mixtureName(fileType: number): string | undefined {
  return mixtures.get(fileType);
}

function float(name: string, bytes: number): GgmlType {
  return { name, blockElements: 1, blockBytes: bytes, kind: 'float' };
}

function integer(name: string, bytes: number): GgmlType {
  return { name, blockElements: 1, blockBytes: bytes, kind: 'integer' };
}

function quantized(name: string, blockElements: number, blockBytes: number): GgmlType {
  return { name, blockElements, blockBytes, kind: 'quantized' };
}
