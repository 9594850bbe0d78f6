import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../src/quantity/dimension.ts';
import { evaluateExpression, parseAssignment, type ScopeValue } from '../../src/quantity/expression.ts';
import { formatQuantity } from '../../src/quantity/format-quantity.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';

const scope: ReadonlyMap<string, ScopeValue> = new Map<string, ScopeValue>([
  ['hardware.memory.bandwidth', { value: 3.35e12, dimension: 'bandwidth' }],
  ['hardware.memory.capacity', { value: 80 * 2 ** 30, dimension: 'bytes' }],
  ['hardware.matrix.fp8', { value: 1978.9e12, dimension: 'flop-rate' }],
  ['hardware.power.limit', { value: 700, dimension: 'power' }],
  ['cost.price', { value: 2 / 3600, dimension: 'price' }],
  ['workload.batch', { value: 64, dimension: 'count' }],
]);

describe('parseAssignment', () => {
  it('splits at the first equals sign', () => {
    expect(parseAssignment('hardware.memory.bandwidth=4.8 TB/s')).toEqual({
      path: 'hardware.memory.bandwidth',
      expression: '4.8 TB/s',
    });
    expect(parseAssignment(' a.b = a.b * 1.5 ')).toEqual({ path: 'a.b', expression: 'a.b * 1.5' });
  });

  it.each([
    ['a.b', "'a.b' sets nothing, expected a path and a value such as 'hardware.memory.bandwidth=4.8 TB/s'"],
    ['a.b=', "'a.b=' sets nothing, expected a path and a value such as 'hardware.memory.bandwidth=4.8 TB/s'"],
    [
      'a.__proto__.x=1',
      "'a.__proto__.x=1' does not start with a field path, expected one such as 'hardware.memory.bandwidth'",
    ],
    ['1a=1', "'1a=1' does not start with a field path, expected one such as 'hardware.memory.bandwidth'"],
  ])('refuses %s', (text, message) => {
    expect(() => parseAssignment(text)).toThrow(new QuantityError(message));
  });
});

