import type { Disaggregation } from '../profile/scenario.ts';
import { LeverError } from './lever.ts';
import { notANumber, unknownChoice } from './messages.ts';
import { readCount } from './read-value.ts';
import { valueParts } from './value-parts.ts';

/** Groups that prefill and groups that decode: '3p5d', '3p+5d', '3+5', 'prefill 3, decode 5'. */
const forms: readonly RegExp[] = [
  /^(\d{1,6})\s*p\s*[+,]?\s*(\d{1,6})\s*d$/i,
  /^(\d{1,6})\s*\+\s*(\d{1,6})$/,
  /^prefill\s*(\d{1,6})\s*[+,]?\s*decode\s*(\d{1,6})$/i,
];

/**
 * Reads '2p2d', '2p6d:link=host', '1+3:link=400 Gb/s', 'prefill 3, decode 5'; undefined for 'off'.
 * @param name What sentences call the value: a lever or an option.
 * @throws LeverError or QuantityError with one sentence.
 */
export async function parseDisaggregation(text: string, name = 'disaggregate'): Promise<Disaggregation | undefined> {
  if (text.toLowerCase() === 'off') return undefined;
  const { head, of } = valueParts(name, text, ['link']);
  const [, prefill, decode] = forms.map((form) => form.exec(head)).find((match) => match !== null) ?? [];
  if (prefill === undefined || decode === undefined) {
    throw new LeverError(notANumber(name, text, "groups that prefill and groups that decode such as '2p6d'"));
  }
  return {
    prefill: readCount(`${name} prefill`, prefill),
    decode: readCount(`${name} decode`, decode),
    link: await readLink(of.get('link') ?? 'network', name),
  };
}

const links: Readonly<Record<string, Disaggregation['link']>> = {
  own: 'own',
  nvlink: 'own',
  host: 'host',
  pcie: 'host',
  network: 'network',
  rdma: 'network',
};

const linkChoices = ['own', 'host', 'network', "a rate such as '400 Gb/s'"] as const;

async function readLink(text: string, name: string): Promise<Disaggregation['link']> {
  const named = Object.hasOwn(links, text.toLowerCase()) ? links[text.toLowerCase()] : undefined;
  if (named !== undefined) return named;
  if (!/\d/.test(text)) throw new LeverError(unknownChoice(`${name} link`, text, linkChoices));
  const { parseQuantity } = await import('../quantity/parse-quantity.ts');
  return { name: text, bandwidth: parseQuantity(text, 'bandwidth', `${name} link`) };
}
