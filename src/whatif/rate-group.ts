import { type Breakdown, type Resource, resources } from '../roofline/resource.ts';
import type { Clock } from '../serving/clock.ts';

/** What can be bought or changed, and the resources that it speeds up. Waiting is no group: it resolves into what it waits for. */
export interface RateGroup {
  readonly name: 'compute' | 'memory' | 'link' | 'latency' | 'overhead' | 'network' | 'queue';
  /** In a sentence: 'memory bandwidth'. */
  readonly words: string;
  readonly resources: readonly Resource[];
}

export const rateGroups: readonly RateGroup[] = [
  { name: 'compute', words: 'FLOP/s', resources: ['compute'] },
  {
    name: 'memory',
    words: 'memory bandwidth',
    resources: ['weight-bandwidth', 'kv-bandwidth', 'activation-bandwidth'],
  },
  { name: 'link', words: 'link bandwidth', resources: ['link-bandwidth'] },
  { name: 'latency', words: 'link latency', resources: ['link-latency'] },
  { name: 'overhead', words: 'engine and launch overhead', resources: ['overhead'] },
  { name: 'network', words: 'the network', resources: ['network'] },
  { name: 'queue', words: 'waiting', resources: ['queue'] },
];

/** Sum of a group's resources. */
export const groupTotal = (breakdown: Breakdown, { resources: parts }: RateGroup): number =>
  parts.reduce((sum, part) => sum + breakdown[part], 0);

/** The group that a clock reacts to most, and its elasticity. */
export function bindingGroup({ elasticity }: Clock): { readonly group: RateGroup; readonly share: number } {
  const [first, ...rest] = rateGroups;
  if (first === undefined) throw new RangeError(`no groups for ${resources.length} resources`);
  let best = { group: first, share: groupTotal(elasticity, first) };
  for (const group of rest) {
    const share = groupTotal(elasticity, group);
    if (share > best.share) best = { group, share };
  }
  return best;
}
