/** Characters that charts use: Latin 1 and the punctuation, arrows and signs of our own texts. */
const characters: readonly number[] = [
  ...Array.from({ length: 0x7e - 0x20 + 1 }, (_, index) => 0x20 + index),
  ...Array.from({ length: 0xff - 0xa0 + 1 }, (_, index) => 0xa0 + index),
  ...Array.from('–—‘’“”…•−×→≤≥≈µ', (character) => character.codePointAt(0) ?? 0),
];

/**
 * Advance widths of a TrueType font in thousandths of the font size, by character.
 * OpenType 1.9: tables head (unitsPerEm), hhea (numberOfHMetrics), hmtx and cmap (format 4).
 */
export function fontWidths(font: Buffer): ReadonlyMap<string, number> {
  const tables = new Map<string, number>();
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const at = 12 + 16 * index;
    tables.set(font.toString('latin1', at, at + 4), font.readUInt32BE(at + 8));
  }
  const table = (name: string): number => {
    const at = tables.get(name);
    if (at === undefined) throw new RangeError(`the font has no table ${name}`);
    return at;
  };
  const unitsPerEm = font.readUInt16BE(table('head') + 18);
  const metrics = font.readUInt16BE(table('hhea') + 34);
  const width = (glyph: number): number => font.readUInt16BE(table('hmtx') + 4 * Math.min(glyph, metrics - 1));
  const glyphOf = characterMap(font, table('cmap'));
  return new Map(
    [...new Set(characters)].flatMap((code) => {
      const glyph = glyphOf(code);
      return glyph === 0 ? [] : [[String.fromCodePoint(code), Math.round((1000 * width(glyph)) / unitsPerEm)]];
    }),
  );
}

function characterMap(font: Buffer, cmap: number): (code: number) => number {
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => {
    return cmap + font.readUInt32BE(cmap + 4 + 8 * index + 4);
  });
  const start = subtables.find((at) => font.readUInt16BE(at) === 4);
  if (start === undefined) throw new RangeError('the font has no character map of format 4');
  const segments = font.readUInt16BE(start + 6) / 2;
  const [ends, starts] = [start + 14, start + 16 + 2 * segments];
  const [deltas, offsets] = [starts + 2 * segments, starts + 4 * segments];
  return (code) => {
    for (let index = 0; index < segments; index++) {
      if (code > font.readUInt16BE(ends + 2 * index)) continue;
      const first = font.readUInt16BE(starts + 2 * index);
      if (code < first) return 0;
      const delta = font.readUInt16BE(deltas + 2 * index);
      const offset = font.readUInt16BE(offsets + 2 * index);
      if (offset === 0) return (code + delta) & 0xffff;
      const glyph = font.readUInt16BE(offsets + 2 * index + offset + 2 * (code - first));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}
