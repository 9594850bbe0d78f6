import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import type { Prices } from '../../src/profile/price.ts';
import { whatIf } from '../../src/whatif/what-if.ts';
import { toyDeployment, toyHardware, toyScenario, toyWorkload } from '../support/toy.ts';
import { change, changed } from '../support/what-if.ts';

// Toy: 12e6 elements in the layer, 1e6 in the head. Prefill of 100 tokens: 100 x 24e6 FLOP and 4000 x 5000 pairs of causal
// attention, 2.42e9 FLOP: 242 us at 10 TFLOP/s; the head reads 2 MB for its one row: 2 us. A decode step reads 26 MB of weights
// and 105 x 4 kB of KV: 26.42 us at 1 TB/s, and computes for 2.6 us.

const fast = { ...toyHardware, matrix: { bf16: 1e13 } };
const asked = toyScenario({ deployment: toyDeployment({ hardware: fast }) });

describe('what-if', () => {
  it('halves an ideal TPOT with twice the bandwidth and leaves TTFT', async () => {
    const { ttft, tpot, moved, verdict, ceiling, levers } = await changed(asked, 'hardware.memory.bandwidth=*2');
    expect(tpot.before).toBeCloseTo(26.42e-6, 12);
    expect(tpot.after).toBeCloseTo(13.21e-6, 12);
    expect(tpot.ratio).toBeCloseTo(0.5, 12);
    expect(ttft.before).toBeCloseTo(244e-6, 12);
    expect(ttft.after).toBeCloseTo(243e-6, 12);
    expect(moved).toBe('tpot');
    expect(levers).toEqual(['hardware.memory.bandwidth=*2']);
    expect(ceiling.tpot.resource).toBe('memory');
    expect(ceiling.tpot.seconds).toBeCloseTo(2.642e-6, 12);
    expect(ceiling.tpot.gain).toBeCloseTo(5, 9);
    expect(verdict).toBe(
      'Moves TPOT, not TTFT: TTFT 244 µs to 243 µs (-0.4 %), TPOT 26.4 µs to 13.2 µs (-50 %). ' +
        'Each device has 1.00 times the FLOP/s and 2.00 times the memory bandwidth. ' +
        'TTFT was and stays on FLOP/s (99 %, now 100 %); with no limit there 13.2 µs would be left. ' +
        'TPOT was and stays on memory bandwidth (100 %, now 100 %); time on memory bandwidth goes from 26.4 µs to 13.2 µs; with no limit there 2.64 µs would be left. ' +
        'The whole request takes 362 µs (-25 %).',
    );
  });

  it('halves an ideal TTFT with twice the FLOP/s and leaves TPOT', async () => {
    const { ttft, tpot, moved } = await changed(asked, 'hardware.compute=*2');
    expect(ttft.after).toBeCloseTo(123e-6, 12);
    expect(tpot.ratio).toBe(1);
    expect(moved).toBe('ttft');
  });

  it('names the resource that a clock goes to', async () => {
    const { tpot, verdict } = await changed(asked, 'hardware.memory.bandwidth=*20');
    expect(tpot.bound).toEqual({ before: 'memory', after: 'compute' });
    expect(tpot.after).toBeCloseTo(2.642e-6, 12);
    expect(verdict).toContain('TPOT was on memory bandwidth (100 %) and is on FLOP/s now (100 %)');
  });

  it('has the breakdown after the change add up to the clock', async () => {
    const { ttft, tpot, e2e } = await changed({ ...asked, grade: 'typical' }, 'tp=2,weights=fp8');
    for (const clock of [ttft, tpot, e2e]) {
      const sum = Object.values(clock.breakdown).reduce((all, seconds) => all + seconds, 0);
      expect(sum / clock.after).toBeCloseTo(1, 12);
      expect(clock.low).toBeLessThanOrEqual(clock.after);
      expect(clock.high).toBeGreaterThanOrEqual(clock.after);
    }
  });

  it('says that it does not fit', async () => {
    const { verdict, memory, warnings } = await changed(asked, 'hardware.memory.capacity=300 MB');
    expect(memory.fits).toBe(false);
    expect(verdict).toMatch(/^Does not fit: each device is short of 241 MiB\. Moves neither clock/);
    expect(warnings.some((warning) => warning.startsWith('does not fit'))).toBe(true);
  });

  it('leaves TPOT out for an answer of one token', async () => {
    const single = { ...asked, workload: toyWorkload({ output: 1 }) };
    const { moved, verdict } = await changed(single, 'hardware.compute=*2');
    expect(moved).toBe('ttft');
    expect(verdict).toMatch(/^Moves TTFT: TTFT 244 µs to 123 µs \(-50 %\)\./);
    expect(verdict).not.toContain('TPOT');
  });

  it('prices a million tokens before and after, and nothing where no price is known', async () => {
    const offer = (price: number) => ({
      price: price / 3600,
      scope: 'device' as const,
      basis: 'hourly',
      source: 'a test',
      provider: 'a cloud',
    });
    const prices: Prices = {
      name: 'test',
      date: '2026-01-01',
      notes: '',
      entries: [
        { device: 'toy', cloud: [offer(3.6), offer(7.2)] },
        { device: 'h100-sxm5-80gb', cloud: [offer(36)] },
      ],
    };
    const [tp, card, other] = whatIf(
      asked,
      [await change('tp=2'), await change('hardware=h100-sxm5-80gb'), await change('hardware=l4')],
      prices,
    ).changes;
    const rate = estimate(asked).throughput.outputTokensPerSecond;
    // 3.6 dollars an hour is a thousandth of a dollar a second.
    expect(tp?.cost.before).toBeCloseTo(1e3 / rate, 9);
    expect(tp?.cost.after).toBeCloseTo((2 * 1e3) / (tp?.throughput.outputTokensPerSecond.after ?? 0), 9);
    expect(card?.cost.after).toBeCloseTo(1e4 / (card?.throughput.outputTokensPerSecond.after ?? 0), 9);
    expect(other?.cost).toMatchObject({ after: null, ratio: null });
  });

  it('carries the schema, the base, the elasticities and the cautions', async () => {
    const result = whatIf(asked, [await change('weights=int4,kv=fp8')]);
    expect(result.schema).toBe('twoclocks/whatif@1');
    expect(result.base).toEqual(estimate(asked));
    expect(result.elasticities.totals.ttft).toBeCloseTo(1, 9);
    expect(result.changes[0]?.cautions).toEqual([
      'weights of 4.16 bits may answer worse: check the quality on your own prompts.',
      'a KV cache of 8 bits rounds what the model remembers: check long contexts.',
    ]);
  });
});
