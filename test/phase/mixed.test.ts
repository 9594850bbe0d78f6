import { describe, expect, it } from 'vitest';
import { addMixedSeconds } from '../../src/phase/mixed.ts';
import { breakdownOf, resourceCount } from '../../src/roofline/resource.ts';
import { compile } from '../../src/serving/compiled.ts';
import { toyDeployment, toyHardware } from '../support/toy.ts';

// Ideal toy device with 100 TFLOP/s: 500 tokens of a prompt and 4 that decode are 504 tokens of products, 24e6 FLOP each:
// 120.96 us; the chunk's triangle 250,000 / 2 x 4000 FLOP: 5 us; 4 x 505.5 entries of 4 ns: 8.088 us; the head 2 us.

const hardware = { ...toyHardware, matrix: { fp16: 100e12, bf16: 100e12 } };
const { table } = compile(toyDeployment({ hardware }), 'ideal');

const parts = (decoding: number): ReturnType<typeof breakdownOf> => {
  const seconds = new Float64Array(resourceCount);
  addMixedSeconds(table, decoding, 500, 11, { sequences: 1, cached: 0, cuts: 1 }, seconds);
  return breakdownOf(seconds);
};

describe('a mixed step', () => {
  it('reads the weights once for a chunk and the tokens that decode', () => {
    const shares = parts(4);
    expect(shares.compute).toBeCloseTo(125.96e-6, 14);
    expect(shares['kv-bandwidth']).toBeCloseTo(8.088e-6, 14);
    // Five rows of the head: 10e6 FLOP (0.1 us) hide behind its 2e6 bytes.
    expect(shares['weight-bandwidth']).toBeCloseTo(2e-6, 14);
  });

  it('with nothing to decode is a prefill', () => {
    const shares = parts(0);
    expect(shares.compute).toBeCloseTo(125e-6, 14);
    expect(shares['kv-bandwidth']).toBe(0);
  });
});
