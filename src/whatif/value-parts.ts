import { LeverError } from './lever.ts';
import { unknownChoice } from './messages.ts';

/** A value with parts of its own: what stands before the first colon, and the rest by name. */
export interface ValueParts {
  readonly head: string;
  readonly of: ReadonlyMap<string, string>;
}

/** Splits 'eagle:k=3:acceptance=0.7'. @throws LeverError for a part that is not among `known`. */
export function valueParts(name: string, text: string, known: readonly string[]): ValueParts {
  const [head = '', ...rest] = text.split(':').map((part) => part.trim());
  const of = new Map<string, string>();
  for (const part of rest) {
    const at = part.indexOf('=');
    const key = part.slice(0, Math.max(0, at)).trim().toLowerCase();
    if (!known.includes(key))
      throw new LeverError(
        unknownChoice(
          `part of ${name}`,
          part,
          known.map((each) => `${each}=`),
        ),
      );
    of.set(key, part.slice(at + 1).trim());
  }
  return { head, of };
}

/** How a value is given under a name: an option before a blank, a lever before an equals sign. */
export const givenAs = (name: string, value: string): string => `${name}${name.startsWith('--') ? ' ' : '='}${value}`;
