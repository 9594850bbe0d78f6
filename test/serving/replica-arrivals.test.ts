import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyArrives,
  anyPresent,
  beside,
  dispersion,
  following,
  noneArrives,
  routed,
  spansUntilNone,
} from '../../src/serving/replica-arrivals.ts';
import { runs } from '../support/thorough.ts';

/*
 * The same written down as one would count: in a span of x mean gaps of the replica the deployment gets a Poisson
 * number P with the mean n x, of which every n-th is the replica's. After one of its own it gets floor(P / n); from any
 * time on none, with the chance (1 - P / n)+ that its turn does not come.
 */
function expected(turns: number, span: number, of: (count: number) => number): number {
  const mean = turns * span;
  let term = Math.exp(-mean);
  let sum = 0;
  for (let count = 0; count < mean + 12 * Math.sqrt(mean) + 30; count++) {
    sum += term * of(count);
    term *= mean / (count + 1);
  }
  return sum;
}

const turns = fc.integer({ min: 1, max: 64 });
const span = fc.double({ min: 0.001, max: 8, noNaN: true });

describe('arrivals at a replica that gets its turn', () => {
  it('are those that a count of the whole gives', () => {
    fc.assert(
      fc.property(turns, span, (n, x) => {
        expect(following(n, x)).toBeCloseTo(
          expected(n, x, (count) => Math.floor(count / n)),
          9,
        );
        expect(noneArrives(n, x)).toBeCloseTo(
          expected(n, x, (count) => Math.max(0, 1 - count / n)),
          9,
        );
        expect(anyArrives(n, x)).toBeCloseTo(1 - noneArrives(n, x), 9);
        const nobody = expected(n, x, (count) => (count < n ? 1 : 0));
        expect(anyPresent(n, x)).toBeCloseTo(1 - nobody, 9);
        const longer = (gaps: number): number => expected(n, gaps * x, (count) => (count < n ? 1 : 0));
        // Beyond, its inverse is cut off.
        if (longer(1.5) < 1e-100) return;
        expect((spansUntilNone(n, x) * longer(1.5)) / longer(0.5)).toBeCloseTo(1, 6);
      }),
      runs(200),
    );
  });

  it('have as many neighbours as come after them in all shorter spans, and before', () => {
    fc.assert(
      fc.property(turns, span, (n, x) => {
        const pieces = 2000;
        let sum = 0;
        for (let piece = 0; piece < pieces; piece++) sum += following(n, (x * (piece + 0.5)) / pieces);
        expect(beside(n, x)).toBeCloseTo((2 * sum) / pieces, 4);
      }),
      runs(50),
    );
  });

  it('vary as Poisson where there is one replica, and by one over their number in a long span', () => {
    fc.assert(
      fc.property(turns, fc.double({ min: 300, max: 1000, noNaN: true }), (n, x) => {
        expect(dispersion(1, x)).toBe(1);
        expect(beside(1, x)).toBe(x);
        // (1 - 1 / n^2) / 6 of a request is left of the phase in which a span begins.
        expect(dispersion(n, x)).toBeCloseTo(1 / n + (1 - 1 / n ** 2) / (6 * x), 6);
      }),
      runs(100),
    );
  });

  it('are more even the more replicas take turns', () => {
    fc.assert(
      fc.property(turns, span, (n, x) => {
        expect(noneArrives(n + 1, x)).toBeLessThanOrEqual(noneArrives(n, x) + 1e-9);
        expect(dispersion(n + 1, x)).toBeLessThanOrEqual(dispersion(n, x) + 1e-9);
      }),
      runs(200),
    );
  });
});

describe('routers', () => {
  it('keep turns, lose them within a step, or have none', () => {
    expect(routed('round-robin', 4)).toEqual({ answers: 4, steps: 4 });
    expect(routed('least-loaded', 4)).toEqual({ answers: 4, steps: 1 });
    expect(routed('prefix-aware', 4)).toEqual(routed('least-loaded', 4));
    expect(routed('random', 4)).toEqual({ answers: 1, steps: 1 });
  });
});
