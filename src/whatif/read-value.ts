import { LeverError } from './lever.ts';
import { notACount, notANumber, unknownChoice } from './messages.ts';

const suffixes: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, ki: 1024, mi: 1024 ** 2 };

/** 8, 2000, 2k, 2Ki, 128_000. @throws LeverError for anything else, 0 included. */
export function readCount(name: string, text: string): number {
  const match = /^(\d+(?:_\d{3})*(?:\.\d+)?)\s*([km]i?)?$/i.exec(text.trim());
  const factor = suffixes[(match?.[2] ?? '').toLowerCase()];
  const value = match?.[1] === undefined || factor === undefined ? 0 : Number(match[1].replaceAll('_', '')) * factor;
  if (!Number.isSafeInteger(value) || value < 1) throw new LeverError(notACount(name, text));
  return value;
}

/** A finite number above 0. @throws LeverError. */
export function readPositive(name: string, text: string, expected: string): number {
  const value = plainNumber(text);
  if (!(value > 0)) throw new LeverError(notANumber(name, text, expected));
  return value;
}

/** 0.7 or '70 %'; what is outside 0..1 is refused by the lever, with the reason. @throws LeverError for no number. */
export function readShare(name: string, text: string): number {
  const percent = /^(.*\S)\s*%$/.exec(text.trim());
  const value = percent?.[1] === undefined ? plainNumber(text) : plainNumber(percent[1]) / 100;
  if (!(value >= 0)) throw new LeverError(notANumber(name, text, "a share such as 0.7 or '70 %'"));
  return value;
}

/** on, off, true, false. @throws LeverError for anything else. */
export function readSwitch(name: string, text: string): boolean {
  const word = text.trim().toLowerCase();
  if (word === 'on' || word === 'true') return true;
  if (word === 'off' || word === 'false') return false;
  throw new LeverError(unknownChoice(name, text, ['on', 'off']));
}

/** One of several words. @throws LeverError for anything else. */
export function readChoice<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const word = text.trim().toLowerCase();
  const known = choices.find((choice) => choice === word);
  if (known === undefined) throw new LeverError(unknownChoice(name, text, choices));
  return known;
}

/** Decimal notation only; NaN for anything else. */
function plainNumber(text: string): number {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,2})?$/i.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
