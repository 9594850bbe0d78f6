import { digits } from './clock-time.ts';
import type { Table } from './estimate-rows.ts';
import { plainText } from './plain-text.ts';

/**
 * A table as CSV (RFC 4180): full precision, fields quoted where needed, lines end in CRLF. A field that a spreadsheet
 * would run as a formula gets an apostrophe in front.
 */
export function tableCsv({ headers, rows }: Table): string {
  return [headers, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table in Markdown with three significant digits; numbers align right, pipes and line breaks are escaped. */
export function tableMarkdown({ headers, rows }: Table): string {
  const numeric = headers.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [
    line(headers.map(markdownCell)),
    line(numeric.map((right) => (right ? '---:' : '---'))),
    ...rows.map((row) => line(row.map((value) => (typeof value === 'number' ? digits(value) : markdownCell(value))))),
  ].join('');
}

const markdownCell = (text: string): string => plainText(text).replace(/[\\|<>`*_[\]]/g, '\\$&');
