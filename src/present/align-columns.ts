/** Rows of cells with every column as wide as its widest cell; `right` names the columns that align right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
  gap = 2,
): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}
