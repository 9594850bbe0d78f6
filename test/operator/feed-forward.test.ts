import { describe, expect, it } from 'vitest';
import { type ExpertGroup, feedForwardOperators } from '../../src/operator/feed-forward.ts';
import type { Operator } from '../../src/operator/operator.ts';
import { shardLayer } from '../../src/operator/shard.ts';
import type { FeedForward } from '../../src/profile/model.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import type { Parallelism } from '../../src/profile/scenario.ts';
import { ranks, toyExperts, toyLayer } from '../support/toy-parts.ts';
import { toyModel } from '../support/toy.ts';

// Gated MLP of width 50 on hidden size 100: 3 x 100 x 50 = 15,000 elements, 30,000 FLOP a token.
// 8 such experts, 2 a token: 60,000 FLOP a token; 30,000 bytes (BF16) for each expert that a token visits.

const precision = resolvePrecision(toyModel, {});

function operators(
  block: FeedForward,
  parallelism: Parallelism,
): readonly [readonly Operator[], readonly ExpertGroup[]] {
  const groups: ExpertGroup[] = [];
  const { feedForward } = shardLayer(toyLayer({ feedForward: block }), parallelism);
  return [feedForwardOperators(100, feedForward, precision, parallelism, (group) => groups.push(group) - 1), groups];
}

const flops = (list: readonly Operator[]): number =>
  list.flatMap(({ terms }) => terms).reduce((sum, { flops: each }) => sum + each, 0);

const routed = (list: readonly Operator[]): Operator['terms'] =>
  list.find(({ kind }) => kind === 'experts')?.terms ?? [];

describe('feed-forward', () => {
  it('of a gated MLP fuses gate and up', () => {
    const [list] = operators({ kind: 'dense', width: 50, gated: true }, ranks({}));
    expect(list.map(({ name }) => name)).toEqual(['MLP up', 'MLP down']);
    expect(flops(list)).toBe(30_000);
  });

  it('divides its width among tensor ranks', () => {
    const [list] = operators({ kind: 'dense', width: 50, gated: false }, ranks({ tensor: 2 }));
    expect(flops(list)).toBe(10_000);
  });

  it('of experts multiplies two and reads those that are touched', () => {
    const [list, groups] = operators(toyExperts, ranks({}));
    expect(groups).toEqual([{ local: 8, share: 0.25, tokenFactor: 1 }]);
    const [work, weights] = routed(list);
    expect(work?.flops).toBe(60_000);
    expect(weights?.variable).toBe('touchedExperts/0');
    expect(weights?.weightBytes).toBe(30_000);
    // The router: 100 x 8 elements, whole on every rank.
    expect(flops(list)).toBe(60_000 + 2 * 800);
  });

  it('reads shared experts and a dense MLP beside them always', () => {
    const [list] = operators({ ...toyExperts, sharedWidth: 50, denseWidth: 100 }, ranks({}));
    expect(list.map(({ name }) => name)).toEqual([
      'router',
      'experts',
      'shared expert up',
      'shared expert down',
      'MLP up',
      'MLP down',
    ]);
    expect(flops(list)).toBe(60_000 + 1600 + 30_000 + 60_000);
  });

  it('splits the width of experts among tensor ranks, and the experts among expert ranks', () => {
    const [tensor, tensorGroups] = operators(toyExperts, ranks({ tensor: 2 }));
    expect(tensorGroups).toEqual([{ local: 8, share: 0.25, tokenFactor: 1 }]);
    expect(routed(tensor).map(({ flops: each, weightBytes }) => [each, weightBytes])).toEqual([
      [30_000, 0],
      [0, 15_000],
    ]);
    const [expert, expertGroups] = operators(toyExperts, ranks({ tensor: 2, expert: 2 }));
    expect(expertGroups).toEqual([{ local: 4, share: 0.25, tokenFactor: 1 }]);
    expect(routed(expert).map(({ flops: each, weightBytes }) => [each, weightBytes])).toEqual([
      [30_000, 0],
      [0, 30_000],
    ]);
  });

  it('serves the tokens of all attention groups where experts are spread over them', () => {
    // 4 groups on 4 expert ranks: 2 experts each, and the visits of 4 groups over 4 ranks: 2 a token as before.
    const [list, groups] = operators(toyExperts, ranks({ data: 4, expert: 4 }));
    expect(groups).toEqual([{ local: 2, share: 0.25, tokenFactor: 4 }]);
    expect(routed(list)[0]?.flops).toBe(60_000);
  });

  it('is nothing where a layer has none', () => {
    expect(operators({ kind: 'none' }, ranks({}))[0]).toEqual([]);
    expect(flops(operators({ kind: 'linear' }, ranks({}))[0])).toBe(20_000);
  });
});
