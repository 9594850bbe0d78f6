import { describe, expect, it } from 'vitest';
import { modelOperators } from '../../src/operator/model-operators.ts';
import type { LayerGroup } from '../../src/profile/model.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import { counted } from '../support/counted.ts';
import { ranks, toyAttention, toyExperts, toyLayer } from '../support/toy-parts.ts';
import { toyModel } from '../support/toy.ts';

// The toy layer has 12e6 elements and the head 1e6: 24e6 FLOP a token, 2e6 a row, 26e6 bytes of BF16 weights.

const of = (layers: readonly LayerGroup[], tensor = 1): ReturnType<typeof modelOperators> =>
  modelOperators({ ...toyModel, layers }, resolvePrecision(toyModel, {}), ranks({ tensor }));

describe('operators of a model', () => {
  it('sum to its parameters', () => {
    const { operators, expertGroups } = of([toyLayer()]);
    const counts = counted(operators, expertGroups);
    expect(counts['tokens']?.flops).toBe(24e6);
    expect(counts['rows']?.flops).toBe(2e6);
    expect(counts['once']).toEqual({ weightBytes: 26e6 });
    expect(counts['decodeContext/0']).toEqual({ flops: 4000, keyValueBytes: 4000 });
  });

  it('share everything but rows in and out among ranks', () => {
    const { operators } = of([toyLayer()], 2);
    const counts = counted(operators);
    expect(counts['tokens']?.flops).toBe(12e6);
    expect(counts['once']).toEqual({ weightBytes: 13e6 });
    expect(counts['decodeContext/0']).toEqual({ flops: 2000, keyValueBytes: 2000 });
  });

  it('are one operator for equal layers, in whatever groups they come', () => {
    const together = of([toyLayer({ count: 43 })]);
    const apart = of([toyLayer({ count: 1 }), toyLayer({ count: 31 }), toyLayer({ count: 11 })]);
    expect(apart).toEqual(together);
    expect(together.operators.find(({ name }) => name === 'output projection')?.count).toBe(43);
  });

  it('give each window its own variable, and equal ones the same', () => {
    const local = toyLayer({ mixer: { ...toyAttention, window: 64 } });
    const { spans, operators } = of([toyLayer(), local, toyLayer(), local]);
    expect(spans.map(({ window }) => window)).toEqual([Infinity, 64]);
    expect(operators.filter(({ name }) => name === 'attention (decode)').map(({ count }) => count)).toEqual([2, 2]);
  });

  it('group experts that are routed alike', () => {
    const sparse = toyLayer({ feedForward: toyExperts });
    const other = toyLayer({ feedForward: { ...toyExperts, active: 4 } });
    expect(of([sparse, sparse, other]).expertGroups.map(({ share }) => share)).toEqual([0.25, 0.5]);
  });

  it('keep latent projections apart that are read from different rows', () => {
    const { operators } = of([toyLayer({ feedForward: { ...toyExperts, latentSize: 500 } })]);
    const passes = operators
      .filter(({ name }) => name === 'latent projection of experts')
      .map(({ inputPass }) => inputPass?.activationBytes);
    expect(passes).toEqual([2000, 1000]);
  });
});
