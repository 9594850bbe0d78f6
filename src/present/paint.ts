/** Marks parts of a text for a terminal. Escapes are added after all widths are counted. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly warning: (text: string) => string;
}

const same = (text: string): string => text;

/** No escapes: files, pipes, NO_COLOR. */
export const plainPaint: Paint = { strong: same, quiet: same, warning: same };

const escaped =
  (code: number, end: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[${end}m`;

/** ANSI: bold, dim, yellow. */
export const terminalPaint: Paint = { strong: escaped(1, 22), quiet: escaped(2, 22), warning: escaped(33, 39) };
