import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { checkClaim } from '../../src/whatif/check-claim.ts';
import { question, ranks } from '../support/what-if.ts';

// tenstorrent/tt-inference-server#143: Qwen2.5-72B BF16 on two H100, one request at a time. Floor of a decode step:
// 145.4 GB less the table read row by row, 143 GB / (2 x 3.35 TB/s) = 21.3 ms; measured 30.9-31.3 ms, flat.

const measured = [
  { prompt: 128, ttft: 41.1e-3 },
  { prompt: 1024, ttft: 129.2e-3 },
  { prompt: 2048, ttft: 149.5e-3 },
  { prompt: 3072, ttft: 270.9e-3 },
  { prompt: 4096, ttft: 505.1e-3 },
  { prompt: 8192, ttft: 1063.8e-3 },
];

const asked = (prompt: number) =>
  question(
    'qwen2.5-72b',
    'h100-sxm5-80gb',
    'vllm@0.6.6',
    { prompt, output: 128 },
    { parallelism: ranks({ tensor: 2 }) },
  );

describe('Q06: a sweep of prompts with one impossible row (tenstorrent/tt-inference-server#143)', () => {
  it('has a flat TPOT as measured, on memory bandwidth', () => {
    for (const { prompt } of measured) {
      const { tpot, bound } = estimate(asked(prompt));
      expect(tpot.seconds).toBeGreaterThan(30e-3);
      expect(tpot.seconds).toBeLessThan(32.2e-3);
      expect(tpot.ideal).toBeCloseTo(21.5e-3, 3);
      expect(bound.tpot.resource).toBe('weight-bandwidth');
    }
  });

  it('has TTFT within 12 % where it can be believed', () => {
    for (const { prompt, ttft } of measured.filter(({ prompt: tokens }) => tokens !== 2048 && tokens !== 3072)) {
      const ratio = estimate(asked(prompt)).ttft.seconds / ttft;
      expect(Math.abs(ratio - 1)).toBeLessThan(0.12);
    }
  });

  it('flags the row of 2048 tokens, which is at 99 % of peak', () => {
    const flagged = measured.filter(
      ({ prompt, ttft }) => checkClaim(asked(prompt), { ttft })[0]?.plausibility === 'implausible',
    );
    expect(flagged.map(({ prompt }) => prompt)).toEqual([2048]);
    const [row] = checkClaim(asked(2048), { ttft: 149.5e-3 });
    expect(row?.ofBound).toBeGreaterThan(0.98);
    expect(row?.ofBound).toBeLessThan(1);
    expect(row?.sentence).toContain('99 % of peak, more than kernels reach; doubt the measurement');
  });
});
