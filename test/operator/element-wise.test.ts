import { describe, expect, it } from 'vitest';
import { elementWiseOperator } from '../../src/operator/element-wise.ts';
import { term } from '../../src/operator/operator.ts';
import { toyExperts, toyLatent, toyLayer, toyRecurrent } from '../support/toy-parts.ts';

// Two norms with residuals 2 x 4 x 1000, rotated queries, keys and values 2 x (10 + 20) x 100, activation 2 x 4000:
// 8000 + 6000 + 8000 = 22,000 elements in 2 bytes.

describe('element-wise operators', () => {
  it('move norms, positions and activations of a layer', () => {
    expect(elementWiseOperator(1000, toyLayer())).toMatchObject({
      count: 4,
      terms: [term('tokens', { activationBytes: 44_000 })],
    });
  });

  it.each([
    ['gated', { feedForward: { kind: 'dense', width: 4000, gated: true } }, 8000 + 6000 + 12_000, 4],
    ['without an MLP', { feedForward: { kind: 'none' } }, 4000 + 6000, 2],
    ['recurrent', { mixer: toyRecurrent }, 8000 + 20 + 8000, 4],
    ['latent', { mixer: toyLatent }, 8000 + 2 * (5 * 20 + 80) + 8000, 4],
    ['of experts alone', { feedForward: toyExperts }, 8000 + 6000, 4],
    ['of shared experts', { feedForward: { ...toyExperts, sharedWidth: 100 } }, 8000 + 6000 + 300, 4],
  ] as const)('of a layer %s', (_, changes, elements, kernels) => {
    const operator = elementWiseOperator(1000, toyLayer(changes));
    expect(operator.count).toBe(kernels);
    expect(operator.terms).toEqual([term('tokens', { activationBytes: 2 * elements })]);
  });
});
