import { describe, expect, it } from 'vitest';
import { changed, ideal, question } from '../support/what-if.ts';

// pegainfer-project/pegainfer#69: Qwen3-4B BF16, RTX 5070 Ti to RTX 4090. TTFT of 10k 1190 to 714 ms (0.60), of 1k 96.4 to
// 55.5 ms (0.58); TPOT 12.35 to 10.31 ms (0.835). FLOP/s 165.2 / 87.9 = 1.88, bandwidth 1008 / 896 = 1.125:
// 1 / 1.88 = 0.53 and 1 / 1.125 = 0.89. The thread has the two causes the wrong way round.

// An engine of its own, for which nobody has constants: bare hardware.
const asked = (prompt: number) => question('qwen3-4b', 'rtx-5070-ti', 'none', { prompt, output: 256 });

describe('Q03: which rate moved which clock (pegainfer-project/pegainfer#69)', () => {
  it('moves TTFT by FLOP/s', async () => {
    const long = await changed(asked(10_000), 'hardware=rtx-4090');
    expect(long.ttft.ratio).toBeGreaterThan(0.5);
    expect(long.ttft.ratio).toBeLessThan(0.62);
    expect(long.ttft.bound).toEqual({ before: 'compute', after: 'compute' });
    const short = await changed(asked(1000), 'hardware=rtx-4090');
    expect(short.ttft.ratio).toBeGreaterThan(0.53);
    expect(short.ttft.ratio).toBeLessThan(0.62);
    // 96.4 and 55.5 ms were measured; bare hardware is given a third more.
    expect(short.ttft.after / 55.5e-3).toBeGreaterThan(0.8);
    expect(short.ttft.after / 55.5e-3).toBeLessThan(1.35);
  });

  it('moves TPOT by bandwidth', async () => {
    const { tpot, verdict, moved } = await changed(asked(1000), 'hardware=rtx-4090');
    expect(moved).toBe('both');
    expect(tpot.bound).toEqual({ before: 'memory', after: 'memory' });
    expect(tpot.before / 12.35e-3).toBeGreaterThan(0.9);
    expect(tpot.before / 12.35e-3).toBeLessThan(1.1);
    expect(tpot.after / 10.31e-3).toBeLessThan(1.12);
    expect(tpot.ratio).toBeGreaterThan(0.83);
    expect(tpot.ratio).toBeLessThan(0.92);
    expect(verdict).toContain('1.88 times the FLOP/s and 1.13 times the memory bandwidth');
    expect(verdict).toMatch(/TPOT was and stays on memory bandwidth .*time on memory bandwidth goes from/);
  });

  it('is the two ratios themselves on paper', async () => {
    const { ttft, tpot } = await changed(ideal(asked(10_000)), 'hardware=rtx-4090');
    expect(ttft.ratio).toBeCloseTo(1 / 1.88, 2);
    expect(tpot.ratio).toBeCloseTo(896 / 1008, 3);
    const flopsOnly = await changed(ideal(asked(1000)), 'hardware.compute=*1.88');
    expect(flopsOnly.tpot.ratio).toBe(1);
    expect(flopsOnly.moved).toBe('ttft');
  });
});
