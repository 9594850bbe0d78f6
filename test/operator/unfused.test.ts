import { describe, expect, it } from 'vitest';
import { modelOperators } from '../../src/operator/model-operators.ts';
import { term } from '../../src/operator/operator.ts';
import { unfusedOperator } from '../../src/operator/unfused.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import { singleDevice } from '../../src/profile/scenario.ts';
import { toyModel } from '../support/toy.ts';
import { toyExperts, toyLatent, toyLayer, toyRecurrent } from '../support/toy-parts.ts';

// A plain layer of hidden size 1000: query, key and value apart are 2 products more, gate and up 1; second rotation,
// two cache writes and two residuals are 5 nodes of 2 x 1000 elements in 2 bytes: 5 x 4000 = 20,000 bytes a token.

describe('graph nodes that are not fused', () => {
  const plain = toyLayer({ vectorParameters: 2000 });

  it('are products that share their input, rotations, cache writes and residuals', () => {
    expect(unfusedOperator(1000, plain)).toMatchObject({
      kind: 'element-wise',
      count: 2 + 5,
      terms: [term('tokens', { activationBytes: 20_000 })],
    });
  });

  it.each([
    ['gated', { feedForward: { kind: 'dense', width: 4000, gated: true } }, 8],
    ['with four norms', { vectorParameters: 4000 }, 9],
    ['with norms of heads', { vectorParameters: 2200 }, 9],
    ['with embeddings of its own among its vectors', { vectorParameters: 500_000 }, 13],
    ['latent', { mixer: toyLatent }, 2 + 6 + 1],
    ['recurrent', { mixer: toyRecurrent }, 1 + 10 + 1],
    ['without a mixer', { mixer: { kind: 'none' } }, 1],
    ['of experts', { feedForward: toyExperts }, 2 + 4 + 6],
    ['of experts with biases', { feedForward: { ...toyExperts, vectorParametersPerExpert: 10 } }, 2 + 4 + 9],
    ['of shared experts', { feedForward: { ...toyExperts, sharedWidth: 100, gated: true } }, 2 + 4 + 6 + 2 + 1],
  ] as const)('of a layer %s', (_, changes, count) => {
    expect(unfusedOperator(1000, { ...plain, ...changes }).count).toBe(count);
  });

  it('are there only for an engine that runs its graph node by node', () => {
    const precision = resolvePrecision(toyModel, {});
    const named = (fusedKernels: boolean): number =>
      modelOperators(toyModel, precision, singleDevice, { fusedKernels }).operators.filter(
        ({ name }) => name === 'graph nodes that are not fused',
      ).length;
    expect(named(true)).toBe(0);
    expect(named(false)).toBe(1);
  });
});
