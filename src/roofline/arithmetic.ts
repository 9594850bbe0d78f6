import type { Hardware } from '../profile/hardware.ts';
import { type MatrixFormat, matrixFormats } from '../quantity/matrix-format.ts';
import { numberFormat } from '../quantity/number-format.ts';
import type { WeightFormat } from '../operator/operator.ts';
import type { GemmClass } from './efficiency.ts';

/** In which format a device multiplies, at which dense peak, and which efficiency applies. */
export interface Arithmetic {
  readonly format: MatrixFormat;
  /** FLOP/s with wide accumulation. */
  readonly peak: number;
  readonly gemmClass: GemmClass;
  /** Set where the device has no unit for the stored format and widens it first. */
  readonly widenedFrom?: MatrixFormat;
}

/**
 * Next wider formats to try where a device has no peak of its own for one. Narrow floats are widened to what the
 * unit has (weight-only kernels such as Marlin do this on Ampere); integers to 16 bits.
 */
const wider: Readonly<Record<MatrixFormat, readonly MatrixFormat[]>> = {
  fp4: ['bf16', 'fp16', 'fp32'],
  fp6: ['bf16', 'fp16', 'fp32'],
  int4: ['bf16', 'fp16', 'fp32'],
  fp8: ['bf16', 'fp16', 'fp32'],
  int8: ['bf16', 'fp16', 'fp32'],
  bf16: ['fp16', 'tf32', 'fp32'],
  fp16: ['bf16', 'tf32', 'fp32'],
  tf32: ['fp32', 'bf16', 'fp16'],
  fp32: ['tf32', 'fp16', 'bf16'],
};

/** Arithmetic of a product of stored weights and activations on a device. */
export function arithmeticFor(weights: WeightFormat, hardware: Hardware): Arithmetic {
  const stored = numberFormat(weights.name);
  const activations = numberFormat(weights.activations);
  const multiplied = activations.arithmetic === 'activation' ? 'bf16' : activations.arithmetic;
  const nativePeak = stored.native === undefined ? undefined : hardware.matrix[stored.native];
  if (nativePeak !== undefined && bitsOf(multiplied) === 16) {
    return { format: 'fp8', peak: hardware.matrix.fp8 ?? nativePeak, gemmClass: 'fp4' };
  }
  const own = stored.arithmetic === 'activation' ? multiplied : stored.arithmetic;
  // Weights narrower than the activations are widened to them (W4A16, W8A16); wider ones stay as they are.
  const asked = stored.arithmetic === 'activation' || bitsOf(own) < bitsOf(multiplied) ? multiplied : own;
  const { format, peak } = peakFor(asked, hardware);
  const widened = format !== asked && bitsOf(format) > bitsOf(asked);
  const weightOnly = stored.dequantised || bitsOf(own) < bitsOf(format);
  return {
    format,
    peak,
    gemmClass: weightOnly && stored.bits < 16 ? weightOnlyClass(stored.bits) : gemmClassOf(stored.name, format),
    ...(widened ? { widenedFrom: asked } : {}),
  };
}

/** Dense peak for a format, or that of the nearest format the device has; 16-bit attention uses this directly. */
export function peakFor(asked: MatrixFormat, hardware: Hardware): { format: MatrixFormat; peak: number } {
  // Whatever else the device has comes last: a profile has at least one matrix peak (checked when it is read).
  for (const format of [asked, ...wider[asked], ...matrixFormats]) {
    const peak = hardware.matrix[format];
    if (peak !== undefined) return { format, peak };
  }
  throw new RangeError(`${hardware.name} has no matrix peak`);
}

/**
 * The fastest rate that any kernel may reach: GeForce doubles FP16 and FP8 when sums may be kept in FP16, so a floor
 * has to allow it.
 */
export const fastestPeak = (arithmetic: Arithmetic, hardware: Hardware): number => {
  const doubled = hardware.matrixFp16Accumulate[arithmetic.format === 'bf16' ? 'fp16' : arithmetic.format];
  return Math.max(arithmetic.peak, doubled ?? 0);
};

const weightOnlyClass = (bits: number): GemmClass => (bits > 7 ? 'weight-only-8' : 'weight-only');

function gemmClassOf(stored: string, format: MatrixFormat): GemmClass {
  switch (format) {
    case 'fp32':
    case 'tf32':
      return 'fp32';
    case 'fp16':
    case 'bf16':
      return 'bf16';
    case 'fp8':
    case 'fp6':
      return stored === 'fp8-block' ? 'fp8-block' : 'fp8';
    case 'int8':
    case 'int4':
      return 'int8';
    case 'fp4':
      return 'fp4';
  }
}

function bitsOf(format: MatrixFormat): number {
  switch (format) {
    case 'fp32':
      return 32;
    case 'tf32':
      return 19;
    case 'fp16':
    case 'bf16':
      return 16;
    case 'fp8':
    case 'int8':
      return 8;
    case 'fp6':
      return 6;
    case 'fp4':
    case 'int4':
      return 4;
  }
}
