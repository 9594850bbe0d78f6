import type { Model } from '../profile/model.ts';
import type { Disaggregation, Scenario } from '../profile/scenario.ts';
import type { ScopeValue } from '../quantity/expression.ts';
import { type Lever, LeverError } from './lever.ts';
import { disaggregationLever, noDisaggregation } from './levers/disaggregation.ts';
import { allPeaks, factorLever, type Field, fieldLever, fields, findField } from './levers/field.ts';
import { offloadLever } from './levers/offload.ts';
import { noSpeculation, speculationLever } from './levers/speculation.ts';
import { missingPart, notANumber, relativeOnly, unknownChoice, unknownField } from './messages.ts';
import { readCount, readPositive, readShare } from './read-value.ts';
import { distance } from 'fastest-levenshtein';

/*
 * Values of levers that have parts of their own: 'eagle:k=3:acceptance=0.7', '2p2d:link=network', 'weights:0.5'.
 */

interface Parts {
  readonly head: string;
  readonly of: ReadonlyMap<string, string>;
}

function partsOf(name: string, text: string, known: readonly string[]): Parts {
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

const methods = ['eagle', 'mtp', 'draft', 'ngram'] as const;
const speculationExample = 'speculation=eagle:k=3:acceptance=0.7';

/** 'eagle:k=3:acceptance=0.7', 'draft:k=4:acceptance=0.8:model=llama-3.2-1b', 'mtp:k=1:acceptance=0.8:cost=0.1', 'off'. */
export async function readSpeculation(text: string, model: (name: string) => Promise<Model>): Promise<Lever> {
  if (text.toLowerCase() === 'off') return noSpeculation;
  const { head, of } = partsOf('speculation', text, ['k', 'tokens', 'acceptance', 'model', 'cost']);
  const method = methods.find((each) => each === head.toLowerCase().replace(/^eagle-?[123]$/, 'eagle'));
  if (method === undefined) throw new LeverError(unknownChoice('speculation', head, [...methods, 'off']));
  const tokens = of.get('k') ?? of.get('tokens');
  const acceptance = of.get('acceptance');
  if (tokens === undefined) throw new LeverError(missingPart('speculation', 'k', speculationExample));
  if (acceptance === undefined) throw new LeverError(missingPart('speculation', 'acceptance', speculationExample));
  const [cost, draft] = [of.get('cost'), of.get('model')];
  if (method === 'draft' && cost === undefined && draft === undefined) {
    throw new LeverError(
      missingPart('speculation', 'draft model or its cost', 'speculation=draft:model=llama-3.2-1b:k=4:acceptance=0.8'),
    );
  }
  return speculationLever({
    method,
    tokens: readCount('speculation k', tokens),
    acceptance: readShare('speculation acceptance', acceptance),
    ...(draft === undefined ? {} : { draft: await model(draft) }),
    ...(cost === undefined ? {} : { cost: readShare('speculation cost', cost) }),
  });
}

/** '2p2d', '2p6d:link=host', '1p3d:link=400 Gb/s', 'off'. */
export async function readDisaggregation(text: string): Promise<Lever> {
  if (text.toLowerCase() === 'off') return noDisaggregation;
  const { head, of } = partsOf('disaggregate', text, ['link']);
  const match = /^(\d{1,6})p\s*\+?\s*(\d{1,6})d$/i.exec(head);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new LeverError(notANumber('disaggregate', text, "groups that prefill and groups that decode such as '2p6d'"));
  }
  return disaggregationLever({
    prefill: readCount('disaggregate', match[1]),
    decode: readCount('disaggregate', match[2]),
    link: await readLink(of.get('link') ?? 'network'),
  });
}

const links: Readonly<Record<string, Disaggregation['link']>> = {
  own: 'own',
  nvlink: 'own',
  host: 'host',
  pcie: 'host',
  network: 'network',
  rdma: 'network',
};

async function readLink(text: string): Promise<Disaggregation['link']> {
  const named = Object.hasOwn(links, text.toLowerCase()) ? links[text.toLowerCase()] : undefined;
  if (named !== undefined) return named;
  const { parseQuantity } = await import('../quantity/parse-quantity.ts');
  return { name: text, bandwidth: parseQuantity(text, 'bandwidth', 'disaggregate link') };
}

/** 'weights:0.5', 'kv:50%', 'weights:0.5+kv:0.3', 'off'. */
export function readOffload(text: string): Lever {
  if (text.toLowerCase() === 'off') return offloadLever({});
  const shares: { weights?: number; keyValue?: number } = {};
  for (const part of text.split('+')) {
    const [name = '', share] = part.split(':').map((each) => each.trim());
    const key = name.toLowerCase() === 'kv' ? 'keyValue' : name.toLowerCase() === 'weights' ? 'weights' : undefined;
    if (key === undefined) throw new LeverError(unknownChoice('offload', part, ['weights:0.5', 'kv:0.5', 'off']));
    if (share === undefined) throw new LeverError(missingPart('offload', 'share', `offload=${name}:0.5`));
    shares[key] = readShare(`offload ${name}`, share);
  }
  return offloadLever(shares);
}

/** 'hardware.memory.bandwidth' with '*1.5', '/2', '+20%', '4.8 TB/s' or an expression over fields. */
export async function readField(path: string, text: string): Promise<Lever> {
  const field = findField(path);
  if (field === undefined) throw new LeverError(unknownField(path, nearestPath(path)));
  const factor = factorOf(text);
  if (factor !== undefined) return factorLever(field, factor);
  const { evaluateExpression } = await import('../quantity/expression.ts');
  const named = fields.filter((each) => text.includes(each.path)).map((each) => each.path);
  if (path === allPeaks && named.length === 0) throw new LeverError(relativeOnly(path, text));
  const edit = (scenario: Scenario): number => evaluateExpression(text, scopeOf(scenario), field.dimension, path);
  return fieldLever(field, text, edit, named);
}

/** '*1.5', 'x1.5', '/2', '+20%', '-10 %'. */
function factorOf(text: string): number | undefined {
  const match = /^([*x×/])\s*(\S+)$|^([+-])\s*(\S+?)\s*%$/.exec(text);
  if (match === null) return undefined;
  const [, operator, operand, sign, percent] = match;
  if (operator !== undefined && operand !== undefined) {
    const value = readPositive('the factor', operand, "a number above 0 such as '*1.5'");
    return operator === '/' ? 1 / value : value;
  }
  const share = readPositive('the percentage', percent ?? '', "a percentage such as '+20%'") / 100;
  return sign === '-' ? 1 - share : 1 + share;
}

const scopeOf = (scenario: Scenario): ReadonlyMap<string, ScopeValue> =>
  new Map(
    fields.flatMap(({ path, dimension, read }: Field) => {
      const value = read(scenario);
      return value === undefined ? [] : [[path, { value, dimension }] as const];
    }),
  );

function nearestPath(path: string): string | undefined {
  const [best] = fields
    .map((field) => ({ path: field.path, edits: distance(path.slice(0, 64).toLowerCase(), field.path.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= path.length / 2 ? best.path : undefined;
}
