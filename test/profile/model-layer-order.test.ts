import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLayerOrder, parseLayerOrder } from '../../src/profile/layer-order.ts';

const spelled = (text: string): string | undefined =>
  parseLayerOrder(text)
    ?.flatMap(({ name, count }) => Array.from({ length: count }, () => name))
    .join(' ');

describe('parseLayerOrder', () => {
  it.each([
    ['4 a', 'a a a a'],
    ['a, 2 b', 'a b b'],
    ['2 (2 a, b), a', 'a a b a a b a'],
    ['2 (a, 2 (b, c))', 'a b c b c a b c b c'],
    ['  2(a,b)  ', 'a b a b'],
  ])('reads %s', (text, names) => {
    expect(spelled(text)).toBe(names);
  });

  it('joins neighbours of one kind', () => {
    expect(parseLayerOrder('a, 2 a, b')).toEqual([
      { name: 'a', count: 3 },
      { name: 'b', count: 1 },
    ]);
  });

  it.each([
    '',
    ' ',
    '2',
    'a b',
    'a,',
    '(a',
    'a)',
    '0 a',
    '3 (a,)',
    '-1 a',
    '2.5 a',
    '99999 a',
    '1999 (a, b)',
    '9 (9 (9 (9 (9 a))))',
    'a; b',
  ])('refuses %j', (text) => {
    expect(parseLayerOrder(text)).toBeUndefined();
  });
});

describe('formatLayerOrder', () => {
  it.each([
    ['a a a', '3 a'],
    ['a b a b a b', '3 (a, b)'],
    ['l l l l l g l l l l l g l l', '2 (5 l, g), 2 l'],
    ['d d d s s s s', '3 d, 4 s'],
  ])('spells %s as %s', (names, text) => {
    expect(formatLayerOrder(names.split(' '))).toBe(text);
  });

  it('writes what parseLayerOrder reads', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'window-2'), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(names, (layers) => {
        expect(spelled(formatLayerOrder(layers))).toBe(layers.join(' '));
      }),
    );
  });
});
