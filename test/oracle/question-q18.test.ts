import { describe, expect, it } from 'vitest';
import { checkClaim } from '../../src/whatif/check-claim.ts';
import { shippedDevice } from '../support/shipped.ts';
import { question } from '../support/what-if.ts';

// ggml-org/llama.cpp#19480: DDR5-5600 in two channels, 89.6 GB/s. A dense 32B in Q4 (19 GB a token): 89.6 / 19 = 4.7 tok/s at most,
// 3.54 measured: 75 %. 80B-A3B in Q4: 3B of 80B visited, about 2 GB: 40-47 tok/s at most, 7.74 measured: a fifth.

const laptop = (model: string) =>
  question(
    model,
    'ryzen-7-7840hs',
    'llama.cpp',
    { prompt: 100, output: 100, load: { kind: 'batch', size: 1 } },
    { precision: { weights: 'q4_k_m' } },
  );

describe('Q18: a dense model and one of experts on a laptop (ggml-org/llama.cpp#19480)', () => {
  it('runs on a memory of 89.6 GB/s', () => {
    expect(shippedDevice('ryzen-7-7840hs').memory.bandwidth).toBe(89.6e9);
  });

  it('finds the dense model at the memory wall', () => {
    const [claim] = checkClaim(laptop('qwen3-32b'), { tpot: 1 / 3.54 });
    expect(1 / (claim?.bound ?? 0)).toBeCloseTo(4.62, 1);
    expect(claim?.ofBound).toBeGreaterThan(0.7);
    expect(claim?.verdict).toBe('possible');
  });

  it('finds the model of experts nowhere near it: software, not hardware', () => {
    const [claim] = checkClaim(laptop('qwen3-next-80b-a3b'), { tpot: 1 / 7.74 });
    expect(1 / (claim?.bound ?? 0)).toBeGreaterThan(33);
    expect(1 / (claim?.bound ?? 0)).toBeLessThan(50);
    expect(claim?.ofBound).toBeLessThan(0.25);
  });
});
