import { describe, expect, it } from 'vitest';
import { mixerOperators } from '../../src/operator/mixer.ts';
import type { Operator } from '../../src/operator/operator.ts';
import { shardLayer } from '../../src/operator/shard.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import { counted } from '../support/counted.ts';
import { ranks, toyAttention, toyLatent, toyLayer, toyRecurrent } from '../support/toy-parts.ts';
import { toyModel } from '../support/toy.ts';

// 3000 elements of projections on hidden size 100: 6000 FLOP a token, 6000 bytes once.
// State 100 elements in 4 bytes + 10 in 2 bytes = 420 bytes, read and written once a step: 840 bytes a sequence.

const precision = resolvePrecision(toyModel, {});
const first = (): number => 0;

const flopsPerToken = (operator: Operator | undefined): number =>
  (operator === undefined ? undefined : counted([operator])['tokens']?.flops) ?? 0;

describe('mixer', () => {
  it('of a recurrent layer moves its state, whatever the context', () => {
    const [projections, recurrence] = mixerOperators(100, toyRecurrent, precision, first, true);
    // 100 in, 30 out, 2 bytes each.
    expect(projections && counted([projections])).toEqual({
      once: { weightBytes: 6000 },
      tokens: { flops: 6000, activationBytes: 260 },
    });
    expect(recurrence && counted([recurrence])).toEqual({ tokens: { flops: 500 }, sequences: { keyValueBytes: 840 } });
  });

  it('divides a recurrent layer among tensor ranks', () => {
    const { mixer } = shardLayer(toyLayer({ mixer: toyRecurrent }), ranks({ tensor: 2 }));
    const [projections, recurrence] = mixerOperators(100, mixer, precision, first, true);
    expect(flopsPerToken(projections)).toBe(3000);
    expect(recurrence && counted([recurrence])['sequences']).toEqual({ keyValueBytes: 420 });
  });

  it('fuses the projections of query, key and value', () => {
    const operators = mixerOperators(1000, toyAttention, precision, first, true);
    expect(operators.map(({ name }) => name)).toEqual([
      'query, key and value projection',
      'output projection',
      'attention (prefill)',
      'attention (decode)',
    ]);
    // 1000 x (1000 + 1000 + 1000), then 1000 x 1000.
    expect(operators.slice(0, 2).map(flopsPerToken)).toEqual([6e6, 2e6]);
  });

  it('has no projection for keys and values that another layer computed, and a double query where gated', () => {
    const shared = mixerOperators(1000, { ...toyAttention, keyValue: 'shared' }, precision, first, true);
    expect(flopsPerToken(shared[0])).toBe(2e6);
    const one = mixerOperators(1000, { ...toyAttention, keyValue: 'key-is-value' }, precision, first, true);
    expect(flopsPerToken(one[0])).toBe(4e6);
    const gated = mixerOperators(1000, { ...toyAttention, gated: true }, precision, first, true);
    expect(flopsPerToken(gated[0])).toBe(8e6);
  });

  it('compresses and expands around latent attention', () => {
    const names = mixerOperators(100, { ...toyLatent, queryRank: 40 }, precision, first, true).map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual([
      'latent projection',
      'query expansion',
      'key and value expansion',
      'output projection',
    ]);
  });

  it('moves rows of the hidden size through matrices known as a count alone', () => {
    // 5000 elements behind 100 inputs: 50 outputs, (100 + 50) x 2 bytes a token, not 2 x 5000.
    const compressed = {
      queryRank: 10,
      outputRank: 10,
      outputGroups: 2,
      tokensPerEntry: 4,
      localWindow: 16,
      auxiliaryParameters: 5000,
    };
    const operators = mixerOperators(100, { ...toyAttention, keyValueHeads: 1, compressed }, precision, first, true);
    const auxiliary = operators.find(({ name }) => name === 'auxiliary projections');
    expect(auxiliary && counted([auxiliary])).toEqual({
      once: { weightBytes: 10_000 },
      tokens: { flops: 10_000, activationBytes: 300 },
    });
  });

  it('is nothing where a layer has none', () => {
    expect(mixerOperators(100, { kind: 'none' }, precision, first, true)).toEqual([]);
  });
});
