import { regularWidths, semiBoldWidths } from './inter-widths.ts';

/** A capital em of anything that the table lacks (other alphabets) would be too wide, a digit too narrow. */
const unknownWidth = 700;

type Widths = ReadonlyMap<string, number>;

const tableOf = (rows: typeof regularWidths): Widths =>
  new Map(
    rows.flatMap(([width, characters]) => Array.from(characters, (character): [string, number] => [character, width])),
  );

let tables: { readonly regular: Widths; readonly semiBold: Widths } | undefined;

/** Pixels that a line of text takes in Inter, without kerning. */
export function textWidth(text: string, size: number, isBold = false): number {
  tables ??= { regular: tableOf(regularWidths), semiBold: tableOf(semiBoldWidths) };
  const table = isBold ? tables.semiBold : tables.regular;
  let thousandths = 0;
  for (const character of text) thousandths += table.get(character) ?? unknownWidth;
  return (thousandths * size) / 1000;
}

/** Breaks a text at blanks so that no line is wider than `pixels`, unless one word is. */
export function wrapToWidth(text: string, pixels: number, size: number, isBold = false): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, size, isBold) > pixels) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
