// Writes src/present/chart/inter-widths.ts from the fonts that PNG charts are drawn with; a test compares them.
import { readFile, writeFile } from 'node:fs/promises';
import { fontWidths } from './font-widths.ts';

const root = new URL('../', import.meta.url);

const literal = async (file: string): Promise<string> => {
  const widths = [...fontWidths(await readFile(new URL(`fonts/${file}`, root)))];
  const byWidth = new Map<number, string>();
  for (const [character, width] of widths) byWidth.set(width, `${byWidth.get(width) ?? ''}${character}`);
  return [...byWidth].map(([width, set]) => `  [${width}, ${JSON.stringify(set)}],\n`).join('');
};

const text = `// Written by scripts/build-font-widths.ts from fonts/*.ttf: characters by their advance width, in thousandths of the size.
export const regularWidths: readonly (readonly [width: number, characters: string])[] = [
${await literal('Inter-Regular.ttf')}];

export const semiBoldWidths: readonly (readonly [width: number, characters: string])[] = [
${await literal('Inter-SemiBold.ttf')}];
`;
await writeFile(new URL('src/present/chart/inter-widths.ts', root), text);
