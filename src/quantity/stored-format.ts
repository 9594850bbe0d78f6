import type { MatrixFormat } from './matrix-format.ts';

/** How numbers of a weight, activation or KV format are stored and multiplied. */
export interface NumberFormat {
  readonly name: string;
  /** Stored bits per element of the converted matrices, scales and zero points included. */
  readonly bits: number;
  /** Bits of the output head; where the head shares the embedding table, of that table. */
  readonly headBits: number;
  readonly embeddingBits: number;
  /** What the matrix unit multiplies in; weight-only formats multiply in the activations' own format. */
  readonly arithmetic: MatrixFormat | 'activation';
  /** Name of the format that activations take where nobody says otherwise. */
  readonly defaultActivations: string;
  /** Weights are unpacked before they are multiplied, which costs time of its own. */
  readonly dequantised: boolean;
  /**
   * Block-scaled formats: where the matrix unit takes this format itself, kernels pair it with 8-bit activations
   * instead of unpacking (MXFP4 x MXFP8 on Blackwell and CDNA4).
   */
  readonly native?: MatrixFormat;
  /** `experts`: only routed experts are stored so (a model without experts takes it everywhere). */
  readonly scope: 'all' | 'experts';
  /** Format of the other matrices where scope is `experts`; absent: that of the activations. */
  readonly elsewhere?: string;
  readonly source: string;
}

/** A format whose weights are unpacked to the activations' 16 bits before they are multiplied; head and embedding stay 16 bits wide. */
export function weightOnly(
  name: string,
  bits: number,
  defaultActivations: 'fp16' | 'bf16',
  source: string,
): NumberFormat {
  return {
    name,
    bits,
    headBits: 16,
    embeddingBits: 16,
    arithmetic: 'activation',
    defaultActivations,
    dequantised: true,
    scope: 'all',
    source,
  };
}

/** A format whose values go into the matrix unit as they are; head and embedding stay 16 bits wide. */
export function direct(name: string, bits: number, arithmetic: MatrixFormat, source: string): NumberFormat {
  return {
    name,
    bits,
    headBits: Math.max(16, bits),
    embeddingBits: Math.max(16, bits),
    arithmetic,
    defaultActivations: name,
    dequantised: false,
    scope: 'all',
    source,
  };
}
