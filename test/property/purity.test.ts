import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate, explain } from '../../src/estimate.ts';
import { scenario } from '../support/arbitrary.ts';
import { runs } from '../support/thorough.ts';

// Nothing but the scenario decides: asked again, or after another question, the answer is the same to the last digit.

/** Paths of numbers that are NaN, infinite or negative. */
function wrongNumbers(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? [] : [`${path} = ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => wrongNumbers(each, `${path}.${key}`));
}

describe('estimate', () => {
  it('is a function of the scenario alone, whatever was asked in between', () => {
    fc.assert(
      fc.property(scenario(), scenario(), (drawn, other) => {
        const first = estimate(drawn);
        const between = estimate(other);
        expect(estimate(drawn)).toEqual(first);
        expect(estimate(other)).toEqual(between);
        expect(explain(drawn)).toEqual(explain(drawn));
      }),
      runs(80),
    );
  });

  it('holds no NaN, infinity or negative number', () => {
    fc.assert(
      fc.property(scenario(), (drawn) => {
        const { memory, ...rest } = estimate(drawn);
        // Without a KV cache any number of sequences fits, and the engine may set no limit: Infinity says so.
        const { largestBatch, keyValueTokens, ...bytes } = memory;
        expect(wrongNumbers(rest)).toEqual([]);
        expect(wrongNumbers(bytes)).toEqual([]);
        expect(largestBatch).toBeGreaterThanOrEqual(0);
        expect(keyValueTokens).toBeGreaterThanOrEqual(0);
      }),
      runs(300),
    );
  });

  it('leaves its scenario as it was', () => {
    fc.assert(
      fc.property(scenario(), (drawn) => {
        const before = structuredClone(drawn);
        estimate(drawn);
        expect(structuredClone(drawn)).toEqual(before);
      }),
      runs(40),
    );
  });
});
