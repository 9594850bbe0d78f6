import { describe, expect, it } from 'vitest';
import { powerCapped } from '../../src/roofline/power-cap.ts';
import { toyHardware } from '../support/toy.ts';

// 30 of 100 W are fixed. At 47.5 W, 17.5 of 70 W are left for the clock: (1/4)^(1/3) = 0.62996 of the peak.

describe('a power cap', () => {
  it('takes the cube root of what it leaves off the peaks, and nothing off the memory', () => {
    const capped = powerCapped(toyHardware, 47.5);
    expect(capped.matrix.fp16).toBeCloseTo(1e12 * Math.cbrt(0.25), 0);
    expect(capped.memory).toEqual(toyHardware.memory);
    expect(capped.power.limit).toBe(47.5);
  });

  it('changes nothing where no limit is known', () => {
    const { matrix } = powerCapped({ ...toyHardware, power: {} }, 50);
    expect(matrix).toEqual(toyHardware.matrix);
  });
});
