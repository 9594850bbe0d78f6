import type { Estimate } from '../estimate.ts';
import { digits, grouped } from './clock-time.ts';

/** What each pool can take, the groups of which both would be full, which one limits the rate, and a better split. */
export function poolRows({ pools }: Pick<Estimate, 'pools'>): readonly (readonly string[])[] {
  if (pools === undefined) return [];
  const { prefill, decode, limitedBy, fullAt, best } = pools;
  const computed = `prefill up to ${digits(prefill.requestsPerSecond)} requests/s on ${grouped(prefill.groups)} ${prefill.groups === 1 ? 'group' : 'groups'}`;
  if (fullAt === undefined || best === undefined)
    return [['Pools', `${computed}; an answer of one token leaves nothing to decode`]];
  const all = grouped(prefill.groups + decode.groups);
  const isBest = best.prefill === prefill.groups;
  return [
    [
      'Pools',
      `${computed}, decode up to ${digits(decode.requestsPerSecond)} on ${grouped(decode.groups)} (${grouped(Math.floor(decode.sequences))} sequences each)`,
    ],
    [
      '',
      `pools full at ${grouped(fullAt.prefill)} prefill : ${grouped(fullAt.decode)} decode; ${limitedBy} limits the rate${isBest ? `, and no split of ${all} groups carries more` : ''}`,
    ],
    ...(isBest
      ? []
      : [
          [
            '',
            `${grouped(best.prefill)} prefill + ${grouped(best.decode)} decode of these ${all} groups would carry ${digits(best.requestsPerSecond)} requests/s`,
          ],
        ]),
  ];
}
