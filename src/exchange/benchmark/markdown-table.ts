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

/** Every pipe table of a text; rows with another number of cells end it. */
export function markdownTables(text: string): readonly MarkdownTable[] {
  const lines = text.split('\n');
  const tables: { header: readonly string[]; rows: { cells: readonly string[]; line: number }[] }[] = [];
  let open: (typeof tables)[number] | undefined;
  for (const [index, line] of lines.entries()) {
    if (!line.trim().startsWith('|')) {
      open = undefined;
      continue;
    }
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
