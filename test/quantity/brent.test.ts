import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brent, firstRoot } from '../../src/quantity/brent.ts';

// x^3 - 2 between 0 and 2: -2 and 6, root 1.2599210498948732.

describe('brent', () => {
  it('finds roots of smooth, flat and kinked functions', () => {
    expect(brent((x) => x ** 3 - 2, 0, 2)).toBeCloseTo(Math.cbrt(2), 12);
    expect(brent(Math.cos, 1, 2)).toBeCloseTo(Math.PI / 2, 12);
    expect(brent((x) => Math.max(x - 1, -0.5) ** 3, 0, 5)).toBeCloseTo(1, 3);
    expect(brent((x) => (x < 0.3 ? -1 : 1), 0, 1)).toBeCloseTo(0.3, 9);
    expect(brent((x) => Math.exp(x) - 1e6, -5, 50)).toBeCloseTo(Math.log(1e6), 9);
  });

  it('takes an end that is a root', () => {
    expect(brent((x) => x - 1, 1, 3)).toBe(1);
    expect(brent((x) => x - 3, 1, 3)).toBe(3);
  });

  it('refuses an interval without a change of sign', () => {
    expect(() => brent((x) => x * x + 1, -1, 1)).toThrow('no change of sign between -1 and 1');
    expect(() => brent(() => Number.NaN, -1, 1)).toThrow(RangeError);
  });

  it('finds the root of any cubic that rises, in few calls', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (root, scale) => {
          let calls = 0;
          const found = brent(
            (x) => {
              calls += 1;
              return scale * ((x - root) ** 3 + (x - root));
            },
            -100,
            100,
          );
          expect(Math.abs(found - root)).toBeLessThan(1e-6);
          expect(calls).toBeLessThan(120);
        },
      ),
    );
  });
});

describe('firstRoot', () => {
  it('takes the first of several, and none where the sign stays', () => {
    expect(firstRoot((x) => (x - 2) * (x - 50), 1, 1000)).toBeCloseTo(2, 9);
    expect(firstRoot((x) => x, 1, 1000)).toBeUndefined();
    expect(firstRoot((x) => x - 1, 1, 1000)).toBe(1);
  });
});
