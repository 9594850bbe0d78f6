import { describe, expect, it } from 'vitest';
import { compile } from '../../src/serving/compiled.ts';
import { quickOutcomeOf } from '../../src/whatif/quick-outcome.ts';
import { withCosts } from '../../src/whatif/scaled.ts';
import { changed, question, ranks } from '../support/what-if.ts';

// meta-pytorch/gpt-fast#111: Llama-2-7B FP16 on two V100 with NVLink, 29 tok/s on one and 17 on both; the thread names
// 500 us an all-reduce. TP1: 34.5 ms = 14.7 floor + 19.8. TP2: 7.3 + 19.8 + 64 x 0.5 = 59.1 ms = 16.9 tok/s.

const asked = (tensor: number) =>
  question(
    'llama-2-7b',
    'v100-sxm2-32gb',
    'gpt-fast',
    { prompt: 10, output: 200, load: { kind: 'batch', size: 1 } },
    { parallelism: ranks({ tensor }), precision: { weights: 'fp16' } },
  );

describe('Q05: two cards slower than one (meta-pytorch/gpt-fast#111)', () => {
  it('would have been faster with the latency that NVLink has', async () => {
    const { tpot, moved } = await changed(asked(1), 'tp=2');
    expect(tpot.ratio).toBeLessThan(0.7);
    expect(moved).toBe('both');
  });

  it('is slower, and on link latency, with 500 us an all-reduce and the host time that one card shows', async () => {
    const plain = quickOutcomeOf(compile(asked(1).deployment, 'typical'), asked(1).workload);
    const residual = 1 / 29 - plain.tpot;
    expect(residual).toBeGreaterThan(0.01);
    const both = compile(asked(2).deployment, 'typical');
    const linkless = withCosts(both, { 'link-latency': 1e-9, 'link-bandwidth': 1e-9 });
    const seconds = quickOutcomeOf(linkless, asked(2).workload).tpot + residual + 64 * 500e-6;
    expect(quickOutcomeOf(both, asked(2).workload).tpot).toBeLessThan(seconds);
    expect(1 / seconds).toBeGreaterThan(16.5);
    expect(1 / seconds).toBeLessThan(17.9);
    // More than half of it is latency that no bandwidth of the link shortens.
    expect((64 * 500e-6) / seconds).toBeGreaterThan(0.5);
  });

  it('says that a faster link does next to nothing', async () => {
    const { tpot } = await changed(asked(2), 'hardware.link.bandwidth=*4');
    expect(tpot.ratio).toBeGreaterThan(0.97);
    expect(tpot.ratio).toBeLessThanOrEqual(1);
  });
});
