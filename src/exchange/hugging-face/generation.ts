import type { Generation } from '../../profile/model.ts';
import { type Fields, fieldsOf, raw } from './fields.ts';
import { ConfigurationError, wrongField } from './messages.ts';

/**
 * Sampling that a generation_config.json recommends. `top_k` of 0 or -1 keeps all tokens; `do_sample`, which servers do
 * not read, says nothing here.
 * @throws ConfigurationError with one sentence.
 */
export function generationOf(config: unknown, where: string): Generation {
  const fields = fieldsOf(config, where);
  const topP = within(fields, 'top_p', 0, 1, 'a share from 0 to 1');
  const topK = within(fields, 'top_k', -1, 1e7, 'a whole number of tokens, 0 or -1 for all');
  if (topK !== undefined && !Number.isInteger(topK)) {
    throw new ConfigurationError(wrongField(where, 'top_k', topK, 'a whole number of tokens'));
  }
  return {
    // A share of 0 keeps the likeliest token alone, which no profile can say with a share above 0.
    ...(topP === undefined ? {} : { topP: Math.max(topP, smallestShare) }),
    ...(topK === undefined || topK <= 0 ? {} : { topK }),
    citation: { source: where.slice(0, 1000) },
  };
}

const smallestShare = 1e-9;

function within(fields: Fields, name: string, least: number, most: number, expected: string): number | undefined {
  const value = raw(fields, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new ConfigurationError(wrongField(fields.where, name, value, expected));
  }
  return value;
}
