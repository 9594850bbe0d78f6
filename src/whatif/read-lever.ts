import type { Model } from '../profile/model.ts';
import type { Scenario } from '../profile/scenario.ts';
import type { ScopeValue } from '../quantity/expression.ts';
import { type Lever, LeverError } from './lever.ts';
import { disaggregationLever, noDisaggregation } from './levers/disaggregation.ts';
import { allPeaks, factorLever, type Field, fieldLever, fields, findField } from './levers/field.ts';
import { offloadLever } from './levers/offload.ts';
import { noSpeculation, speculationLever } from './levers/speculation.ts';
import { missingPart, relativeOnly, unknownChoice, unknownField } from './messages.ts';
import { parseDisaggregation } from './read-disaggregation.ts';
import { parseSpeculation } from './read-speculation.ts';
import { readPositive, readShare } from './read-value.ts';
import { distance } from 'fastest-levenshtein';

/*
 * Values of levers that have parts of their own: 'eagle:k=3:acceptance=0.7', '2p2d:link=network', 'weights:0.5'.
 */

/** Drafting, as `parseSpeculation` reads it, or none. */
export async function readSpeculation(text: string, model: (name: string) => Promise<Model>): Promise<Lever> {
  const speculation = await parseSpeculation(text, model);
  return speculation === undefined ? noSpeculation : speculationLever(speculation);
}

/** Pools, as `parseDisaggregation` reads them, or none. */
export async function readDisaggregation(text: string): Promise<Lever> {
  const disaggregation = await parseDisaggregation(text);
  return disaggregation === undefined ? noDisaggregation : disaggregationLever(disaggregation);
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
