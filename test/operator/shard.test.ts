import { describe, expect, it } from 'vitest';
import { expertTensorRanks, shardLayer } from '../../src/operator/shard.ts';
import { ranks, toyAttention, toyExperts, toyLatent, toyLayer, toyRecurrent } from '../support/toy-parts.ts';

// 10 heads on 2 ranks: 5 each. 2 KV heads on 4 ranks: one each, every head stored twice.

describe('a rank', () => {
  it('has its part of the heads, and at least one KV head', () => {
    expect(shardLayer(toyLayer(), ranks({ tensor: 2 })).mixer).toMatchObject({ heads: 5, keyValueHeads: 5 });
    const grouped = toyLayer({ mixer: { ...toyAttention, heads: 16, keyValueHeads: 2 } });
    expect(shardLayer(grouped, ranks({ tensor: 4 })).mixer).toMatchObject({ heads: 4, keyValueHeads: 1 });
  });

  it('keeps the whole latent', () => {
    const { mixer } = shardLayer(toyLayer({ mixer: toyLatent }), ranks({ tensor: 4 }));
    expect(mixer).toEqual({ ...toyLatent, heads: 1 });
  });

  it('has its part of a recurrent state', () => {
    const { mixer } = shardLayer(toyLayer({ mixer: toyRecurrent }), ranks({ tensor: 2 }));
    expect(mixer).toMatchObject({
      matrixParameters: 1500,
      stateElements: 50,
      convolutionElements: 5,
      recurrenceFlops: 250,
    });
  });

  it('has its part of the width of an MLP, and a matrix in its place whole', () => {
    expect(shardLayer(toyLayer(), ranks({ tensor: 4 })).feedForward).toMatchObject({ width: 1000 });
    const linear = toyLayer({ feedForward: { kind: 'linear' } });
    expect(shardLayer(linear, ranks({ tensor: 4 })).feedForward).toEqual({ kind: 'linear' });
  });

  it('shares experts by their number first and their width then', () => {
    const layer = toyLayer({ feedForward: { ...toyExperts, sharedWidth: 40, denseWidth: 80 } });
    const width = (parallelism: Parameters<typeof ranks>[0]): unknown =>
      shardLayer(layer, ranks(parallelism)).feedForward;
    expect(width({ tensor: 2 })).toMatchObject({ width: 25, sharedWidth: 20, denseWidth: 40 });
    expect(width({ tensor: 2, expert: 2 })).toMatchObject({ width: 50, sharedWidth: 20 });
    expect(width({ data: 4, expert: 4 })).toMatchObject({ width: 50, sharedWidth: 40 });
    expect(expertTensorRanks(ranks({ tensor: 8, expert: 4 }))).toBe(2);
  });

  it('is on one device the whole layer', () => {
    expect(shardLayer(toyLayer(), ranks({}))).toEqual(toyLayer());
  });
});