describe('evaluateExpression', () => {
  // 3.35 TB/s x 1.5 = 5.025 TB/s; 3.35 + 1 = 4.35 TB/s; 80 GiB / 3.35 TB/s = 25.6 ms; 2 USD/h x 12 h = 24 USD.
  it.each<readonly [string, Dimension, number]>([
    ['4.8 TB/s', 'bandwidth', 4.8e12],
    ['hardware.memory.bandwidth * 1.5', 'bandwidth', 5.025e12],
    ['hardware.memory.bandwidth + 1 TB/s', 'bandwidth', 4.35e12],
    ['2 * (hardware.memory.bandwidth - 350 GB/s)', 'bandwidth', 6e12],
    ['hardware.memory.capacity / hardware.memory.bandwidth', 'time', (80 * 2 ** 30) / 3.35e12],
    ['hardware.matrix.fp8 / 2', 'flop-rate', 1978.9e12 / 2],
    ['min(hardware.power.limit, 600 W, 1 kW)', 'power', 600],
    ['max(hardware.power.limit, 600 W)', 'power', 700],
    ['cost.price * 12 h', 'money', 24],
    ['hardware.power.limit * 12 µs', 'energy', 0.0084],
    ['sqrt(workload.batch) ^ 2 / 2', 'count', 32],
    ['round(workload.batch * 0.7)', 'count', 45],
    ['exp(log(2))', 'ratio', 2],
    ['abs(-hardware.power.limit)', 'power', 700],
    ['+workload.batch', 'count', 64],
  ])('%s as %s is %d', (text, dimension, value) => {
    expect(evaluateExpression(text, scope, dimension)).toBeCloseTo(value, 9 - Math.ceil(Math.log10(value)));
  });

  it.each<readonly [string, Dimension, string]>([
    ['hardware.memory.bandwidth * 2', 'bytes', "gives a data rate, expected an amount of data such as '80 GB'"],
    ['hardware.memory.bandwidth + 1 GB', 'bandwidth', 'adds a data rate and an amount of data'],
    ['min(hardware.power.limit, 3)', 'power', 'compares a power and a pure number'],
    [
      'hardware.memory.bandwith * 2',
      'bandwidth',
      "uses the unknown name 'hardware.memory.bandwith', nearest: 'hardware.memory.bandwidth'",
    ],
    ['workload.batch / 3', 'count', 'gives 21.333333333333332, expected a whole number'],
    ['workload.batch - 100', 'count', 'gives a negative value'],
    ['workload.batch / 0', 'ratio', 'gives no finite number'],
    ['2 ^ hardware.power.limit', 'ratio', 'raises to the power of a power'],
    ['log(hardware.power.limit)', 'ratio', 'takes log of a power, expected a pure number'],
    ['sqrt(1, 2)', 'ratio', 'gives sqrt 2 arguments, expected 1'],
    ['2 +', 'ratio', 'cannot be read: unexpected end of expression (char 4)'],
    [`${'('.repeat(60)}1${')'.repeat(60)}`, 'ratio', 'is nested deeper than 50 levels'],
    [`1${' + 1'.repeat(60)}`, 'ratio', 'is nested deeper than 50 levels'],
    [`max(${'1,'.repeat(250)}1)`, 'ratio', 'has more than 200 parts'],
    ['1 '.repeat(600), 'ratio', 'is longer than 1000 characters'],
  ])('refuses %s as %s', (text, dimension, reason) => {
    const shown = text.length > 60 ? `${text.slice(0, 60)}...` : text;
    expect(() => evaluateExpression(text, scope, dimension, 'a.b')).toThrow(
      new QuantityError(`a.b: '${shown}' ${reason}`),
    );
  });

  it.each([
    ['x = 3', 'an assignment'],
    ['f(x) = x', 'a function definition'],
    ['workload[1]', 'an index in square brackets'],
    ['"text"', 'a text in quotes'],
    ['1; 2', 'more than one expression'],
    ['1:3', 'a range'],
    ['[1, 2]', 'a list'],
    ['{a: 1}', 'an object'],
    ['1 ? 2 : 3', 'a condition'],
    ['workload.batch!', 'the operator !'],
    ['workload.batch % 3', 'the operator %'],
    ['1 < 2 < 3', 'a comparison'],
    ['1 < 2', 'the operator <'],
    ['import(1)', "the function 'import'"],
    ['evaluate(1)', "the function 'evaluate'"],
    ['workload.constructor(1)', 'a function of a name'],
    ['NaN', 'the constant NaN'],
    ['1e400 + 1', 'the constant Infinity'],
    ['true', 'the constant true'],
  ])('understands no %s', (text, what) => {
    expect(() => evaluateExpression(text, scope, 'ratio')).toThrow(
      new QuantityError(
        `'${text}' holds ${what}; only numbers with units, named values, + - * / ^ ( ) and min, max, abs, sqrt, round, floor, ceil, log, exp are understood`,
      ),
    );
  });

  it('answers any text by a finite number or one sentence', () => {
    const pieces = [
      '1',
      '2.5',
      ' GB',
      '/s',
      '(',
      ')',
      '+',
      '-',
      '*',
      '^',
      'workload.batch',
      'min(',
      ',',
      '[',
      '"',
      '!',
      '=',
      ';',
      '.',
      '9^9^9',
    ];
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (written) => {
        try {
          const value = evaluateExpression(written, scope, 'ratio');
          return Number.isFinite(value) && value >= 0;
        } catch (error) {
          return error instanceof QuantityError;
        }
      }),
    );
  });

  it('gives a formatted value back, alone and in brackets', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e18, noNaN: true }), (value) => {
        const text = formatQuantity(value, 'bandwidth');
        const bracketed = evaluateExpression(`(${text})`, scope, 'bandwidth');
        return evaluateExpression(text, scope, 'bandwidth') === value && Math.abs(bracketed / value - 1) < 1e-14;
      }),
    );
  });

  it('survives the deepest texts that its length allows', () => {
    const texts = [
      '('.repeat(990),
      '-'.repeat(999),
      '1^'.repeat(499),
      'a.'.repeat(499),
      'sqrt('.repeat(199),
      '2^'.repeat(400),
    ];
    for (const text of texts) expect(() => evaluateExpression(`${text}1`, scope, 'ratio')).toThrow(QuantityError);
  });
});
