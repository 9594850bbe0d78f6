import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { contextWhereCacheEqualsWeights } from '../../src/whatif/break-even.ts';
import { changed, question } from '../support/what-if.ts';

// ikawrakow/ik_llama.cpp#766: Qwen3-Coder-480B-A35B, 6.3 tok/s below 10K of context and 2.8 at 70-90K. KV of 62 layers, 8 heads,
// 128 + 128 elements of 2 bytes: 254 kB a token. 159 to 357 ms over 75K tokens is 2.6 us a token: 254 kB at 96 GB/s.

const asked = (prompt: number) =>
  question(
    'qwen3-coder-480b-a35b',
    'epyc-9755',
    'llama.cpp',
    { prompt, output: 2, load: { kind: 'batch', size: 1 } },
    { precision: { weights: 'q4_k_m' } },
  );

const tpot = (prompt: number) => estimate(asked(prompt)).tpot;

describe('Q15: a long context slows the answer (ikawrakow/ik_llama.cpp#766)', () => {
  it('is a line in the context', () => {
    const slope = (tpot(80_000).seconds - tpot(5000).seconds) / 75_000;
    for (const context of [10_000, 40_000, 70_000, 90_000]) {
      const expected = tpot(5000).seconds + slope * (context - 5000);
      expect(Math.abs(tpot(context).seconds / expected - 1)).toBeLessThan(1e-9);
    }
  });

  it('has the slope of KV bytes over bandwidth on paper', () => {
    const bytes = 62 * 8 * (128 + 128) * 2;
    const { bandwidth } = asked(1).deployment.hardware.memory;
    const slope = (tpot(80_000).ideal - tpot(5000).ideal) / 75_000;
    expect(slope / (bytes / bandwidth)).toBeCloseTo(1, 6);
  });

  it('says that the KV cache is what grows: at 80K it takes nearly as long to read as the weights', async () => {
    const { tpot: clock, moved } = await changed(asked(5000), 'prompt=80000');
    expect(moved).toBe('both');
    expect(clock.breakdown['kv-bandwidth'] / clock.after).toBeGreaterThan(0.35);
    // 6.3 / 2.8 = 2.25 was measured on a machine with parts of the model on a GPU.
    expect(clock.ratio).toBeGreaterThan(1.5);
    expect(clock.ratio).toBeLessThan(2.6);
    const { value } = contextWhereCacheEqualsWeights(asked(1));
    expect(value).toBeGreaterThan(60_000);
    expect(value).toBeLessThan(110_000);
  });
});
