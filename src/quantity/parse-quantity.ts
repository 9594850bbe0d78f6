import { dimensionFacts, type Dimension } from './dimension.ts';
import { QuantityError } from './quantity-error.ts';
import { baseUnit, describePowers, nearestUnit, samePowers, unitFactor } from './units.ts';

// Decimal literals only: no Infinity, NaN, hexadecimal or thousands separators. The unit starts with a letter.
const form = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,4}))?\s*(\S.*)?$/;

/**
 * Reads a quantity as people write it and gives it in the program's unit.
 * @param text '3.35 TB/s', '80 GiB', '989.4 TFLOP/s', '12 µs', '2.49 USD/h', '64', '90 %' ...
 * @param dimension What its place wants; a bare number is accepted for counts and ratios only.
 * @param where Field path for the message: 'hardware.memory.bandwidth'.
 * @returns SI number: bytes, bytes/s, FLOP/s, W, J, Hz, s, bits, USD, USD/s, USD/J, req/s, tok/s. The double that is
 *   nearest to the decimal as written, wherever the unit is a power of ten.
 * @throws QuantityError for the wrong dimension, an unknown unit, or a value that is negative or not finite.
 */
export function parseQuantity(text: string, dimension: Dimension, where?: string): number {
  const facts = dimensionFacts[dimension];
  const wanted = `expected ${facts.expected} such as '${facts.example}'`;
  const shown = text.length > 60 ? `${text.slice(0, 60)}...` : text;
  const fail = (reason: string): QuantityError =>
    new QuantityError(`${where === undefined ? '' : `${where}: `}'${shown}' ${reason}`);

  if (/^\s*[+-]?\d{1,3}(,\d{3})+/.test(text)) throw fail('has a comma in the number, expected digits with a point');
  const match = text.length > 200 ? null : form.exec(normalise(text));
  if (match === null) throw fail(`is not a number with a unit, ${wanted}`);
  const [, sign = '', digits = '', exponent = '0', unitText = ''] = match;
  const number = { digits, exponent: Number(exponent) };

  const value = unitText === '' ? bare(number, facts.base, fail, wanted) : withUnit(number, unitText, dimension, fail);
  if (!Number.isFinite(value)) throw fail(`is too large, ${wanted}`);
  if (sign === '-' && value !== 0) throw fail(`is negative, ${wanted}`);
  if (dimension === 'count' && !Number.isSafeInteger(value)) throw fail(`is not a whole number, ${wanted}`);
  return value;
}

/** True where a text is one number with a known unit, '%' or nothing behind it, whatever its dimension. */
export function isQuantity(text: string): boolean {
  const match = text.length > 200 ? null : form.exec(normalise(text));
  if (match === null) return false;
  const unit = match[4] ?? '';
  return unit === '' || unit === '%' || unitFactor(unit) !== undefined;
}

interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

type Fail = (reason: string) => QuantityError;

function normalise(text: string): string {
  return text
    .trim()
    .replace(/[\u00b5\u03bc]/g, 'u') // micro sign and Greek mu
    .replace(/^\$\s*([\d.eE+-]+)/, '$1 USD')
    .replace(/\s*\bper\b\s*/g, '/');
}

function bare(number: Decimal, base: string, fail: Fail, wanted: string): number {
  if (base !== '') throw fail(`has no unit, ${wanted}`);
  return scaled(number, 0);
}

function withUnit(number: Decimal, unitText: string, dimension: Dimension, fail: Fail): number {
  const facts = dimensionFacts[dimension];
  if (dimension === 'ratio' && unitText === '%') return scaled(number, -2);
  const unit = unitFactor(unitText);
  if (unit === undefined) {
    const shown = unitText.length > 20 ? `${unitText.slice(0, 20)}...` : unitText;
    throw fail(
      facts.base === ''
        ? `has '${shown}' behind the number, expected ${facts.expected} such as '${facts.example}'`
        : `has the unknown unit '${shown}', nearest known unit '${nearestUnit(unitText, dimension)}'`,
    );
  }
  const base = baseUnit(dimension);
  if (!samePowers(unit.powers, base.powers)) {
    throw fail(`is ${describePowers(unit.powers)}, expected ${facts.expected} such as '${facts.example}'`);
  }
  const factor = unit.factor / base.factor;
  const power = Math.round(Math.log10(factor));
  // Shifting the decimal point loses nothing, where multiplying by 1e-6 would round twice.
  if (Number(`1e${String(power)}`) === factor) return scaled(number, power);
  // An hour's price is a 3600th a second: division rounds once, the inverse twice.
  const parts = Math.round(1 / factor);
  return 1 / parts === factor ? scaled(number, 0) / parts : scaled(number, 0) * factor;
}

function scaled({ digits, exponent }: Decimal, power: number): number {
  return Number(`${digits}e${String(exponent + power)}`);
}
