import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, shortened } from '../../src/present/plain-text.ts';

describe('plainText', () => {
  it('shows what could move a cursor or turn a line as an escape', () => {
    expect(plainText('a\u001b[2Jb\r\nc\u202ed\u2028e')).toBe('a\\u{1b}[2Jb\\u{d}\\u{a}c\\u{202e}d\\u{2028}e');
    expect(plainText('\ud800x')).toBe('\\u{d800}x');
  });

  it('leaves the writing of the world as it is', () => {
    expect(plainText('Größe 模型 😀 µs')).toBe('Größe 模型 😀 µs');
  });

  it('never lets a control character through, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainText(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe('shortened', () => {
  it('marks the cut', () => {
    expect(shortened('abcdefgh', 8)).toBe('abcdefgh');
    expect(shortened('abcdefghi', 8)).toBe('abcde...');
  });
});
