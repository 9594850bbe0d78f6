import type { Clock } from '../serving/clock.ts';
import { type Breakdown, breakdownTotal, type Resource, resources } from '../roofline/resource.ts';
import { percent } from './clock-time.ts';
import { resourceWords } from './resource-words.ts';

/** Things to buy or change, and the resources whose speed they raise. */
export const levers: readonly {
  readonly more: string;
  readonly resources: readonly Resource[];
}[] = [
  { more: 'memory bandwidth', resources: ['weight-bandwidth', 'kv-bandwidth', 'activation-bandwidth'] },
  { more: 'FLOP/s', resources: ['compute'] },
  { more: 'link bandwidth', resources: ['link-bandwidth'] },
];

/** Below this elasticity, 10 % more of a thing takes less than half a per cent off. */
const nextToNothing = 0.05;

/** A clock of which waiting takes more than this share is told so. */
const muchWaiting = 0.2;

/**
 * What a clock is bound by, what would help and what would not, from its elasticities: 10 % more of a rate with
 * elasticity e changes the clock by the factor 1.1^-e.
 */
export function whatBinds(name: 'TTFT' | 'TPOT' | 'E2E', clock: Clock, bound: Resource): string {
  const { elasticity } = clock;
  const scored = levers.map((lever) => ({ more: lever.more, share: total(elasticity, lever.resources) }));
  const helps = scored.filter(({ share }) => share >= nextToNothing).toSorted((a, b) => b.share - a.share);
  const useless = scored.filter(({ share, more }) => share < nextToNothing && more !== 'link bandwidth');
  const fixed = total(elasticity, ['overhead', 'link-latency', 'network']);
  const parts = [
    ...helps.slice(0, 2).map(({ more, share }) => `10 % more ${more} takes about ${percent(1 - 1.1 ** -share)} off`),
    ...(fixed >= 0.15 ? [`${percent(fixed)} is overhead and latency that no faster chip shortens`] : []),
    ...(useless.length === 0 ? [] : [`more ${useless.map(({ more }) => more).join(' or ')} does next to nothing`]),
  ];
  return `${name} is ${percent(elasticity[bound])} ${resourceWords[bound]}${waits(clock)}: ${parts.join('; ')}.`;
}

/** Waiting has no rate of its own: it shortens with what it waits for, or with fewer requests in front. */
function waits({ breakdown, seconds }: Clock): string {
  const share = seconds > 0 ? breakdown.queue / seconds : 0;
  return share > muchWaiting ? ` (${percent(share)} of it spent waiting for other requests)` : '';
}

/** Sum of some entries of a breakdown. */
export const total = (breakdown: Breakdown, of: readonly Resource[]): number =>
  of.reduce((sum, resource) => sum + breakdown[resource], 0);

/** Shares of a breakdown by resource, largest first, those above `least`. */
export function sharesOf(
  breakdown: Breakdown,
  least: number,
): readonly { readonly resource: Resource; readonly share: number }[] {
  const whole = breakdownTotal(breakdown);
  return resources
    .map((resource) => ({ resource, share: whole > 0 ? breakdown[resource] / whole : 0 }))
    .filter(({ share }) => share >= least)
    .toSorted((a, b) => b.share - a.share);
}
