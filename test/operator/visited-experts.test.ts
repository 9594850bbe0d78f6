import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExpertGroup } from '../../src/operator/feed-forward.ts';
import { busiestShare, busiestVisits, popularitySpread, visitedExperts } from '../../src/operator/visited-experts.ts';
import { estimate } from '../../src/estimate.ts';
import { question, ranks } from '../support/what-if.ts';

// 8 experts, 2 a token, spread c = 0.6. Second token: 2 + 6 (1 - (1 - 0.6 ln 0.75)^(-1/0.6)) = 2 + 6 x 0.2331 = 3.3985,
// where balanced routing has 8 (1 - 0.75^2) = 3.5.

const alone: ExpertGroup = { local: 8, share: 0.25, tokenFactor: 1, ranks: 1 };
const visited = (group: ExpertGroup, tokens: number): number =>
  visitedExperts(group, tokens, busiestVisits(group, tokens));

describe('experts that tokens visit', () => {
  it('are k for one token, and fewer than balanced routing has for more', () => {
    expect(visited(alone, 0)).toBe(0);
    expect(visited(alone, 1)).toBeCloseTo(2, 12);
    expect(visited(alone, 2)).toBeCloseTo(3.3985, 3);
    expect(visited(alone, 1000)).toBeCloseTo(8, 1);
  });

  it('are all where every token visits all', () => {
    for (const tokens of [1, 1.5, 2, 100]) expect(visited({ ...alone, share: 1 }, tokens)).toBe(8);
  });

  it('grow with every token, and stay below balanced routing where one rank has all', () => {
    const tokens = fc.double({ min: 0.01, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 512 }),
        fc.double({ min: 0.002, max: 0.9, noNaN: true }),
        tokens,
        (local, some, n) => {
          // A token visits one expert at least.
          const share = Math.max(some, 1 / local);
          const at = (count: number): number => visited({ local, share, tokenFactor: 1, ranks: 1 }, count);
          const balanced = local * (1 - (1 - share) ** n);
          expect(at(n)).toBeLessThanOrEqual(balanced * (1 + 1e-9));
          expect(at(1.1 * n)).toBeGreaterThanOrEqual(at(n) * (1 - 1e-12));
          expect(at(1.2 * n) - at(1.1 * n)).toBeLessThanOrEqual((at(1.1 * n) - at(n)) * (1 + 1e-6) + 1e-9);
        },
      ),
    );
  });

  it('are those of a drawn popularity', () => {
    // Gamma with shape 1 / c over many experts, by its distribution: the chance that n - 1 visits leave an expert alone.
    const share = 4 / 128;
    const shape = 1 / popularitySpread;
    for (const tokens of [8, 32, 128]) {
      const rate = -(tokens - 1) * Math.log(1 - share);
      let missed = 0;
      let weight = 0;
      for (let step = 0.0005; step < 40; step += 0.001) {
        const density = step ** (shape - 1) * Math.exp(-shape * step);
        missed += density * Math.exp(-rate * step);
        weight += density;
      }
      const expected = 128 * (1 - (1 - share) * (missed / weight));
      expect(visited({ local: 128, share, tokenFactor: 1, ranks: 1 }, tokens)).toBeCloseTo(expected, 1);
    }
  });
});

describe('the busiest of expert-parallel ranks', () => {
  // 128 experts on 8 ranks, 16 each, 4 a token: 64 tokens make 32 visits a rank in the mean, which vary by
  // 32 x 7/8 = 28 by chance and 0.6 / 16 x 32^2 = 38.4 by popularity: 32 + 1.424 x 8.149 = 43.6.
  const eight: ExpertGroup = { local: 16, share: 4 / 128, tokenFactor: 1, ranks: 8 };

  it('has more than the mean by chance and by the popularity of its experts', () => {
    expect(busiestVisits(eight, 64)).toBeCloseTo(32 + 1.424 * Math.sqrt(28 + 38.4), 9);
    expect(busiestVisits(eight, 1e9) / (1e9 * 0.5)).toBeCloseTo(busiestShare(16, 4 / 128, 8), 3);
    expect(busiestVisits({ ...eight, ranks: 1 }, 64)).toBe(32);
  });

  it('reads a whole expert for one token, however many ranks there are, and never more than a token visits', () => {
    for (const [experts, active, expertRanks] of [
      [128, 1, 8],
      [8, 2, 8],
      [64, 6, 16],
      [8, 8, 8],
      [256, 8, 96],
    ] as const) {
      const group = { local: experts / expertRanks, share: active / experts, tokenFactor: 1, ranks: expertRanks };
      expect(visited(group, 1)).toBeGreaterThanOrEqual(1 - 1e-12);
      expect(visited(group, 1)).toBeLessThanOrEqual(Math.min(active, group.local) + 1e-12);
    }
    // Every token visits all 8 experts: each rank has one, and none is busier.
    expect(busiestVisits({ local: 1, share: 1, tokenFactor: 1, ranks: 8 }, 32)).toBe(32);
    expect(busiestShare(1, 1, 8)).toBe(1);
  });

  it('gets no less to do by more tokens, nor less than the mean', () => {
    const ranked = fc.constantFrom(2, 3, 4, 8, 12, 64);
    const tokens = fc.double({ min: 0.001, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(
        ranked,
        fc.integer({ min: 1, max: 64 }),
        fc.double({ min: 0.002, max: 1, noNaN: true }),
        tokens,
        (over, local, s, n) => {
          const group: ExpertGroup = { local, share: Math.max(s, 1 / (over * local)), tokenFactor: 1, ranks: over };
          const mean = n * group.share * local;
          expect(busiestVisits(group, n)).toBeGreaterThanOrEqual(mean * (1 - 1e-12));
          expect(busiestVisits(group, 1.1 * n)).toBeGreaterThanOrEqual(busiestVisits(group, n) * (1 - 1e-12));
          expect(visited(group, 1.1 * n)).toBeGreaterThanOrEqual(visited(group, n) * (1 - 1e-9));
          expect(visited(group, n)).toBeLessThanOrEqual(local * (1 + 1e-12));
        },
      ),
    );
  });

  it('makes spreading experts no gain for one request', () => {
    const at = (parallelism: Parameters<typeof ranks>[0]): number =>
      estimate(
        question(
          'llama-4-maverick-17b-128e',
          'h200-sxm-141gb',
          'vllm@0.15',
          { load: { kind: 'batch', size: 1 } },
          { parallelism: ranks(parallelism) },
        ),
      ).tpot.seconds;
    expect(at({ tensor: 8, expert: 8 })).toBeGreaterThan(at({ tensor: 8 }));
  });
});
