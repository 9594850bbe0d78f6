import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busiestRank, popularitySpread, visitedExperts } from '../../src/operator/visited-experts.ts';

// 8 experts, 2 a token, spread c = 0.6. Second token: 2 + 6 (1 - (1 - 0.6 ln 0.75)^(-1/0.6)) = 2 + 6 x 0.2331 = 3.3985,
// where balanced routing has 8 (1 - 0.75^2) = 3.5.

const group = { local: 8, share: 0.25, tokenFactor: 1, visitsPerToken: 2 };

describe('experts that tokens visit', () => {
  it('are k for one token, and fewer than balanced routing has for more', () => {
    expect(visitedExperts(group, 1)).toBeCloseTo(2, 12);
    expect(visitedExperts(group, 2)).toBeCloseTo(3.3985, 3);
    expect(visitedExperts(group, 1000)).toBeCloseTo(8, 1);
  });

  it('are all where every token visits all', () => {
    for (const tokens of [1, 1.5, 2, 100]) expect(visitedExperts({ ...group, share: 1 }, tokens)).toBe(8);
  });

  it('grow with every token, by less than the one before, and stay below balanced routing', () => {
    const tokens = fc.double({ min: 0.01, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 512 }), fc.double({ min: 0.002, max: 0.9 }), tokens, (local, share, n) => {
        const at = (count: number): number =>
          visitedExperts({ local, share, tokenFactor: 1, visitsPerToken: 1 }, count);
        const balanced = local * (1 - (1 - share) ** n);
        expect(at(n)).toBeLessThanOrEqual(balanced * (1 + 1e-9));
        expect(at(1.1 * n)).toBeGreaterThanOrEqual(at(n) * (1 - 1e-12));
        expect(at(1.2 * n) - at(1.1 * n)).toBeLessThanOrEqual((at(1.1 * n) - at(n)) * (1 + 1e-6) + 1e-9);
      }),
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
      const visited = 128 * (1 - (1 - share) * (missed / weight));
      expect(visitedExperts({ local: 128, share, tokenFactor: 1, visitsPerToken: 4 }, tokens)).toBeCloseTo(visited, 1);
    }
  });
});

describe('the busiest rank', () => {
  it('has its part where there is one, and more the fewer experts each has', () => {
    expect(busiestRank(256, 1)).toBe(1);
    expect(busiestRank(256, 8)).toBeCloseTo(1 + 1.424 * Math.sqrt(0.6 / 32), 12);
    expect(busiestRank(64, 8)).toBeCloseTo(1 + 1.424 * Math.sqrt(0.6 / 8), 12);
    expect(busiestRank(256, 12)).toBeGreaterThan(busiestRank(256, 8));
    expect(busiestRank(256, 12)).toBeLessThan(busiestRank(256, 16));
  });
});
