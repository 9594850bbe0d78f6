import {
  badJson,
  ConfigurationError,
  duplicateKey,
  forbiddenKey,
  jsonTooDeep,
  jsonTooLarge,
  truncatedJson,
} from './messages.ts';

/** Most characters that are read: the largest published configuration with quantisation lists has 3.1 MB. */
export const largestText: number = 64 * 1024 * 1024;

const deepestNesting = 64;
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
}

/**
 * Reads JSON as Python's `json` writes it: `Infinity`, `-Infinity` and `NaN` are values (time_step_limit of Mamba
 * configurations). Strict in everything else; size and depth are bounded, prototype and duplicate keys refused.
 * @throws ConfigurationError with one sentence that starts with `where`.
 */
export function parseJson(text: string, where: string): unknown {
  if (text.length > largestText) throw new ConfigurationError(jsonTooLarge(where, text.length, largestText));
  const cursor: Cursor = { text: text.startsWith('\uFEFF') ? text.slice(1) : text, where, next: 0 };
  const value = readValue(cursor, 0);
  skipBlanks(cursor);
  if (cursor.next < cursor.text.length) throw wrong(cursor, 'the end of the text');
  return value;
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > deepestNesting) throw new ConfigurationError(jsonTooDeep(cursor.where, deepestNesting));
  skipBlanks(cursor);
  switch (cursor.text[cursor.next]) {
    case undefined:
      throw new ConfigurationError(truncatedJson(cursor.where));
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
  cursor.next += 1;
  if (taken(cursor, '}')) return {};
  do {
    skipBlanks(cursor);
    if (cursor.text[cursor.next] !== '"') throw wrong(cursor, 'a key in double quotes');
    const key = readString(cursor);
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
      throw new ConfigurationError(forbiddenKey(cursor.where, key));
    }
    if (entries.has(key)) throw new ConfigurationError(duplicateKey(cursor.where, key));
    if (!taken(cursor, ':')) throw wrong(cursor, "':' after the key");
    entries.set(key, readValue(cursor, depth + 1));
  } while (taken(cursor, ','));
  if (!taken(cursor, '}')) throw wrong(cursor, "',' or '}'");
  return Object.fromEntries(entries);
}

function readArray(cursor: Cursor, depth: number): readonly unknown[] {
  const values: unknown[] = [];
  cursor.next += 1;
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
  if (end >= cursor.text.length) throw new ConfigurationError(truncatedJson(cursor.where));
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

function wrong(cursor: Cursor, expected: string): ConfigurationError {
  if (cursor.next >= cursor.text.length) return new ConfigurationError(truncatedJson(cursor.where));
  const lines = cursor.text.slice(0, cursor.next).split('\n');
  const at = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  return new ConfigurationError(badJson(cursor.where, at, expected));
}
