import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestPlace, boxOf, placesAround, tieOf } from '../../src/present/chart/label-place.ts';

const area = { left: 0, right: 200, top: 0, bottom: 100 };
const nothing = { boxes: [], lines: [] };

describe('the place of a label', () => {
  it('is the first where nothing is in the way: above and to the left', () => {
    const place = bestPlace(40, placesAround({ x: 100, y: 50 }, 5), nothing, area);
    expect(place.align).toBe('right');
    expect(place.x).toBeLessThan(100);
    expect(place.y).toBeLessThan(50);
  });

  it('is on the free side of a line through the point', () => {
    // A falling line covers the upper left and the lower right.
    const line = [
      { x: 0, y: 0 },
      { x: 200, y: 100 },
    ];
    const place = bestPlace(40, placesAround({ x: 100, y: 50 }, 5), { boxes: [], lines: [line] }, area);
    const box = boxOf(40, place);
    expect((box.left >= 100 && box.bottom <= 50) || (box.right <= 100 && box.top >= 50)).toBe(true);
  });

  it('is never outside of the plot where one place is inside', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 195 }), fc.integer({ min: 20, max: 80 }), (x, y) => {
        const box = boxOf(60, bestPlace(60, placesAround({ x, y }, 5), nothing, area));
        expect(box.left >= 0 && box.right <= 200 && box.top >= 0 && box.bottom <= 100).toBe(true);
      }),
    );
  });

  it('avoids another label', () => {
    const first = boxOf(40, bestPlace(40, placesAround({ x: 100, y: 50 }, 5), nothing, area));
    const second = boxOf(40, bestPlace(40, placesAround({ x: 100, y: 50 }, 5), { boxes: [first], lines: [] }, area));
    expect(
      second.left >= first.right ||
        second.right <= first.left ||
        second.top >= first.bottom ||
        second.bottom <= first.top,
    ).toBe(true);
  });

  it('is tied to its point only from afar', () => {
    const box = { left: 10, right: 50, top: 10, bottom: 24 };
    expect(tieOf(box, { x: 60, y: 20 })).toBeUndefined();
    // 30 px below the lower edge.
    expect(tieOf(box, { x: 30, y: 54 })).toEqual([
      { x: 30, y: 54 },
      { x: 30, y: 24 },
    ]);
  });
});
