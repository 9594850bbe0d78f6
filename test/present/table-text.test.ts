import { describe, expect, it } from 'vitest';
import { tableCsv, tableMarkdown } from '../../src/present/table-text.ts';

const table = {
  headers: ['name', 'time (ms)'],
  rows: [
    ['a "quoted", |piped| *name*', 1.23456],
    ['=SUM(A1)', 0.1 + 0.2],
    ['two\nlines', 12345],
  ],
};

describe('tableCsv', () => {
  it('quotes what needs it, keeps every digit, and disarms formulas', () => {
    expect(tableCsv(table)).toBe(
      'name,time (ms)\r\n"a ""quoted"", |piped| *name*",1.23456\r\n\'=SUM(A1),0.30000000000000004\r\n"two\nlines",12345\r\n',
    );
  });
});

describe('tableMarkdown', () => {
  it('escapes what Markdown would read, and rounds', () => {
    expect(tableMarkdown(table)).toBe(`\
| name | time (ms) |
| --- | ---: |
| a "quoted", \\|piped\\| \\*name\\* | 1.23 |
| =SUM(A1) | 0.300 |
| two\\\\u{a}lines | 12,345 |
`);
  });
});
