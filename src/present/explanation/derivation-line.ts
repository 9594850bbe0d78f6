import type { Formula } from '../../operator/formula/formula.ts';
import type { Dimension } from '../../quantity/dimension.ts';
import { formatRounded } from '../../quantity/format-quantity.ts';

/** One line of a derivation; a formula holds numbers with units and gives a value of its dimension. */
export interface DerivationLine {
  readonly text: string;
  readonly formula?: { readonly expression: string; readonly value: number; readonly dimension: Dimension };
}

/** Digits of printed numbers: enough for a formula to give its result again within a thousandth. */
const precision = 6;

export const plain = (text: string): DerivationLine => ({ text });

/** 'label = expression = result'. */
export const equation = (
  label: string,
  expression: string,
  value: number,
  dimension: Dimension = 'time',
): DerivationLine => ({
  text: `${label} = ${expression} = ${result(value, dimension)}`,
  formula: { expression, value, dimension },
});

/** A count from shapes: the sum in words, and under it in numbers. */
export function countLines(
  label: string,
  { words, numbers }: Formula,
  value: number,
  dimension: 'work' | 'bytes' | 'ratio',
): readonly DerivationLine[] {
  const unit = { work: ' * 1 FLOP', bytes: ' * 1 B', ratio: '' }[dimension];
  const bare = unit === '' || !/ [+-] /.test(withoutBrackets(numbers)) ? numbers : `(${numbers})`;
  return [plain(`${label}: ${words}`), equation(label.replace(/\S.*$/, ' '), `${bare}${unit}`, value, dimension)];
}

/** What stands outside of all brackets. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === '(') depth += 1;
    if (depth === 0) outside += character;
    if (character === ')') depth -= 1;
  }
  return outside;
}

const result = (value: number, dimension: Dimension): string =>
  dimension === 'ratio' ? share(value) : formatRounded(value, dimension, dimension === 'time' ? 3 : precision);

export const time = (seconds: number): string => formatRounded(seconds, 'time', precision);
export const work = (flops: number): string => formatRounded(flops, 'work', precision);
export const bytes = (count: number): string => formatRounded(count, 'bytes', precision);
export const share = (value: number): string => String(Number(value.toPrecision(precision)));

/** A number of bytes to the last digit, where a whole number of something comes out. */
export const exactBytes = (count: number): string => `${String(Number(count.toPrecision(15)))} B`;

/** Relative difference that sums of doubles may have. */
export const rounding = 1e-9;
