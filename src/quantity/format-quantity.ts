import { dimensionFacts, type Dimension } from './dimension.ts';
import { QuantityError } from './quantity-error.ts';

const decimalPrefixes = [
  { symbol: 'n', power: -9 },
  { symbol: 'µ', power: -6 },
  { symbol: 'm', power: -3 },
  { symbol: '', power: 0 },
  { symbol: 'k', power: 3 },
  { symbol: 'M', power: 6 },
  { symbol: 'G', power: 9 },
  { symbol: 'T', power: 12 },
  { symbol: 'P', power: 15 },
] as const;

const binaryPrefixes = [
  { symbol: '', factor: 1 },
  { symbol: 'Ki', factor: 2 ** 10 },
  { symbol: 'Mi', factor: 2 ** 20 },
  { symbol: 'Gi', factor: 2 ** 30 },
  { symbol: 'Ti', factor: 2 ** 40 },
] as const;

/** Smallest and largest power of ten that a dimension's unit takes as a prefix. */
const prefixRange: Readonly<Record<Dimension, readonly [number, number]>> = {
  bytes: [0, 15],
  bandwidth: [0, 15],
  work: [0, 15],
  'flop-rate': [0, 15],
  power: [-3, 6],
  energy: [-3, 9],
  frequency: [0, 9],
  time: [-9, 0],
  bits: [0, 0],
  money: [0, 0],
  price: [0, 0],
  'energy-price': [0, 0],
  'request-rate': [0, 0],
  'token-rate': [0, 0],
  count: [0, 0],
  ratio: [0, 0],
};

/** Units in which prices are spoken of, and how many of the program's unit one of them is divided into. */
const spokenUnits: Readonly<Partial<Record<Dimension, { readonly unit: string; readonly divisor: number }>>> = {
  price: { unit: 'USD/h', divisor: 3600 },
  'energy-price': { unit: 'USD/kWh', divisor: 3.6e6 },
};

/**
 * Writes an SI number as a quantity that `parseQuantity` reads back to exactly the same number.
 * @throws QuantityError for a value that is negative or not finite, and for a count that is not whole.
 */
export function formatQuantity(value: number, dimension: Dimension): string {
  if (!Number.isFinite(value) || value < 0) {
    throw new QuantityError(
      `${String(value)} is not ${dimensionFacts[dimension].noun}, expected a finite number of at least 0`,
    );
  }
  if (dimension === 'count' && !Number.isSafeInteger(value)) {
    throw new QuantityError(`${String(value)} is not a whole number`);
  }
  const { base } = dimensionFacts[dimension];
  const spoken = spokenUnits[dimension];
  if (spoken !== undefined) {
    const number = Number((value * spoken.divisor).toPrecision(15));
    if (number / spoken.divisor === value) return `${String(number)} ${spoken.unit}`;
  }
  const binary = dimension === 'bytes' ? binaryPrefixes.findLast(({ factor }) => value % factor === 0) : undefined;
  if (binary !== undefined && binary.factor > 1 && value > 0) {
    const short = `${String(value / binary.factor)} ${binary.symbol}B`;
    const long = decimal(value, dimension, base);
    return short.length <= long.length ? short : long;
  }
  return decimal(value, dimension, base);
}

/** Shifts the decimal point of the shortest exact decimal, so that no digit changes. */
function decimal(value: number, dimension: Dimension, base: string): string {
  if (base === '') return String(value);
  const prefix = prefixFor(value, dimension);
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const shifted = Number(exponent) - prefix.power;
  return `${plain(digits, shifted)} ${prefix.symbol}${base}`;
}

function prefixFor(value: number, dimension: Dimension): (typeof decimalPrefixes)[number] {
  const [lowest, highest] = prefixRange[dimension];
  const allowed = decimalPrefixes.filter(({ power }) => power >= lowest && power <= highest);
  const fitting = allowed.findLast(({ power }) => value >= 10 ** power);
  const none = decimalPrefixes[3];
  return value === 0 ? none : (fitting ?? allowed[0] ?? none);
}

/** '3.35', 2 -> '335'; far exponents stay scientific. */
function plain(digits: string, exponent: number): string {
  if (exponent < -6 || exponent > 20) return `${digits}e${String(exponent)}`;
  const [whole = '', fraction = ''] = digits.split('.');
  const all = whole + fraction;
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${all}`;
  const point = exponent + 1;
  return all.length <= point ? all.padEnd(point, '0') : `${all.slice(0, point)}.${all.slice(point)}`;
}

/**
 * Writes a quantity for reading: '3.35 TB/s', '41.2 ms', '12.4 GiB' (capacities are binary), '2.49 USD/h'.
 * Negative differences keep their sign; an unbounded value is '∞' with its base unit.
 * @param digits Significant digits; trailing zeros are not written.
 */
export function formatRounded(value: number, dimension: Dimension, digits = 3): string {
  const { base } = dimensionFacts[dimension];
  if (Number.isNaN(value)) return 'not a number';
  if (value < 0) return `-${formatRounded(-value, dimension, digits)}`;
  if (!Number.isFinite(value)) return base === '' ? '∞' : `∞ ${base}`;
  const spoken = spokenUnits[dimension];
  if (spoken !== undefined) return `${rounded(value * spoken.divisor, digits)} ${spoken.unit}`;
  if (base === '') return rounded(value, digits);
  if (dimension === 'bytes') {
    const binary = binaryPrefixes.findLast(({ factor }) => value >= factor) ?? binaryPrefixes[0];
    return `${rounded(value / binary.factor, digits)} ${binary.symbol}B`;
  }
  // Rounding first: 999.96 us is 1 ms, not 1000 us.
  const prefix = prefixFor(Number(value.toPrecision(digits)), dimension);
  return `${rounded(value / 10 ** prefix.power, digits)} ${prefix.symbol}${base}`;
}

function rounded(value: number, digits: number): string {
  // Integers keep all their digits: 1234 tokens are not 1230.
  return value >= 10 ** digits ? String(Math.round(value)) : String(Number(value.toPrecision(digits)));
}
