import { distance } from 'fastest-levenshtein';

/*
 * Every sentence of reading hardware profiles and prices. Form: where: field path, value, what was expected, nearest
 * valid choice. Sentences of lint rules are in lint/messages.ts.
 */

// Any JSON file

export function wrongValue(where: string, path: string, value: unknown, expected: string): string {
  const subject = path === '' ? 'the file' : path;
  return value === undefined
    ? `${where}: ${subject} is missing, expected ${expected}.`
    : `${where}: ${subject} is ${shown(value)}, expected ${expected}.`;
}

export function unknownChoice(where: string, path: string, value: unknown, choices: readonly string[]): string {
  const near = typeof value === 'string' ? nearest(value, choices) : undefined;
  const expected = `one of ${choices.join(', ')}`;
  return near === undefined || choices.length <= 6
    ? wrongValue(where, path, value, near === undefined ? expected : `${expected}; nearest '${near}'`)
    : wrongValue(where, path, value, `a known name, nearest '${near}'`);
}

export function unknownField(where: string, path: string, field: string, known: readonly string[]): string {
  const subject = path === '' ? 'the file' : path;
  const near = nearest(field, known);
  const advice = near === undefined ? `known fields are ${known.join(', ')}` : `nearest known field '${near}'`;
  return `${where}: ${subject} has the unknown field ${shown(field)}, ${advice}.`;
}

export function forbiddenKey(where: string, key: string): string {
  return `${where}: the key ${shown(key)} is refused, no file has a field of that name.`;
}

export function tooDeep(where: string, limit: number): string {
  return `${where}: values are nested more than ${String(limit)} deep, no file needs that.`;
}

export function tooLarge(where: string, limit: number): string {
  return `${where}: the file holds more than ${String(limit)} values, no file needs that.`;
}

export function repeated(where: string, path: string, value: string): string {
  return `${where}: ${path} repeats ${shown(value)}, expected every name once.`;
}

// Hardware

export function notPositive(where: string, path: string, written: string): string {
  return `${where}: ${path} is ${shown(written)}, expected more than 0.`;
}

export function noMatrixPeak(where: string, formats: readonly string[]): string {
  return `${where}: matrix is empty, expected the dense peak of at least one of ${formats.join(', ')}.`;
}

export function needlessValue(where: string, path: string, written: unknown, because: string): string {
  return `${where}: ${path} is ${shown(written)}, expected none where ${because}.`;
}

export function missingBecause(where: string, path: string, expected: string, because: string): string {
  return `${where}: ${path} is missing, expected ${expected} where ${because}.`;
}

// Prices

export function unpricedEntry(where: string, path: string): string {
  return `${where}: ${path} has neither list nor cloud, expected at least one price.`;
}

// Parts of sentences

/** A value as a short quotation: at most 60 characters, no control characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : plain(value);
  const clean = text.slice(0, 200).replace(/\p{Cc}/gu, ' ');
  return clean.length <= 60 ? clean : `${clean.slice(0, 57)}...`;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The candidate with the fewest edits, where at most half of the word differs. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const folded = word.slice(0, 64).toLowerCase();
  const scored = candidates.map((candidate) => ({ candidate, edits: distance(folded, candidate.toLowerCase()) }));
  const [best] = scored.sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(2, Math.ceil(folded.length / 2)) ? best.candidate : undefined;
}
