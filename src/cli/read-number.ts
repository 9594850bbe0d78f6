import { InputError } from './input-error.ts';
import { notACount, notANumber, notCached } from './messages.ts';

/** Thousands and binary thousands behind a number of tokens: 2k = 2K = 2000, 2Ki = 2048. */
const suffixes: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, ki: 1024, mi: 1024 ** 2 };

/**
 * A whole number as people type it: 2000, 2k, 8K (thousands), 8Ki (8192), 1e3, 128_000.
 * @throws InputError for anything else, negative numbers included.
 */
export function readCount(name: string, text: string): number {
  const count = countOf(text);
  if (count === undefined) throw new InputError(notACount(name, text));
  return count;
}

function countOf(text: string): number | undefined {
  const match = /^(\d+(?:_\d{3})*(?:\.\d+)?(?:e\d{1,2})?)\s*([km]i?)?$/i.exec(text.trim());
  const factor = suffixes[(match?.[2] ?? '').toLowerCase()];
  if (match?.[1] === undefined || factor === undefined) return undefined;
  const value = Number(match[1].replaceAll('_', '')) * factor;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A number above 0: '0.6', '60 %', '4', '4/s'. */
export function readPositive(name: string, text: string, expected: string): number {
  const match = /^(\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?|\.\d+)\s*(%|\/s|req\/s|rps)?$/i.exec(text.trim());
  const value = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (!(value > 0) || value === Infinity) throw new InputError(notANumber(name, text, expected));
  return value;
}

/**
 * Prompt tokens that are cached: a count, or a hit rate such as '60 %' of the prompt, of which one token at least is
 * always computed.
 * @throws InputError for anything else.
 */
export function readCached(text: string, prompt: number): number {
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1];
  const share = percent === undefined ? undefined : Number(percent) / 100;
  const count = share === undefined ? countOf(text) : Math.min(Math.max(0, prompt - 1), Math.floor(prompt * share));
  if (count === undefined || (share ?? 0) > 1) throw new InputError(notCached(text));
  return count;
}
