import { describe, expect, it } from 'vitest';
import { addDecodeSeconds } from '../../src/phase/decode.ts';
import { breakdownOf, resourceCount } from '../../src/roofline/resource.ts';
import { compile } from '../../src/serving/compiled.ts';
import { toyDeployment, toyHardware } from '../support/toy.ts';

// Ideal toy device with 100 TFLOP/s, one sequence: 26e6 bytes of weights take 26 us, and 4000 bytes (4 ns) each of the entries behind:
// prompt 100 and 11 tokens are steps at contexts 101 .. 110, 105.5 in the mean: 0.422 us.

const hardware = { ...toyHardware, matrix: { fp16: 100e12, bf16: 100e12 } };
const { table } = compile(toyDeployment({ hardware }), 'ideal');

const parts = (sequences: number, prompt: number, output: number): ReturnType<typeof breakdownOf> => {
  const seconds = new Float64Array(resourceCount);
  addDecodeSeconds(table, sequences, prompt, output, seconds);
  return breakdownOf(seconds);
};

describe('decode', () => {
  it('reads the weights once and the KV of the mean context', () => {
    const { 'weight-bandwidth': weights, 'kv-bandwidth': keyValues, compute } = parts(1, 100, 11);
    expect(weights).toBeCloseTo(26e-6, 15);
    expect(keyValues).toBeCloseTo(0.422e-6, 15);
    expect(compute).toBe(0);
  });

  it('of a batch reads the weights once for all, the KV for each', () => {
    const { 'weight-bandwidth': weights, 'kv-bandwidth': keyValues } = parts(8, 100, 11);
    expect(weights).toBeCloseTo(26e-6, 15);
    expect(keyValues).toBeCloseTo(8 * 0.422e-6, 15);
  });

  it('of a large batch multiplies longer than it reads', () => {
    // 1000 rows x 26e6 FLOP: 0.26 ms. Attention has as many FLOP as bytes, so it stays with the bandwidth.
    const { compute, 'weight-bandwidth': weights, 'kv-bandwidth': keyValues } = parts(1000, 100, 11);
    expect(compute).toBeCloseTo(0.26e-3, 14);
    expect(weights).toBe(0);
    expect(keyValues).toBeCloseTo(0.422e-3, 14);
  });

  it('of one token is priced as the step that would follow', () => {
    expect(parts(1, 100, 1)).toEqual(parts(1, 100, 2));
    expect(parts(1, 100, 1)['kv-bandwidth']).toBeCloseTo(101 * 4e-9, 15);
  });
});
