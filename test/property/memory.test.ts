import * as fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { modelOperators } from '../../src/operator/model-operators.ts';
import type { Model } from '../../src/profile/model.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import { type Parallelism, type Scenario, singleDevice } from '../../src/profile/scenario.ts';
import { weightBytes } from '../../src/roofline/memory.ts';
import { batchLoad, scenario } from '../support/arbitrary.ts';
import { shippedModel } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';

// 10 heads of 100 + 100 elements in 2 bytes: 4000 bytes a token; a window of 16 tokens stops at 64,000.

const added = fc.integer({ min: 1, max: 5000 });

const keyValueOf = (drawn: Scenario): number => estimate(drawn).memory.keyValue;

describe('memory', () => {
  it('of the KV cache never shrinks with batch, prompt or answer, nor the weights with any of them', () => {
    fc.assert(
      fc.property(scenario(batchLoad), added, (drawn, more) => {
        const { workload } = drawn;
        const before = estimate(drawn).memory;
        const size = workload.load.kind === 'batch' ? workload.load.size : 1;
        const larger: readonly Scenario[] = [
          { ...drawn, workload: { ...workload, load: { kind: 'batch', size: size + more } } },
          { ...drawn, workload: { ...workload, prompt: workload.prompt + more } },
          { ...drawn, workload: { ...workload, output: workload.output + more } },
        ];
        for (const each of larger) {
          const after = estimate(each).memory;
          expect(after.keyValue).toBeGreaterThanOrEqual(before.keyValue);
          expect(after.shortBy).toBeGreaterThanOrEqual(before.shortBy);
          expect(after.weights).toBe(before.weights);
        }
      }),
      runs(80),
    );
  });

  it('of weights and KV grows with their bits', () => {
    fc.assert(
      fc.property(scenario(batchLoad), (drawn) => {
        const as = (weights: string): Scenario => ({
          ...drawn,
          deployment: { ...drawn.deployment, precision: { weights } },
        });
        const sizes = ['w4a16-awq', 'fp8', 'bf16', 'fp32'].map((weights) => estimate(as(weights)).memory.weights);
        expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
        if (drawn.deployment.model.layers.some(({ mixer }) => mixer.kind === 'attention')) {
          const stored = ['fp8', 'bf16', 'fp32'].map((keyValue) =>
            keyValueOf({ ...drawn, deployment: { ...drawn.deployment, precision: { keyValue } } }),
          );
          expect(stored).toEqual([...stored].sort((a, b) => a - b));
        }
      }),
      runs(50),
    );
  });

  it('of the KV cache is bytes per token x context where nothing is windowed or recurrent', () => {
    const unwindowed = scenario(batchLoad).filter(({ deployment }) =>
      deployment.model.layers.every(
        ({ mixer }) => mixer.kind === 'latent-attention' || (mixer.kind === 'attention' && mixer.window === undefined),
      ),
    );
    fc.assert(
      fc.property(unwindowed, (drawn) => {
        const { memory, load } = estimate(drawn);
        const { parallelism } = drawn.deployment;
        // The fullest device holds a whole sequence, however few there are to share.
        const perGroup = Math.max(1, load.running / parallelism.data / parallelism.replicas);
        const total = memory.keyValuePerToken * (drawn.workload.prompt + drawn.workload.output) * perGroup;
        expect(Math.abs(memory.keyValue - total)).toBeLessThanOrEqual(1e-9 * total);
      }),
      runs(80),
    );
  });

  it('adds up, and says what is missing', () => {
    fc.assert(
      fc.property(scenario(batchLoad), (drawn) => {
        const { usable, weights, workspace, reserve, keyValue, fits, shortBy } = estimate(drawn).memory;
        const over = weights + workspace + reserve + keyValue - usable;
        expect(Math.abs(Math.max(0, over) - shortBy)).toBeLessThanOrEqual(
          1e-9 * (weights + workspace + keyValue + usable),
        );
        expect(fits).toBe(shortBy === 0);
      }),
      runs(80),
    );
  });

  const names = readdirSync(new URL('../../model-profiles/', import.meta.url)).map((file) => file.replace('.json', ''));

  it.each([1, 2, 4])(
    'of weights is what the operators read, the input table and the vectors, on %i ranks',
    (tensor) => {
      for (const name of names) {
        const model = shippedModel(name);
        const parallelism = { ...singleDevice, tensor };
        const stored = weightBytes(model, resolvePrecision(model, {}), parallelism);
        const read = readBytes(model, parallelism);
        expect(Math.abs(stored / read - 1), name).toBeLessThan(1e-12);
      }
    },
  );
});

/** Every matrix that a step may read, and what is looked up or added: table, look-ups, norms, biases. */
function readBytes(model: Model, parallelism: Parallelism): number {
  const precision = resolvePrecision(model, {});
  const { operators, expertGroups } = modelOperators(model, precision, parallelism);
  let bytes = 0;
  for (const { terms } of operators) {
    for (const { variable, weightBytes: each } of terms) {
      bytes += each * (variable === 'once' ? 1 : (expertGroups[Number(variable.split('/')[1])]?.local ?? 0));
    }
  }
  // A tied table is read as the head.
  const table = model.embedding.tied ? 0 : model.vocabulary * model.hiddenSize;
  const lookups = ((table + model.embedding.lookupParameters) / parallelism.tensor) * (precision.embedding.bits / 8);
  let vectors = model.vectorParameters;
  for (const { count, vectorParameters, feedForward } of model.layers) {
    const inExperts = feedForward.kind === 'experts' ? feedForward.experts * feedForward.vectorParametersPerExpert : 0;
    vectors += count * (vectorParameters + inExperts);
  }
  return bytes + lookups + 2 * vectors;
}
