import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar } from '../../src/present/bar.ts';
import { breakdownOf, resourceCount } from '../../src/roofline/resource.ts';

describe('bar', () => {
  it('gives each resource its share of the places', () => {
    // 5 : 3 : 2 of ten places: compute, weights, KV.
    expect(bar(breakdownOf([5, 3, 2]), 10)).toBe('█████▓▓▓▒▒');
  });

  it('is as wide as it was asked to be for any breakdown, and empty for none', () => {
    const seconds = fc.array(fc.double({ min: 0, max: 1e3, noNaN: true }), {
      minLength: resourceCount,
      maxLength: resourceCount,
    });
    fc.assert(
      fc.property(seconds, fc.integer({ min: 1, max: 200 }), (parts, width) => {
        const total = parts.reduce((sum, part) => sum + part, 0);
        expect(bar(breakdownOf(parts), width)).toHaveLength(total > 0 ? width : 0);
      }),
    );
  });
});
