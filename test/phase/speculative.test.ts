import { describe, expect, it } from 'vitest';
import { estimate, explain } from '../../src/estimate.ts';
import { tokensPerStep } from '../../src/phase/speculative.ts';
import type { Speculation } from '../../src/profile/scenario.ts';
import { resources } from '../../src/roofline/resource.ts';
import { question } from '../support/what-if.ts';
import { toyDeployment, toyHardware, toyScenario } from '../support/toy.ts';

// k = 3, a = 0.5: 1 + 0.5 + 0.25 + 0.125 = 1.875 tokens a step. Toy with 10 TFLOP/s: a step of 26.42 us on bandwidth holds four
// tokens as well (10.6 us of FLOPs), so that drafting for free gives 26.42 / 1.875 = 14.09 us, and with drafts of a tenth of a
// step each (26.42 + 3 x 2.642) / 1.875 = 18.32 us.

const fast = { ...toyHardware, matrix: { bf16: 1e13 } };
const drafting = (speculation?: Speculation) =>
  toyScenario({
    deployment: toyDeployment({ hardware: fast, ...(speculation === undefined ? {} : { speculation }) }),
  });

const tpot = (speculation?: Speculation): number => estimate(drafting(speculation)).tpot.seconds;

describe('speculation', () => {
  it('keeps the tokens before the first that is rejected, and one', () => {
    const of = (tokens: number, acceptance: number) => tokensPerStep({ method: 'ngram', tokens, acceptance });
    expect(of(3, 0.5)).toBe(1.875);
    expect(of(3, 0)).toBe(1);
    expect(of(3, 1)).toBe(4);
    expect(of(1, 0.8)).toBeCloseTo(1.8, 12);
  });

  it('spreads a step over its tokens', () => {
    // The mean context of nine tokens is 105, whatever the steps they come in; 4 kB of KV a token.
    expect(tpot({ method: 'ngram', tokens: 3, acceptance: 0.5 })).toBeCloseTo(26.42e-6 / 1.875, 8);
    expect(tpot({ method: 'draft', tokens: 3, acceptance: 0.5, cost: 0.1 })).toBeCloseTo((26.42e-6 * 1.3) / 1.875, 8);
  });

  it('costs the arithmetic of all tokens once it no longer hides behind the reading', () => {
    const scenario = toyScenario({
      deployment: toyDeployment({ speculation: { method: 'ngram', tokens: 3, acceptance: 0.5 } }),
    });
    // At 1 TFLOP/s a step of one token already takes its 26 us of FLOPs: four take 105 us.
    expect(estimate(scenario).tpot.seconds).toBeCloseTo((4 * 26.42e-6) / 1.875, 8);
  });

  it('leaves prefill alone, and has a breakdown that adds up and elasticities that sum to 1', () => {
    for (const load of [
      { kind: 'batch', size: 4 },
      { kind: 'concurrency', size: 32 },
      { kind: 'rate', requestsPerSecond: 3 },
    ] as const) {
      const plain = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', { prompt: 500, output: 200, load });
      const speculation = { method: 'eagle', tokens: 3, acceptance: 0.7 } as const;
      const drafted = estimate({ ...plain, deployment: { ...plain.deployment, speculation } });
      for (const clock of [drafted.ttft, drafted.tpot, drafted.e2e]) {
        const sum = resources.reduce((all, resource) => all + clock.breakdown[resource], 0);
        expect(sum / clock.seconds).toBeCloseTo(1, 12);
        expect(resources.reduce((all, resource) => all + clock.elasticity[resource], 0)).toBeCloseTo(1, 9);
      }
      if (load.kind === 'batch') expect(drafted.ttft.seconds).toBe(estimate(plain).ttft.seconds);
      expect(drafted.tpot.seconds).toBeLessThan(estimate(plain).tpot.seconds);
      expect(drafted.tpot.ideal).toBeLessThanOrEqual(drafted.tpot.seconds);
    }
  });

  it('shows the draft among the operators, and takes memory for it', () => {
    const plain = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {});
    const deployment = { ...plain.deployment, speculation: { method: 'eagle', tokens: 2, acceptance: 0.7 } } as const;
    const [, { operators }] = explain({ ...plain, deployment });
    expect(operators.some(({ name }) => name === 'draft: output head')).toBe(true);
    const layer = operators.find(({ name }) => name === 'draft: MLP down');
    // 2 passes over one layer of 4096 x 14336 in 16 bits.
    expect(layer?.weightBytes).toBe(2 * 4096 * 14_336 * 2);
    const more = estimate({ ...plain, deployment }).memory.weights - estimate(plain).memory.weights;
    expect(more).toBeGreaterThan(0.4e9);
    expect(more).toBeLessThan(0.6e9);
  });

  it('filters what the model checks, and takes the largest logit of a draft', () => {
    const eagle = { method: 'eagle', tokens: 3, acceptance: 0.5 } as const;
    const asked = question(
      'llama-3.1-8b',
      'h100-sxm5-80gb',
      'vllm@0.15',
      {},
      { sampling: 'top-p', speculation: eagle },
    );
    const [, decode] = explain(asked);
    const names = decode.operators.map(({ operator }) => operator.name);
    expect(names.filter((name) => name.includes('top-p and top-k'))).toHaveLength(1);
    expect(names.filter((name) => name.includes('sampling'))).toHaveLength(2);
  });

  it('drafts with a model of its own', () => {
    const plain = question(
      'llama-3.1-70b',
      'h100-sxm5-80gb',
      'vllm',
      {},
      { parallelism: { tensor: 4, pipeline: 1, data: 1, expert: 1, replicas: 1 } },
    );
    const { model } = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {}).deployment;
    const speculation = { method: 'draft', tokens: 4, acceptance: 0.8, draft: model } as const;
    const { tpot: clock, memory } = estimate({ ...plain, deployment: { ...plain.deployment, speculation } });
    expect(clock.seconds / estimate(plain).tpot.seconds).toBeGreaterThan(0.4);
    expect(clock.seconds / estimate(plain).tpot.seconds).toBeLessThan(0.9);
    expect(memory.weights).toBeGreaterThan(estimate(plain).memory.weights + 3.9e9);
  });
});
