import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { question } from '../support/what-if.ts';

// XiongjieDai/GPU-Benchmarks-on-LLM-Inference: Llama-3 8B F16, single stream. 16.06 GB less 1.05 GB of table, 15.0 GB:
// RTX 3090 46.5 tok/s x 15.0 GB = 698 GB/s, 75 % of 936; A100 53.2 x 15.0 = 798 GB/s, 39 % of 2039.

const measured = {
  'rtx-3090': 46.5,
  'rtx-4090': 54.3,
  'apple-m3-max-40c': 22.4,
  'apple-m2-ultra-76c': 36.3,
  'a100-sxm4-80gb': 53.2,
  'h100-pcie-80gb': 67.8,
} as const;

const asked = (device: string) =>
  estimate(
    question(
      'llama-3-8b',
      device,
      'llama.cpp@b2700',
      { prompt: 1, output: 1024, load: { kind: 'batch', size: 1 } },
      { precision: { weights: 'fp16' } },
    ),
  );

// llama-bench samples nothing, the server does: 3.9 ns x 128,256 entries = 0.5 ms a token.
const sampling = 3.9e-9 * 128_256;

describe('Q08: bandwidth alone misleads at batch 1 (XiongjieDai/GPU-Benchmarks-on-LLM-Inference)', () => {
  it('has every card within a fifth of what was measured', () => {
    for (const [device, tokens] of Object.entries(measured)) {
      const ratio = 1 / (asked(device).tpot.seconds - sampling) / tokens;
      expect(ratio).toBeGreaterThan(0.8);
      expect(ratio).toBeLessThan(1.2);
    }
  });

  it('has GDDR cards near their bandwidth and HBM cards at less than half of it', () => {
    const share = (device: string): number => {
      const { ideal, seconds } = asked(device).tpot;
      return ideal / seconds;
    };
    for (const device of ['rtx-3090', 'rtx-4090', 'apple-m3-max-40c']) {
      expect(share(device)).toBeGreaterThan(0.73);
      expect(share(device)).toBeLessThan(0.87);
    }
    for (const device of ['a100-sxm4-80gb', 'h100-pcie-80gb']) {
      expect(share(device)).toBeGreaterThan(0.38);
      expect(share(device)).toBeLessThan(0.51);
    }
  });

  it('gives twice the bandwidth of an A100 hardly more tokens than an RTX 4090', () => {
    const gain = asked('rtx-4090').tpot.seconds / asked('a100-sxm4-80gb').tpot.seconds;
    expect(gain).toBeLessThan(1.1);
  });
});
