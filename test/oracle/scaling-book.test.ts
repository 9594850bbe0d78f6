import { describe, expect, it } from 'vitest';
import { estimate, explain } from '../../src/estimate.ts';
import type { Deployment } from '../../src/profile/scenario.ts';
import type { Workload } from '../../src/profile/workload.ts';
import { shippedDeployment } from '../support/shipped.ts';
import { ranks } from '../support/toy-parts.ts';

// jax-ml/scaling-book, "All About Transformer Inference" and "Serving LLaMA 3-70B on TPUs": TPU v5e, 1.97e14 FLOP/s in
// BF16, 8.1e11 to 8.2e11 bytes/s. Llama-3-70B in 8 bits: 80 x 2 x 8 x 128 bytes of KV = 164 kB (160 KiB) a token.

const eightBits = shippedDeployment('llama-3-70b', 'tpu-v5e');

/** Everything in 8 bits, table and head too, as the book has it. */
const serving = (tensor: number): Deployment => ({
  ...eightBits,
  model: { ...eightBits.model, checkpoint: { layers: 'fp8', embedding: 'fp8', head: 'fp8', activations: 'bf16' } },
  precision: { keyValue: 'fp8' },
  parallelism: ranks({ tensor }),
});

/** One decode step of `size` sequences at a context of 8192. */
const at8192 = (size: number): Workload => ({ prompt: 8191, output: 2, cached: 0, load: { kind: 'batch', size } });

function expectWithin(value: number, published: number, share = 0.02): void {
  expect(value).toBeGreaterThan(published * (1 - share));
  expect(value).toBeLessThan(published * (1 + share));
}

describe('serving Llama-3-70B on TPU v5e', () => {
  it('keeps 160 KiB of KV a token, 112 GB with the weights for 32 sequences of 8192', () => {
    const { memory } = estimate({ deployment: serving(8), workload: at8192(32), grade: 'ideal' });
    expect(memory.keyValuePerToken * 8).toBe(160 * 1024);
    expectWithin(8 * (memory.weights + memory.keyValue), 112e9);
  });

  it('steps in 17 ms on 4 x 2 chips', () => {
    const { tpot } = estimate({ deployment: serving(8), workload: at8192(32), grade: 'ideal' });
    expectWithin(tpot.seconds, 17.2e-3);
    expect(tpot.elasticity['weight-bandwidth'] + tpot.elasticity['kv-bandwidth']).toBeCloseTo(1, 12);
  });

  it('steps in 8.5 ms on 4 x 4 chips: a bound divides the KV cache over more ranks than KV heads', () => {
    const { tpot } = estimate({ deployment: serving(16), workload: at8192(32), grade: 'ideal' });
    expectWithin(tpot.seconds, 8.6e-3);
  });

  it('prefills 8192 tokens on 16 chips at 40 % of peak in 0.91 s, but for attention, which the book leaves out', () => {
    const deployment = {
      ...eightBits,
      parallelism: ranks({ tensor: 16 }),
      utilisation: { compute: 0.4 },
    };
    const workload: Workload = { prompt: 8192, output: 1, cached: 0, load: { kind: 'batch', size: 1 } };
    const [prefill] = explain({ deployment, workload, grade: 'ideal' });
    const products = prefill.operators
      .filter(({ kind }) => kind === 'gemm')
      .reduce((sum, { seconds }) => sum + seconds, 0);
    // The book counts the head for every token: 2 x 1.05e9 x 8191 FLOP more.
    const head = (2 * 8192 * 128_256 * 8191) / 16 / 1.97e14 / 0.4;
    expectWithin(products + head, 0.91);
    expectWithin(prefill.seconds - products, (2 * 8192 ** 2 * 8192 * 80) / 16 / 1.97e14 / 0.4);
  });
});

describe('Llama-2-13B in BF16 on 8 chips of TPU v5e at a context of 8192', () => {
  // 26 GB of weights and 0.82 MB of KV a token: 6.7 GB a sequence.
  it.each([
    [1, 4.98e-3],
    [8, 12.13e-3],
    [16, 20.3e-3],
    [32, 36.65e-3],
    [64, 69.33e-3],
    [240, 249.09e-3],
  ])('steps with %i sequences in %d s', (size, published) => {
    const deployment = shippedDeployment('llama-2-13b', 'tpu-v5e', 'none', { parallelism: ranks({ tensor: 8 }) });
    const { tpot } = estimate({ deployment, workload: at8192(size), grade: 'ideal' });
    expectWithin(tpot.seconds, published);
  });
});

describe('the batch where products turn from bandwidth to FLOP/s', () => {
  // 1.97e14 / 8.19e11 = 240.5 FLOP a byte: 240 rows of BF16 weights, 120 of 8-bit weights.
  it.each([
    ['bf16', 240, 'weight-bandwidth'],
    ['bf16', 241, 'compute'],
    ['fp8', 120, 'weight-bandwidth'],
    ['fp8', 121, 'compute'],
  ] as const)('of %s weights is passed at %i: %s', (weights, size, resource) => {
    const deployment = shippedDeployment('llama-2-13b', 'tpu-v5e', 'none', {
      precision: { weights, activations: 'bf16' },
    });
    const workload: Workload = { prompt: 1, output: 2, cached: 0, load: { kind: 'batch', size } };
    const [, decode] = explain({ deployment, workload, grade: 'ideal' });
    const products = decode.operators.filter(({ name }) => name.startsWith('MLP'));
    expect(products.length).toBe(2);
    for (const { breakdown, seconds } of products) expect(breakdown[resource]).toBe(seconds);
  });
});
