import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { changed, question, ranks } from '../support/what-if.ts';

// ml-explore/mlx-lm#92: Llama-3.3-70B in 4 bits, two RTX 3090 (layers split) against an M3 Max: prompt 7.1 times, generation
// 1.8 times, in April 2025 (llama.cpp b5215). One card at a time: bandwidth 936 / 400 = 2.3, FLOP/s (FP16, FP32 sums) 71 / 32 = 2.2 and, with FP16 sums, 4.4.

const workload = { prompt: 1000, output: 256, load: { kind: 'batch', size: 1 } } as const;
const mac = (engine: string, weights: string) =>
  question('llama-3.3-70b', 'apple-m3-max-40c', engine, workload, { precision: { weights } });
const cards = question('llama-3.3-70b', 'rtx-3090', 'llama.cpp@b5215', workload, {
  parallelism: ranks({ pipeline: 2 }),
  precision: { weights: 'q4_k_m' },
});

describe('Q09: two RTX 3090 against an M3 Max (ml-explore/mlx-lm#92)', () => {
  it('moves both clocks, TTFT by far the more, each by its own rate', async () => {
    const { ttft, tpot, moved } = await changed(mac('llama.cpp@b5215', 'q4_k_m'), 'hardware=rtx-3090,pp=2');
    expect(moved).toBe('both');
    expect(ttft.bound).toEqual({ before: 'compute', after: 'compute' });
    expect(tpot.bound).toEqual({ before: 'memory', after: 'memory' });
    expect(1 / ttft.ratio).toBeGreaterThan(2 / tpot.ratio);
  });

  it('has both ratios against MLX: prompt 7.1 and generation 1.8 times were measured', () => {
    const [other, own] = [estimate(mac('mlx', 'mlx-q4-g64')), estimate(cards)];
    const generation = other.tpot.seconds / own.tpot.seconds;
    expect(generation).toBeGreaterThan(1.65);
    expect(generation).toBeLessThan(2);
    // A quarter short: 5.3.
    const prompt = other.ttft.seconds / own.ttft.seconds;
    expect(prompt).toBeGreaterThan(4.9);
    expect(prompt).toBeLessThan(8);
  });
});
