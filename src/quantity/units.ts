import { create, createUnitDependencies, unitDependencies, type Unit } from 'mathjs';
import { distance } from 'fastest-levenshtein';
import { dimensionFacts, dimensions, type Dimension } from './dimension.ts';

/** Unit text as the program needs it: exponents of the base dimensions, and the factor to base units. */
export interface UnitFactor {
  readonly powers: readonly number[];
  /** One of this unit in base units: bits, seconds, FLOP, watts ... */
  readonly factor: number;
}

// mathjs/number holds no units; of the whole library only the unit class is built.
const math = create({
  unitDependencies: unitDependencies ?? {},
  createUnitDependencies: createUnitDependencies ?? {},
});

// An integer operation is priced like a floating-point one: a device has one peak per number format.
math.createUnit('FLOP', { prefixes: 'short', aliases: ['FLOPs', 'flop', 'OP', 'OPs'] });
// Data sheets write TFLOPS and TOPS for rates.
math.createUnit('FLOPS', { definition: '1 FLOP/s', prefixes: 'short', aliases: ['flops', 'OPS'] });
math.createUnit('bps', { definition: '1 b/s', prefixes: 'short' });
for (const prefix of ['k', 'M', 'G', 'T']) math.createUnit(`${prefix}bit`, `1 ${prefix}b`);
math.createUnit('USD', { aliases: ['usd', 'dollar', 'dollars'] });
math.createUnit('req', { prefixes: 'short', aliases: ['request', 'requests', 'query', 'queries'] });
math.createUnit('rps', { definition: '1 req/s', aliases: ['qps'] });
math.createUnit('tok', { prefixes: 'short', aliases: ['token', 'tokens'] });

const cache = new Map<string, UnitFactor | undefined>();

/**
 * Reads the unit part of a quantity, such as `TB/s`, `GiB`, `USD/h`.
 * @returns undefined where it is no unit that mathjs or this file knows.
 */
export function unitFactor(text: string): UnitFactor | undefined {
  if (cache.has(text)) return cache.get(text);
  const read = readUnit(text);
  if (cache.size < 1000) cache.set(text, read);
  return read;
}

function readUnit(text: string): UnitFactor | undefined {
  // Bounded and of unit characters only, so that nothing but a product of units reaches the parser.
  if (text.length > 60 || !/^[A-Za-z][A-Za-z0-9/*^ ()-]*$/.test(text)) return undefined;
  let unit: Unit;
  try {
    unit = math.unit(`1 ${text}`);
  } catch {
    return undefined;
  }
  return Number.isFinite(unit.value) && unit.value > 0 ? { powers: unit.dimensions, factor: unit.value } : undefined;
}

const pure: readonly number[] = math.unit('1 s').dimensions.map(() => 0);

/** Exponents of the base dimensions for a value of `dimension`. */
export function powersOf(dimension: Dimension): readonly number[] {
  return baseUnit(dimension).powers;
}

/** The unit in which the program holds a dimension; a byte is eight base units (bits). */
export function baseUnit(dimension: Dimension): UnitFactor {
  const { base } = dimensionFacts[dimension];
  return (base === '' ? undefined : unitFactor(base)) ?? { powers: pure, factor: 1 };
}

export function samePowers(left: readonly number[], right: readonly number[]): boolean {
  return left.every((power, index) => power === (right[index] ?? 0));
}

/** Says in words what a value with these exponents is: 'an amount of data', 'a time' ... */
export function describePowers(powers: readonly number[]): string {
  const known = dimensions.find((dimension) => samePowers(powers, powersOf(dimension)));
  return known === undefined ? 'another kind of quantity' : dimensionFacts[known].noun;
}

const commonUnits = (
  'B kB MB GB TB PB KiB MiB GiB TiB bit kbit Mbit Gbit Tbit B/s ' +
  'MB/s GB/s TB/s GiB/s Mbit/s Gbit/s Tbit/s Gbps FLOP/s GFLOP/s TFLOP/s PFLOP/s TFLOPS PFLOPS TOP/s TOPS ' +
  'W kW MW J kJ Wh kWh Hz kHz MHz GHz s ms us ns min ' +
  'h day USD USD/h USD/s USD/kWh req/s req/min rps tok/s'
).split(' ');

/**
 * The common unit whose spelling is nearest: 'tb/s' -> 'TB/s'. One of the dimension that is expected goes before
 * another that is no nearer: of a rate 'TBs' is TB/s, not TB.
 */
export function nearestUnit(text: string, expected: Dimension): string {
  const folded = text.toLowerCase();
  const scored = commonUnits.map((unit) => ({ unit, score: distance(folded, unit.toLowerCase()) }));
  const fits = (unit: string): number => Number(samePowers(unitFactor(unit)?.powers ?? pure, powersOf(expected)));
  scored.sort(
    (a, b) => a.score - b.score || fits(b.unit) - fits(a.unit) || distance(text, a.unit) - distance(text, b.unit),
  );
  return scored[0]?.unit ?? 'B';
}
