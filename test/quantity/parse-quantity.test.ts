import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dimensionFacts, dimensions, type Dimension } from '../../src/quantity/dimension.ts';
import { formatQuantity } from '../../src/quantity/format-quantity.ts';
import { parseQuantity } from '../../src/quantity/parse-quantity.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';

// 3.35 TB/s = 3.35 x 10^12 bytes a second; 80 GiB = 80 x 2^30 = 85 899 345 920 bytes;
// 400 Gbit/s = 400 x 10^9 / 8 = 50 x 10^9 bytes/s; 2.49 USD/h = 2.49 / 3600 USD/s.
const cases: readonly (readonly [string, Dimension, number])[] = [
  ['3.35 TB/s', 'bandwidth', 3.35e12],
  ['3.35TB/s', 'bandwidth', 3.35e12],
  ['450 GB/s', 'bandwidth', 450e9],
  ['400 Gbit/s', 'bandwidth', 50e9],
  ['400 Gbps', 'bandwidth', 50e9],
  ['400 Gb/s', 'bandwidth', 50e9],
  ['0 GB/s', 'bandwidth', 0],
  ['80 GiB', 'bytes', 85_899_345_920],
  ['80 GB', 'bytes', 80e9],
  ['1e3 kB', 'bytes', 1e6],
  ['989.4 TFLOP/s', 'flop-rate', 989.4e12],
  ['1978.9 TOP/s', 'flop-rate', 1978.9e12],
  ['989.4 TFLOPS', 'flop-rate', 989.4e12],
  ['9 PFLOP/s', 'flop-rate', 9e15],
  ['700 W', 'power', 700],
  ['1.2 kW', 'power', 1200],
  ['1.2 kWh', 'energy', 4.32e6],
  ['1.8 GHz', 'frequency', 1.8e9],
  ['12 us', 'time', 12e-6],
  ['12 µs', 'time', 12e-6],
  ['12 μs', 'time', 12e-6],
  ['1.8 ms', 'time', 1.8e-3],
  ['5 min', 'time', 300],
  ['4.5 bits', 'bits', 4.5],
  ['25000 USD', 'money', 25_000],
  ['2.49 USD/h', 'price', 2.49 / 3600],
  ['$2.49 per hour', 'price', 2.49 / 3600],
  ['0.12 USD/kWh', 'energy-price', 0.12 / 3.6e6],
  ['4 req/s', 'request-rate', 4],
  ['120 requests/min', 'request-rate', 2],
  ['120 tok/s', 'token-rate', 120],
  ['64', 'count', 64],
  ['2e3', 'count', 2000],
  ['0.9', 'ratio', 0.9],
  ['90 %', 'ratio', 0.9],
];

describe('parseQuantity', () => {
  it.each(cases)('reads %s as %s', (text, dimension, value) => {
    expect(parseQuantity(text, dimension)).toBe(value);
  });

  it.each<readonly [string, Dimension, string]>([
    ['80 GB', 'bandwidth', "a.b: '80 GB' is an amount of data, expected a rate such as '3.35 TB/s'"],
    ['3.35 TB/s', 'bytes', "a.b: '3.35 TB/s' is a data rate, expected an amount of data such as '80 GB'"],
    ['12 GHz', 'flop-rate', "a.b: '12 GHz' is a frequency, expected operations a second such as '989.4 TFLOP/s'"],
    ['12 kg', 'bytes', "a.b: '12 kg' is another kind of quantity, expected an amount of data such as '80 GB'"],
    ['3.35 tb/s', 'bandwidth', "a.b: '3.35 tb/s' has the unknown unit 'tb/s', nearest known unit 'TB/s'"],
    ['80 gib', 'bytes', "a.b: '80 gib' has the unknown unit 'gib', nearest known unit 'GiB'"],
    ['3.35', 'bandwidth', "a.b: '3.35' has no unit, expected a rate such as '3.35 TB/s'"],
    ['NaN W', 'power', "a.b: 'NaN W' is not a number with a unit, expected a power such as '700 W'"],
    ['Infinity s', 'time', "a.b: 'Infinity s' is not a number with a unit, expected a time such as '12 us'"],
    ['1e999 s', 'time', "a.b: '1e999 s' is too large, expected a time such as '12 us'"],
    ['-3 GB', 'bytes', "a.b: '-3 GB' is negative, expected an amount of data such as '80 GB'"],
    ['1,000 GB', 'bytes', "a.b: '1,000 GB' has a comma in the number, expected digits with a point"],
    ['', 'bytes', "a.b: '' is not a number with a unit, expected an amount of data such as '80 GB'"],
    ['1.5', 'count', "a.b: '1.5' is not a whole number, expected a whole number such as '64'"],
    ['64 GB', 'count', "a.b: '64 GB' is an amount of data, expected a whole number such as '64'"],
    ['32k', 'count', "a.b: '32k' has 'k' behind the number, expected a whole number such as '64'"],
  ])('refuses %s as %s', (text, dimension, message) => {
    expect(() => parseQuantity(text, dimension, 'a.b')).toThrow(new QuantityError(message));
  });

  it('answers any text by a number of at least 0 or one sentence', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' })),
        fc.constantFrom(...dimensions),
        (text, dimension) => {
          try {
            const value = parseQuantity(text, dimension);
            return Number.isFinite(value) && value >= 0;
          } catch (error) {
            return error instanceof QuantityError;
          }
        },
      ),
    );
  });

  it('reads back exactly what formatQuantity wrote', () => {
    const value = fc.oneof(
      fc.double({ min: 0, max: 1e300, noNaN: true }),
      fc.nat().map((n) => n * 2 ** 20),
      fc.nat().map((n) => n * 1e9),
      fc.nat().map((n) => n / 1e9),
      fc.nat({ max: 100_000 }).map((cents) => cents / 100 / 3600),
    );
    for (const dimension of dimensions) {
      const inRange = dimension === 'count' ? fc.nat({ max: Number.MAX_SAFE_INTEGER }) : value;
      fc.assert(fc.property(inRange, (x) => Object.is(parseQuantity(formatQuantity(x, dimension), dimension), x)));
    }
  });

  it('names for each dimension an example that it reads', () => {
    for (const dimension of dimensions)
      expect(parseQuantity(dimensionFacts[dimension].example, dimension)).toBeGreaterThan(0);
  });
});
