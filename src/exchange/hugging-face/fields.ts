import { ConfigurationError, missingField, notAnObject, wrongField } from './messages.ts';

/**
 * A configuration object with what stands in for absent keys. A key that holds null counts as absent: vendors
 * re-serialise defaults, so presence says nothing.
 */
export interface Fields {
  readonly where: string;
  /** Prefix of field names in sentences: `text_config.` or nothing. */
  readonly prefix: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Defaults of the model's class for keys that its files leave out. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** No width, count or length of a published model comes near this. */
const largest = 1e8;

export function fieldsOf(value: unknown, where: string, prefix = ''): Fields {
  if (!isRecord(value)) throw new ConfigurationError(notAnObject(prefix === '' ? where : `${where}: ${prefix}`, value));
  return { where, prefix, values: value, defaults: {} };
}

/** The first of the names that holds a value, or undefined. */
export function raw(fields: Fields, ...names: readonly string[]): unknown {
  return found(fields, names)?.value;
}

/** A whole number of at least `least`, or undefined where every name is absent. */
export function maybeWhole(fields: Fields, names: readonly string[], least = 1): number | undefined {
  const entry = found(fields, names);
  if (entry === undefined) return undefined;
  const { name, value } = entry;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > largest) {
    const expected = `a whole number from ${least} to ${largest}`;
    throw new ConfigurationError(wrongField(fields.where, fields.prefix + name, value, expected));
  }
  return unsigned(value);
}

/** JSON knows -0, which is written as 0 again. */
const unsigned = (value: number): number => value + 0;

/** As `maybeWhole`, but required: `what` completes "expected ...". */
export function whole(fields: Fields, names: readonly string[], what: string): number {
  const value = maybeWhole(fields, names);
  if (value === undefined) {
    throw new ConfigurationError(
      missingField(
        fields.where,
        names.map((name) => fields.prefix + name),
        what,
      ),
    );
  }
  return value;
}

/** A finite number above 0, or undefined. */
export function maybePositive(fields: Fields, names: readonly string[]): number | undefined {
  const entry = found(fields, names);
  if (entry === undefined) return undefined;
  const { name, value } = entry;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0 || value > largest) {
    throw new ConfigurationError(wrongField(fields.where, fields.prefix + name, value, 'a number above 0'));
  }
  return value;
}

export function flag(fields: Fields, names: readonly string[], otherwise: boolean): boolean {
  const entry = found(fields, names);
  if (entry === undefined) return otherwise;
  const { name, value } = entry;
  if (typeof value !== 'boolean') {
    throw new ConfigurationError(wrongField(fields.where, fields.prefix + name, value, 'true or false'));
  }
  return value;
}

export function word(fields: Fields, ...names: readonly string[]): string | undefined {
  const entry = found(fields, names);
  if (entry === undefined) return undefined;
  const { name, value } = entry;
  if (typeof value !== 'string') {
    throw new ConfigurationError(wrongField(fields.where, fields.prefix + name, value, 'text'));
  }
  return value;
}

export function list(fields: Fields, ...names: readonly string[]): readonly unknown[] | undefined {
  const entry = found(fields, names);
  if (entry === undefined) return undefined;
  const { name, value } = entry;
  if (isList(value)) return value;
  throw new ConfigurationError(wrongField(fields.where, fields.prefix + name, value, 'a list'));
}

/** A list of whole numbers, or undefined. */
export function wholeList(fields: Fields, ...names: readonly string[]): readonly number[] | undefined {
  const values = list(fields, ...names);
  return values?.map((value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return unsigned(value);
    const name = fields.prefix + (names[0] ?? '');
    throw new ConfigurationError(wrongField(fields.where, name, value, 'whole numbers'));
  });
}

/** A nested object with this prefix, or undefined. */
export function section(fields: Fields, name: string): Fields | undefined {
  const value = raw(fields, name);
  return value === undefined ? undefined : fieldsOf(value, fields.where, `${fields.prefix}${name}.`);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

interface Found {
  readonly name: string;
  readonly value: unknown;
}

function found(fields: Fields, names: readonly string[]): Found | undefined {
  for (const source of [fields.values, fields.defaults]) {
    for (const name of names) {
      const value = Object.hasOwn(source, name) ? source[name] : undefined;
      if (value !== undefined && value !== null) return { name, value };
    }
  }
  return undefined;
}
