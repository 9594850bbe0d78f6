import { describe, expect, it } from 'vitest';
import type { Hardware } from '../../src/profile/hardware.ts';
import { arithmeticFor, fastestPeak } from '../../src/roofline/arithmetic.ts';
import { numberFormat } from '../../src/quantity/number-format.ts';
import type { WeightFormat } from '../../src/operator/operator.ts';
import { toyHardware } from '../support/toy.ts';

// Toy device: 1 TFLOP/s in 16 bits, 2 in 8 bits. Weights of 4 bits with 16-bit activations run at 1, FP8 at 2;
// without an FP8 unit FP8 weights are widened and run at 1.

const stored = (name: string, activations?: string): WeightFormat => {
  const format = numberFormat(name);
  return { name: format.name, bits: format.bits, activations: activations ?? format.defaultActivations };
};

const withMatrix = (matrix: Hardware['matrix'], doubled: Hardware['matrix'] = {}): Hardware => ({
  ...toyHardware,
  matrix,
  matrixFp16Accumulate: doubled,
});

describe('arithmetic', () => {
  it.each([
    ['bf16', undefined, 'bf16', 1e12, 'bf16'],
    ['fp16', undefined, 'fp16', 1e12, 'bf16'],
    ['fp8', undefined, 'fp8', 2e12, 'fp8'],
    ['fp8-block', undefined, 'fp8', 2e12, 'fp8-block'],
    ['int8', undefined, 'int8', 2e12, 'int8'],
    ['w4a16-awq', undefined, 'fp16', 1e12, 'weight-only'],
    ['w8a16', undefined, 'bf16', 1e12, 'weight-only-8'],
    ['q4_k_m', undefined, 'fp16', 1e12, 'weight-only'],
    ['w4a8-awq', undefined, 'fp8', 2e12, 'weight-only'],
    // FP8 weights under BF16 activations gain bytes only; BF16 weights under FP8 activations gain nothing.
    ['fp8', 'bf16', 'bf16', 1e12, 'weight-only-8'],
    ['bf16', 'fp8', 'bf16', 1e12, 'bf16'],
  ] as const)('of %s weights with %s activations is %s at %d FLOP/s', (name, activations, format, peak, gemmClass) => {
    expect(arithmeticFor(stored(name, activations), toyHardware)).toMatchObject({ format, peak, gemmClass });
  });

  it('widens what the device has no unit for, and says so', () => {
    const ampere = withMatrix({ fp16: 1e12, bf16: 1e12, int8: 2e12 });
    expect(arithmeticFor(stored('fp8'), ampere)).toEqual({
      format: 'bf16',
      peak: 1e12,
      gemmClass: 'weight-only-8',
      widenedFrom: 'fp8',
    });
    expect(arithmeticFor(stored('nvfp4'), toyHardware)).toMatchObject({
      format: 'bf16',
      gemmClass: 'weight-only',
      widenedFrom: 'fp4',
    });
  });

  it('runs BF16 as FP16 where that is what there is, without calling it wider', () => {
    const volta = withMatrix({ fp16: 1e12, fp32: 1e11 });
    expect(arithmeticFor(stored('bf16'), volta)).toEqual({ format: 'fp16', peak: 1e12, gemmClass: 'bf16' });
    const pascal = withMatrix({ fp32: 1e11 });
    expect(arithmeticFor(stored('fp16'), pascal)).toMatchObject({ format: 'fp32', peak: 1e11, gemmClass: 'fp32' });
  });

  it('multiplies at the rate of wide sums, but lets a floor use the doubled one', () => {
    const geforce = withMatrix({ fp16: 1e12, bf16: 1e12 }, { fp16: 2e12 });
    const arithmetic = arithmeticFor(stored('bf16'), geforce);
    expect(arithmetic.peak).toBe(1e12);
    expect(fastestPeak(arithmetic, geforce)).toBe(2e12);
    expect(fastestPeak(arithmetic, toyHardware)).toBe(1e12);
  });
});
