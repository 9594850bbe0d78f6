import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../src/quantity/dimension.ts';
import { formatQuantity, formatRounded } from '../../src/quantity/format-quantity.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';

describe('formatQuantity', () => {
  // 85 899 345 920 bytes = 80 x 2^30; 81 559 baseline bytes have no short binary form; 0.000012 s = 12 µs.
  it.each<readonly [number, Dimension, string]>([
    [3.35e12, 'bandwidth', '3.35 TB/s'],
    [85_899_345_920, 'bytes', '80 GiB'],
    [80e9, 'bytes', '80 GB'],
    [81_559, 'bytes', '81.559 kB'],
    [0, 'bytes', '0 B'],
    [989.4e12, 'flop-rate', '989.4 TFLOP/s'],
    [12e-6, 'time', '12 µs'],
    [0.1 + 0.2, 'time', '300.00000000000004 ms'],
    [1e30, 'bandwidth', '1000000000000000 PB/s'],
    [2.49 / 3600, 'price', '2.49 USD/h'],
    [8_030_261_248, 'count', '8030261248'],
    [0.92, 'ratio', '0.92'],
  ])('writes %d as %s: %s', (value, dimension, text) => {
    expect(formatQuantity(value, dimension)).toBe(text);
  });

  it('refuses what is no quantity', () => {
    expect(() => formatQuantity(Number.NaN, 'time')).toThrow(
      new QuantityError('NaN is not a time, expected a finite number of at least 0'),
    );
    expect(() => formatQuantity(-1, 'bytes')).toThrow(QuantityError);
    expect(() => formatQuantity(1.5, 'count')).toThrow(new QuantityError('1.5 is not a whole number'));
  });
});

describe('formatRounded', () => {
  // 13 314 398 617 bytes / 2^30 = 12.4 GiB; 0.99996 ms rounds to 1 ms, not to 1000 µs.
  it.each<readonly [number, Dimension, string]>([
    [3.352e12, 'bandwidth', '3.35 TB/s'],
    [0.041_23, 'time', '41.2 ms'],
    [0.000_999_96, 'time', '1 ms'],
    [95.31, 'time', '95.3 s'],
    [1234.5, 'time', '1235 s'],
    [13_314_398_617, 'bytes', '12.4 GiB'],
    [2.49 / 3600, 'price', '2.49 USD/h'],
    [700, 'power', '700 W'],
    [1234.4, 'token-rate', '1234 tok/s'],
    [1234, 'count', '1234'],
    [0.123_45, 'ratio', '0.123'],
    [-0.041_23, 'time', '-41.2 ms'],
    [0, 'time', '0 s'],
    [Number.POSITIVE_INFINITY, 'time', '∞ s'],
    [Number.NaN, 'time', 'not a number'],
  ])('writes %d as %s: %s', (value, dimension, text) => {
    expect(formatRounded(value, dimension)).toBe(text);
  });
});
