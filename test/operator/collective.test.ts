import { describe, expect, it } from 'vitest';
import { layerCollectives, modelCollectives } from '../../src/operator/collective.ts';
import { term } from '../../src/operator/operator.ts';
import { ranks, toyExperts, toyLayer } from '../support/toy-parts.ts';
import { toyModel } from '../support/toy.ts';

// Hidden size 1000 in 2 bytes, 4 ranks: an all-reduce moves 2 x 3/4 x 2000 = 3000 bytes a token and rank.

describe('collectives of a layer', () => {
  it('are two all-reduces for serial blocks, one for parallel ones', () => {
    const [serial] = layerCollectives(1000, toyLayer(), ranks({ tensor: 4 }));
    expect(serial).toMatchObject({
      kind: 'all-reduce',
      count: 2,
      ranks: 4,
      terms: [term('tokens', { linkBytes: 6000 })],
    });
    const [parallel] = layerCollectives(1000, toyLayer({ parallelBlocks: true }), ranks({ tensor: 4 }));
    expect(parallel).toMatchObject({ count: 1, terms: [term('tokens', { linkBytes: 3000 })] });
  });

  it('are one where a layer has one block, none on one rank', () => {
    const lone = toyLayer({ feedForward: { kind: 'none' } });
    expect(layerCollectives(1000, lone, ranks({ tensor: 2 }))[0]).toMatchObject({
      count: 1,
      terms: [term('tokens', { linkBytes: 2000 })],
    });
    expect(layerCollectives(1000, toyLayer(), ranks({}))).toEqual([]);
    const empty = toyLayer({ mixer: { kind: 'none' }, feedForward: { kind: 'none' } });
    expect(layerCollectives(1000, empty, ranks({ tensor: 2 }))).toEqual([]);
  });

  it('send tokens to experts on other ranks and back', () => {
    // 2 experts a token on 2 ranks: 2 (1 - 1/4) = 1.5 distinct ranks, half of them elsewhere; 1 byte there, 2 back.
    const layer = toyLayer({ feedForward: toyExperts });
    const exchange = layerCollectives(1000, layer, ranks({ data: 2, expert: 2 })).at(-1);
    expect(exchange).toMatchObject({ kind: 'all-to-all', count: 2, ranks: 2 });
    expect(exchange?.terms).toEqual([term('tokens', { linkBytes: 1.5 * 1000 * 3 * 0.5 })]);
  });

  it('reduce experts like any block where one attention group holds them all', () => {
    const layer = toyLayer({ feedForward: toyExperts });
    expect(layerCollectives(1000, layer, ranks({ tensor: 2, expert: 2 }))).toMatchObject([
      { kind: 'all-reduce', count: 2 },
    ]);
  });
});

describe('collectives of a model', () => {
  it('gather logits over tensor ranks', () => {
    // 1000 logits in 2 bytes, three quarters of them elsewhere.
    const [gather] = modelCollectives(toyModel, ranks({ tensor: 4 }));
    expect(gather).toMatchObject({ kind: 'all-reduce', count: 1, ranks: 4 });
    expect(gather?.terms[0]).toEqual(term('rows', { linkBytes: 1500 }));
  });

  it('hand 2000 bytes a token from stage to stage', () => {
    const [send] = modelCollectives(toyModel, ranks({ pipeline: 3 }));
    expect(send).toMatchObject({ kind: 'send', count: 2, terms: [term('tokens', { linkBytes: 4000 })] });
  });

  it('are none on one device', () => {
    expect(modelCollectives(toyModel, ranks({}))).toEqual([]);
  });
});
