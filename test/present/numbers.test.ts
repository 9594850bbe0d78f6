import { describe, expect, it } from 'vitest';
import { clockTime, digits, percent } from '../../src/present/clock-time.ts';

describe('clockTime', () => {
  it.each([
    [0, '0 ms'],
    [26.4e-6, '0.0264 ms'],
    [0.0225, '22.5 ms'],
    [0.9996, '1.00 s'],
    [7.29, '7.29 s'],
    [754, '12.6 min'],
    [3597, '1 h 0 min'],
    [3600, '1 h 0 min'],
    [10_000, '2 h 47 min'],
    [359_969, '99 h 59 min'],
    [359_970, '100 h'],
    [4.2e6, '1,167 h'],
    [Infinity, 'unbounded'],
    [-0.5, '-500 ms'],
  ])('%d s is %s', (seconds, text) => {
    expect(clockTime(seconds)).toBe(text);
  });
});

describe('digits', () => {
  it.each([
    [0.000123456, '1.23e-4'],
    [0.876, '0.876'],
    [44.44, '44.4'],
    [999.6, '1,000'],
    [18925.4, '18,925'],
  ])('%d is %s', (value, text) => {
    expect(digits(value)).toBe(text);
  });
});

describe('percent', () => {
  it.each([
    [0, '0 %'],
    [0.0004, 'under 0.1 %'],
    [0.004, '0.4 %'],
    [0.714, '71 %'],
  ])('%d is %s', (share, text) => {
    expect(percent(share)).toBe(text);
  });
});
