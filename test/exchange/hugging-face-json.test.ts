import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/exchange/hugging-face/messages.ts';
import { largestText, parseJson } from '../../src/exchange/hugging-face/parse-json.ts';

const read = (text: string): unknown => parseJson(text, 'config.json');

describe('parseJson', () => {
  it('takes the three words that Python writes for numbers', () => {
    expect(read('{"time_step_limit": [0.0, Infinity], "low": -Infinity, "none": NaN}')).toEqual({
      time_step_limit: [0, Number.POSITIVE_INFINITY],
      low: Number.NEGATIVE_INFINITY,
      none: Number.NaN,
    });
  });

  it('agrees with JSON.parse on everything that JSON.stringify writes', () => {
    const safe = fc
      .jsonValue({ maxDepth: 6 })
      .filter((value) => !/__proto__|constructor|prototype/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(safe, fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('skips a byte order mark', () => {
    expect(read('\uFEFF{"a": 1}')).toEqual({ a: 1 });
  });

  it.each([
    ['{"a": 1,}', 'config.json: not valid JSON at line 1, column 9, expected a key in double quotes.'],
    ['{\n  "a" 1}', "config.json: not valid JSON at line 2, column 7, expected ':' after the key."],
    ['[1 2]', "config.json: not valid JSON at line 1, column 4, expected ',' or ']'."],
    ['{"a": 01}', "config.json: not valid JSON at line 1, column 8, expected ',' or '}'."],
    ['{"a": infinity}', 'config.json: not valid JSON at line 1, column 7, expected a value.'],
    ["{'a': 1}", 'config.json: not valid JSON at line 1, column 2, expected a key in double quotes.'],
    ['{"a": "\\q"}', 'config.json: not valid JSON at line 1, column 7, expected a string with valid escapes.'],
    ['{} {}', 'config.json: not valid JSON at line 1, column 4, expected the end of the text.'],
    [
      '{"a":\n {"b": 1}',
      'config.json: the JSON text ends at line 2, column 10 before its last bracket is closed, the file seems to be cut short.',
    ],
    [
      '{"a": "b',
      'config.json: the JSON text ends at line 1, column 9 before its last bracket is closed, the file seems to be cut short.',
    ],
    [
      '',
      'config.json: the JSON text ends at line 1, column 1 before its last bracket is closed, the file seems to be cut short.',
    ],
    [
      '{"__proto__": {"a": 1}}',
      "config.json: the key '__proto__' at line 1, column 2 is refused, no file has a field of that name.",
    ],
    [
      '{"a": {"constructor": 1}}',
      "config.json: the key 'constructor' at line 1, column 8 is refused, no file has a field of that name.",
    ],
    [
      '{"\\u005f_proto__": 1}',
      "config.json: the key '__proto__' at line 1, column 2 is refused, no file has a field of that name.",
    ],
    [
      '{"a": 1, "a": 2}',
      "config.json: the key 'a' at line 1, column 10 stands twice in its object, which of them holds is not defined.",
    ],
  ])('refuses %s', (text, sentence) => {
    expect(() => read(text)).toThrow(new ConfigurationError(sentence));
  });

  it('refuses nesting that no configuration has, without overflowing the stack', () => {
    expect(() => read('['.repeat(100_000))).toThrow('nested more than 64 deep at line 1, column 66');
  });

  // Two characters of text become an object of a hundred bytes: 64 million would not fit into memory.
  it.each([
    ['objects', `[${'{},'.repeat(1_000_000)}{}]`, 'more than 1000000 objects and lists'],
    ['keys', `{${Array.from({ length: 100_001 }, (_, index) => `"k${index}":1`).join()}}`, 'more than 100000 keys'],
    ['values', `[${'1,'.repeat(5_000_000)}1]`, 'more than 5000000 values'],
  ])('refuses %s without number', (_, text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });

  it('refuses more text than any configuration has', () => {
    expect(() => read(' '.repeat(largestText + 1))).toThrow(
      'config.json: the text has 67108865 characters, expected at most 67108864.',
    );
  });
});
