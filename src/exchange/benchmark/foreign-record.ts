import { ConfigurationError } from '../hugging-face/messages.ts';
import { parseJson, parseJsonValues } from '../hugging-face/parse-json.ts';
import { badJsonLine, BenchmarkError, harmless, missingValue, wrongValue } from './messages.ts';

/** An object of somebody else's JSON, with the place that messages name. Keys nobody asks for are ignored. */
export interface ForeignRecord {
  readonly where: string;
  /** Path from the top of the file or line: 'benchmarks[0].metrics'. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** JSON as Python writes it, NaN and Infinity included; bounded in size and depth. */
export function foreignJson(text: string, where: string): unknown {
  try {
    return parseJson(text, where);
  } catch (error) {
    throw asBenchmarkError(error, text, where);
  }
}

/** Values one after another, as tools leave them that append a run to their file; each with its line. */
export function* foreignJsonValues(
  text: string,
  where: string,
): Generator<{ readonly value: unknown; readonly line: number }> {
  try {
    yield* parseJsonValues(text, where);
  } catch (error) {
    throw asBenchmarkError(error, text, where);
  }
}

function asBenchmarkError(error: unknown, text: string, where: string): unknown {
  if (!(error instanceof ConfigurationError)) return error;
  // Of one line among many the place already names the line.
  const message = text.includes('\n') ? error.message : error.message.replace(' line 1, column', ' column');
  return new BenchmarkError(badJsonLine(where, message));
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws BenchmarkError where the value is no object. */
export function recordOf(value: unknown, where: string, path = ''): ForeignRecord {
  if (!isRecord(value)) throw new BenchmarkError(wrongValue(where, path, value, 'an object'));
  return { where, path, values: value };
}

const valueOf = ({ values }: ForeignRecord, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined;

export const pathOf = ({ path }: ForeignRecord, key: string | number): string =>
  typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/** A number of at least 0; absent, null and NaN (what writers emit for 'no value') are undefined. */
export function numberAt(record: ForeignRecord, key: string): number | undefined {
  return plainNumber(valueOf(record, key), record.where, pathOf(record, key));
}

/** The same of a value that was already taken out. */
export function plainNumber(value: unknown, where: string, path: string): number | undefined {
  if (value === undefined || value === null || Number.isNaN(value)) return undefined;
  if (typeof value !== 'number' || !(value >= 0 && value < largest)) {
    throw new BenchmarkError(wrongValue(where, path, value, 'a number of at least 0'));
  }
  return value;
}

/** Nothing that is measured here comes near; what does is a broken number. Nanoseconds since 1970 are 1.8e18. */
const largest = 1e21;

/** A whole number that may be written as text, as protobuf's JSON does with 64 bits. */
export function countAt(record: ForeignRecord, key: string): number | undefined {
  const value = valueOf(record, key);
  const written = typeof value === 'string' && /^\d{1,20}$/.test(value) ? Number(value) : value;
  return plainNumber(written, record.where, pathOf(record, key));
}

/** A rate; "inf" and Infinity mean 'all at once'. */
export function rateAt(record: ForeignRecord, key: string): number | undefined {
  const value = valueOf(record, key);
  if (value === Infinity || value === 'inf' || value === 'Infinity') return Infinity;
  const written = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return plainNumber(written, record.where, pathOf(record, key));
}

/** A short text, made harmless; undefined where absent, null or empty. */
export function textAt(record: ForeignRecord, key: string): string | undefined {
  const value = valueOf(record, key);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') {
    throw new BenchmarkError(wrongValue(record.where, pathOf(record, key), value, 'a text'));
  }
  return harmless(value, 120);
}

/** An object inside; undefined where absent or null. */
export function innerAt(record: ForeignRecord, key: string): ForeignRecord | undefined {
  const value = valueOf(record, key);
  return value === undefined || value === null ? undefined : recordOf(value, record.where, pathOf(record, key));
}

/** A list inside; undefined where absent or null. */
export function listAt(record: ForeignRecord, key: string): readonly unknown[] | undefined {
  const value = valueOf(record, key);
  if (value === undefined || value === null) return undefined;
  if (!isList(value)) throw new BenchmarkError(wrongValue(record.where, pathOf(record, key), value, 'a list'));
  return value;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A list of objects. */
export const recordsAt = (record: ForeignRecord, key: string): readonly ForeignRecord[] =>
  (listAt(record, key) ?? []).map((value, index) =>
    recordOf(value, record.where, pathOf({ ...record, path: pathOf(record, key) }, index)),
  );

/** A list of numbers of at least 0. */
export function numbersAt(record: ForeignRecord, key: string): readonly number[] | undefined {
  const path = pathOf(record, key);
  return listAt(record, key)?.map((value, index) => {
    const number = plainNumber(value, record.where, `${path}[${index}]`);
    if (number === undefined) {
      throw new BenchmarkError(wrongValue(record.where, `${path}[${index}]`, value, 'a number of at least 0'));
    }
    return number;
  });
}

/** @throws BenchmarkError where the field is absent. */
export function wanted<T>(value: T | undefined, record: ForeignRecord, key: string, expected: string): T {
  if (value === undefined) throw new BenchmarkError(missingValue(record.where, pathOf(record, key), expected));
  return value;
}

/** Whether a key is there at all, whatever its value. */
export const has = (value: unknown, ...keys: readonly string[]): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && keys.every((key) => Object.hasOwn(value, key));
