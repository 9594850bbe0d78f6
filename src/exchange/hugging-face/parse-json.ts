import {
  badJson,
  ConfigurationError,
  duplicateKey,
  forbiddenKey,
  jsonTooDeep,
  jsonTooLarge,
  jsonTooMany,
  truncatedJson,
} from './messages.ts';

/** Most characters that are read: the largest published configuration with quantisation lists has 3.1 MB. */
export const largestText: number = 64 * 1024 * 1024;

const deepestNesting = 64;

/** Bounds on what a text of that size may unfold to: an empty object of two characters takes a hundred bytes. */
const mostContainers = 1_000_000;
const mostValues = 5_000_000;
const mostKeys = 100_000;

const numberPattern = /-?(?:Infinity|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const words: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
];

interface Cursor {
  readonly text: string;
  readonly where: string;
  next: number;
  /** Objects and lists, and values of any kind, read so far. */
  containers: number;
  values: number;
}

/**
 * Reads JSON as Python's `json` writes it: `Infinity`, `-Infinity` and `NaN` are values (time_step_limit of Mamba
 * configurations). Strict in everything else; size and depth are bounded, prototype and duplicate keys refused.
 * @throws ConfigurationError with one sentence that starts with `where`.
 */
export function parseJson(text: string, where: string): unknown {
  const cursor = cursorOn(text, where);
  const value = readValue(cursor, 0);
  skipBlanks(cursor);
  if (cursor.next < cursor.text.length) throw wrong(cursor, 'the end of the text');
  return value;
}

/**
 * The same for values that stand one after another, as a tool writes them that appends to its file. Each comes with the
 * line on which it starts.
 * @throws ConfigurationError as `parseJson` does.
 */
export function* parseJsonValues(
  text: string,
  where: string,
): Generator<{ readonly value: unknown; readonly line: number }> {
  const cursor = cursorOn(text, where);
  let line = 1;
  let counted = 0;
  do {
    skipBlanks(cursor);
    for (; counted < cursor.next; counted++) if (cursor.text[counted] === '\n') line += 1;
    yield { value: readValue(cursor, 0), line };
    skipBlanks(cursor);
  } while (cursor.next < cursor.text.length);
}

function cursorOn(text: string, where: string): Cursor {
  if (text.length > largestText) throw new ConfigurationError(jsonTooLarge(where, text.length, largestText));
  return { text: text.startsWith('\uFEFF') ? text.slice(1) : text, where, next: 0, containers: 0, values: 0 };
}

function readValue(cursor: Cursor, depth: number): unknown {
  skipBlanks(cursor);
  if (depth > deepestNesting) {
    throw new ConfigurationError(jsonTooDeep(cursor.where, placeOf(cursor), deepestNesting));
  }
  cursor.values += 1;
  if (cursor.values > mostValues) throw new ConfigurationError(jsonTooMany(cursor.where, 'values', mostValues));
  switch (cursor.text[cursor.next]) {
    case undefined:
      throw cutShort(cursor);
    case '{':
      return readObject(cursor, depth);
    case '[':
      return readArray(cursor, depth);
    case '"':
      return readString(cursor);
    default:
      return readScalar(cursor);
  }
}

function readObject(cursor: Cursor, depth: number): Readonly<Record<string, unknown>> {
  const entries = new Map<string, unknown>();
  open(cursor);
  if (taken(cursor, '}')) return {};
  do {
    skipBlanks(cursor);
    if (cursor.text[cursor.next] !== '"') throw wrong(cursor, 'a key in double quotes');
    const start = cursor.next;
    const key = readString(cursor);
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
      throw new ConfigurationError(forbiddenKey(cursor.where, placeOf(cursor, start), key));
    }
    if (entries.has(key)) throw new ConfigurationError(duplicateKey(cursor.where, placeOf(cursor, start), key));
    if (entries.size >= mostKeys)
      throw new ConfigurationError(jsonTooMany(cursor.where, 'keys in one object', mostKeys));
    if (!taken(cursor, ':')) throw wrong(cursor, "':' after the key");
    entries.set(key, readValue(cursor, depth + 1));
  } while (taken(cursor, ','));
  if (!taken(cursor, '}')) throw wrong(cursor, "',' or '}'");
  return Object.fromEntries(entries);
}

function readArray(cursor: Cursor, depth: number): readonly unknown[] {
  const values: unknown[] = [];
  open(cursor);
  if (taken(cursor, ']')) return values;
  do values.push(readValue(cursor, depth + 1));
  while (taken(cursor, ','));
  if (!taken(cursor, ']')) throw wrong(cursor, "',' or ']'");
  return values;
}

function readString(cursor: Cursor): string {
  const start = cursor.next;
  let end = start + 1;
  while (end < cursor.text.length && cursor.text[end] !== '"') end += cursor.text[end] === '\\' ? 2 : 1;
  if (end >= cursor.text.length) throw cutShort(cursor);
  cursor.next = end + 1;
  try {
    const value: unknown = JSON.parse(cursor.text.slice(start, end + 1));
    return String(value);
  } catch {
    cursor.next = start;
    throw wrong(cursor, 'a string with valid escapes');
  }
}

function readScalar(cursor: Cursor): unknown {
  const word = words.find(([spelling]) => cursor.text.startsWith(spelling, cursor.next));
  if (word !== undefined) {
    cursor.next += word[0].length;
    return word[1];
  }
  numberPattern.lastIndex = cursor.next;
  const match = numberPattern.exec(cursor.text);
  if (match === null) throw wrong(cursor, 'a value');
  cursor.next += match[0].length;
  return Number(match[0]);
}

function taken(cursor: Cursor, character: string): boolean {
  skipBlanks(cursor);
  if (cursor.text[cursor.next] !== character) return false;
  cursor.next += 1;
  return true;
}

function skipBlanks(cursor: Cursor): void {
  while (' \t\n\r'.includes(cursor.text[cursor.next] ?? 'x')) cursor.next += 1;
}

function open(cursor: Cursor): void {
  cursor.next += 1;
  cursor.containers += 1;
  if (cursor.containers > mostContainers) {
    throw new ConfigurationError(jsonTooMany(cursor.where, 'objects and lists', mostContainers));
  }
}

function wrong(cursor: Cursor, expected: string): ConfigurationError {
  if (cursor.next >= cursor.text.length) return cutShort(cursor);
  return new ConfigurationError(badJson(cursor.where, placeOf(cursor), expected));
}

const cutShort = (cursor: Cursor): ConfigurationError =>
  new ConfigurationError(truncatedJson(cursor.where, placeOf(cursor, cursor.text.length)));

function placeOf({ text, next }: Cursor, at: number = next): string {
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
