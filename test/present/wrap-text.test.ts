import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignColumns } from '../../src/present/align-columns.ts';
import { wrapText } from '../../src/present/wrap-text.ts';

describe('wrapText', () => {
  it('breaks at blanks, indents what follows, keeps a number with its sign', () => {
    expect(wrapText('takes about 10 % off', 14, 2)).toEqual(['takes about', '  10 % off']);
    expect(wrapText('  two blanks first', 12)).toEqual(['  two blanks', 'first']);
    expect(wrapText('', 12)).toEqual(['']);
  });

  it('loses no word and keeps to the width unless one word is longer', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 40 }), (given, width) => {
        const lines = wrapText(given.join(' '), width, 2);
        expect(lines.join(' ').split(/ +/)).toEqual(given);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('alignColumns', () => {
  it('pads to the widest cell, without blanks at the end', () => {
    expect(
      alignColumns(
        [
          ['a', '1'],
          ['bbb', '22'],
        ],
        [1],
      ),
    ).toEqual(['a     1', 'bbb  22']);
  });
});
