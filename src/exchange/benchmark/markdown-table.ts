import { BenchmarkError, tooManyValues } from './messages.ts';

/** A table of pipes with the line of each row. */
export interface MarkdownTable {
  readonly header: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly line: number }[];
}

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** Rows of all tables of a text: a run each at most. */
const mostRows = 100_000;

/** Every pipe table of a text. @throws BenchmarkError for more rows than fit. */
export function markdownTables(text: string, where: string): readonly MarkdownTable[] {
  const lines = text.split('\n');
  const tables: { header: readonly string[]; rows: { cells: readonly string[]; line: number }[] }[] = [];
  let open: (typeof tables)[number] | undefined;
  let count = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.trim().startsWith('|')) {
      open = undefined;
      continue;
    }
    count += 1;
    if (count > mostRows) throw new BenchmarkError(tooManyValues(where, 'rows', mostRows));
    const cells = cellsOf(line);
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) {
      open = { header: cellsOf(lines[index - 1] ?? ''), rows: [] };
      tables.push(open);
    } else if (open !== undefined) {
      open.rows.push({ cells, line: index + 1 });
    }
  }
  return tables;
}
