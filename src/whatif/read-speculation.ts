import type { Model } from '../profile/model.ts';
import type { Speculation } from '../profile/scenario.ts';
import { LeverError } from './lever.ts';
import { missingPart, unknownChoice } from './messages.ts';
import { readCount, readShare } from './read-value.ts';
import { givenAs, valueParts } from './value-parts.ts';

const methods = ['eagle', 'mtp', 'draft', 'ngram'] as const;

/**
 * Other names of the methods: `method` of vLLM's speculative config and `--speculative-algorithm` of SGLang (their
 * documentation, read 2026-06-13).
 */
const otherNames: Readonly<Record<string, Speculation['method']>> = {
  eagle1: 'eagle',
  eagle2: 'eagle',
  eagle3: 'eagle',
  deepseekmtp: 'mtp',
  nextn: 'mtp',
  draftmodel: 'draft',
  standalone: 'draft',
};

/**
 * Reads 'eagle:k=3:acceptance=0.7', 'draft:k=4:acceptance=0.8:model=llama-3.2-1b', 'mtp:k=1:acceptance=0.8:cost=0.1';
 * undefined for 'off'.
 * @param name What sentences call the value: a lever or an option.
 * @throws LeverError with one sentence; the errors of `model`.
 */
export async function parseSpeculation(
  text: string,
  model: (name: string) => Promise<Model>,
  name = 'speculation',
): Promise<Speculation | undefined> {
  if (text.toLowerCase() === 'off') return undefined;
  const { head, of } = valueParts(name, text, ['k', 'tokens', 'acceptance', 'model', 'cost']);
  const method = methodOf(head);
  if (method === undefined) throw new LeverError(unknownChoice(name, head, [...methods, 'off']));
  const tokens = of.get('k') ?? of.get('tokens');
  const acceptance = of.get('acceptance');
  const example = givenAs(name, 'eagle:k=3:acceptance=0.7');
  if (tokens === undefined) throw new LeverError(missingPart(name, 'k', example));
  if (acceptance === undefined) throw new LeverError(missingPart(name, 'acceptance', example));
  const [cost, draft] = [of.get('cost'), of.get('model')];
  if (method === 'draft' && cost === undefined && draft === undefined) {
    const whole = givenAs(name, 'draft:model=llama-3.2-1b:k=4:acceptance=0.8');
    throw new LeverError(missingPart(name, 'draft model or its cost', whole));
  }
  return {
    method,
    tokens: readCount(`${name} k`, tokens),
    acceptance: readShare(`${name} acceptance`, acceptance),
    ...(draft === undefined ? {} : { draft: await model(draft) }),
    ...(cost === undefined ? {} : { cost: readShare(`${name} cost`, cost) }),
  };
}

function methodOf(text: string): Speculation['method'] | undefined {
  const plain = text.toLowerCase().replaceAll(/[-_]/g, '');
  return methods.find((each) => each === plain) ?? (Object.hasOwn(otherNames, plain) ? otherNames[plain] : undefined);
}
