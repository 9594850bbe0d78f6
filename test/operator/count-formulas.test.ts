import { describe, expect, it } from 'vitest';
import { bundledNames } from '../../src/catalog/bundled.ts';
import { scenarioOf } from '../../src/catalog/scenario.ts';
import { countFormulas } from '../../src/operator/formula/count-formulas.ts';
import { keyValueFormulas, weightFormulas } from '../../src/operator/formula/memory-formula.ts';
import { modelOperators } from '../../src/operator/model-operators.ts';
import { logitWork } from '../../src/operator/sampling.ts';
import type { Variable } from '../../src/operator/operator.ts';
import { deploymentPrecision } from '../../src/profile/precision.ts';
import type { Parallelism } from '../../src/profile/scenario.ts';
import { evaluateExpression } from '../../src/quantity/expression.ts';
import { engineLimits } from '../../src/roofline/engine-limits.ts';
import { deviceMemory } from '../../src/roofline/memory.ts';

const { models } = await bundledNames();
const counts = ['flops', 'weightBytes', 'keyValueBytes', 'activationBytes', 'linkBytes'] as const;

/** Different amounts for every variable, so that none stands in for another. */
function amountOf(variable: Variable): number {
  let amount = 7;
  for (const character of variable) amount = (amount * 31 + character.charCodeAt(0)) % 10_007;
  return variable === 'once' ? 1 : amount + 1;
}

const calculated = (numbers: string): number => evaluateExpression(numbers, new Map(), 'ratio');

describe.each<readonly [string, Partial<Parallelism>]>([
  ['one device', {}],
  ['tensor ranks', { tensor: 2 }],
  ['more ranks than KV heads', { tensor: 16 }],
  ['experts spread', { tensor: 2, data: 4, expert: 8 }],
  ['stages', { tensor: 2, pipeline: 2 }],
])('formulas of every shipped model: %s', (_name, parallelism) => {
  it.each([
    [true, false],
    [false, false],
    [true, true],
  ])('give what the operators count (fused kernels %s, KV divided %s)', async (fused, divides) => {
    for (const { name } of models) {
      const { deployment } = await scenarioOf({ model: name, hardware: 'h100', parallelism, prompt: 10, output: 10 });
      const { model } = deployment;
      if (parallelism.expert !== undefined && !model.layers.some(({ feedForward }) => feedForward.kind === 'experts'))
        continue;
      const precision = deploymentPrecision(deployment);
      const logits = logitWork({ ...deployment, sampling: fused ? 'top-p' : 'temperature' });
      const { operators } = modelOperators(model, precision, deployment.parallelism, {
        fusedAttention: fused,
        fusedKernels: fused,
        dividesKeyValue: divides,
        evenRanks: divides,
        logits,
      });
      const context = {
        model,
        precision,
        parallelism: deployment.parallelism,
        fusedAttention: fused,
        dividesKeyValue: divides,
        evenRanks: divides,
        logits,
        amount: amountOf,
      };
      for (const operator of operators) {
        const formulas = countFormulas(operator, context);
        for (const count of counts) {
          const own = operator.terms.reduce((sum, term) => sum + term[count] * amountOf(term.variable), 0);
          const written = formulas.find((each) => each.count === count);
          const ratio = own === 0 ? 1 : (written === undefined ? 0 : calculated(written.numbers)) / own;
          expect([name, operator.name, count, ratio]).toEqual([name, operator.name, count, expect.closeTo(1, 9)]);
        }
      }
    }
  });

  it('give weights and KV of the fullest device', async () => {
    for (const { name } of models) {
      const { deployment } = await scenarioOf({ model: name, hardware: 'h100', parallelism, prompt: 10, output: 10 });
      const { model } = deployment;
      if (parallelism.expert !== undefined && !model.layers.some(({ feedForward }) => feedForward.kind === 'experts'))
        continue;
      const precision = deploymentPrecision(deployment);
      const memory = deviceMemory(deployment, engineLimits(deployment.release, deployment.hardware));
      const weights = weightFormulas(model, precision, deployment.parallelism);
      const caches = keyValueFormulas(model, precision, deployment.parallelism);
      for (const { numbers, value, part } of [...weights, ...caches]) {
        expect([name, part, calculated(numbers) / value]).toEqual([name, part, expect.closeTo(1, 9)]);
      }
      const all = (parts: readonly { readonly value: number }[]): number =>
        parts.reduce((sum, each) => sum + each.value, 0);
      expect([name, all(weights) / memory.weights]).toEqual([name, expect.closeTo(1, 9)]);
      const { full, windowed, fixed } = memory.keyValue;
      const kept = full + windowed.reduce((sum, { perToken }) => sum + perToken, 0) + fixed;
      expect([name, kept === 0 ? 1 : all(caches) / kept]).toEqual([name, expect.closeTo(1, 9)]);
    }
  });
});
