import { describe, expect, it } from 'vitest';
import { type ExpertGroup, feedForwardOperators } from '../../src/operator/feed-forward.ts';
import type { Operator } from '../../src/operator/operator.ts';
import { shardLayer } from '../../src/operator/shard.ts';
import type { FeedForward } from '../../src/profile/model.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import type { Parallelism } from '../../src/profile/scenario.ts';
import { counted } from '../support/counted.ts';
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

type Drawn = ReturnType<typeof operators>;

const flops = ([list, groups]: Drawn): number => counted(list, groups)['tokens']?.flops ?? 0;

/** FLOP a token and bytes of one expert of the routed experts. */
const routed = ([list, groups]: Drawn): readonly [number | undefined, number | undefined] => {
  const counts = counted(
    list.filter(({ kind }) => kind === 'experts'),
    groups,
  );
  return [counts['tokens']?.flops, counts['touchedExperts/0']?.weightBytes];
};

describe('feed-forward', () => {
  it('of a gated MLP fuses gate and up', () => {
    const drawn = operators({ kind: 'dense', width: 50, gated: true }, ranks({}));
    expect(drawn[0].map(({ name }) => name)).toEqual(['MLP up', 'MLP down']);
    expect(flops(drawn)).toBe(30_000);
  });

  it('divides its width among tensor ranks', () => {
    expect(flops(operators({ kind: 'dense', width: 50, gated: false }, ranks({ tensor: 2 })))).toBe(10_000);
  });

  it('of experts multiplies two and reads those that are touched', () => {
    const drawn = operators(toyExperts, ranks({}));
    expect(drawn[1]).toMatchObject([{ local: 8, share: 0.25, tokenFactor: 1 }]);
    expect(routed(drawn)).toEqual([60_000, 30_000]);
    // The router: 100 x 8 elements, whole on every rank.
    expect(flops(drawn)).toBe(60_000 + 2 * 800);
  });

  it('reads shared experts and a dense MLP beside them always', () => {
    const drawn = operators({ ...toyExperts, sharedWidth: 50, denseWidth: 100 }, ranks({}));
    expect(drawn[0].map(({ name }) => name)).toEqual([
      'router',
      'experts',
      'shared expert up',
      'shared expert down',
      'MLP up',
      'MLP down',
    ]);
    expect(flops(drawn)).toBe(60_000 + 1600 + 30_000 + 60_000);
    expect(counted(drawn[0], drawn[1])['once']).toEqual({ weightBytes: 1600 + 30_000 + 60_000 });
  });

  it('splits the width of experts among tensor ranks, and the experts among expert ranks', () => {
    const tensor = operators(toyExperts, ranks({ tensor: 2 }));
    expect(tensor[1]).toMatchObject([{ local: 8, share: 0.25, tokenFactor: 1 }]);
    expect(routed(tensor)).toEqual([30_000, 15_000]);
    const expert = operators(toyExperts, ranks({ tensor: 2, expert: 2 }));
    expect(expert[1]).toMatchObject([{ local: 4, share: 0.25, tokenFactor: 1, ranks: 2 }]);
    expect(routed(expert)).toEqual([30_000, 30_000]);
  });

  it('serves the tokens of all attention groups where experts are spread over them', () => {
    // 4 groups on 4 expert ranks: 2 experts each, and the visits of 4 groups over 4 ranks: 2 a token as before.
    const drawn = operators(toyExperts, ranks({ data: 4, expert: 4 }));
    expect(drawn[1]).toMatchObject([{ local: 2, share: 0.25, tokenFactor: 4, ranks: 4 }]);
    expect(routed(drawn)).toEqual([60_000, 30_000]);
  });

  it('is nothing where a layer has none, and one matrix where that is in its place', () => {
    expect(operators({ kind: 'none' }, ranks({}))[0]).toEqual([]);
    expect(flops(operators({ kind: 'linear' }, ranks({})))).toBe(20_000);
  });
});
