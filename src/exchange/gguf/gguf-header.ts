import type { GgmlType } from './ggml-type.ts';

/**
 * What a GGUF file says about itself before the first weight: its metadata and the list of its tensors.
 * Layout: github.com/ggml-org/ggml docs/gguf.md (2024-05), versions 2 and 3.
 */
export interface GgufHeader {
  /** By full key, `llama.block_count`. A map, so that no key can reach an object's prototype. */
  readonly metadata: ReadonlyMap<string, GgufValue>;
  /** All tensors of all parts, in file order. */
  readonly tensors: readonly GgufTensor[];
  /** Files that the model is split into. */
  readonly parts: number;
  /** Bytes read to learn this: magic to the last tensor description, all parts. */
  readonly headerBytes: number;
  /** Bytes of tensor data that the descriptions promise and the files do not hold (a download cut short); 0 = complete. */
  readonly missingBytes: number;
}

export type GgufValue = string | number | bigint | boolean | GgufList;

/** An array, or a text too long to keep: only short lists of numbers or booleans (0, 1) keep their values. */
export interface GgufList {
  readonly length: number;
  readonly numbers?: readonly number[];
}

export interface GgufTensor {
  readonly name: string;
  /** Elements along each axis, fastest first: a matrix is [inputs, outputs], stacked experts [inputs, outputs, experts]. */
  readonly dimensions: readonly number[];
  readonly type: GgmlType;
  readonly elements: number;
  /** Stored bytes, without the padding between tensors. */
  readonly bytes: number;
}
