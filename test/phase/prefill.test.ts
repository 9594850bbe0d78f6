import { describe, expect, it } from 'vitest';
import { addPrefillSeconds, prefillSteps } from '../../src/phase/prefill.ts';
import { breakdownOf, resourceCount } from '../../src/roofline/resource.ts';
import { compile } from '../../src/serving/compiled.ts';
import { oneSecondSteps } from '../support/one-second-steps.ts';
import { toyDeployment } from '../support/toy.ts';

// Ideal toy device, prompt of 1000: 24e6 x 1000 FLOP of products (24 ms) and 1e6 / 2 pairs x 4000 (2 ms) of attention,
// the head multiplies one row as long as it reads (2 us): 26.002 ms. Each of two chunks of 500: the products 12 ms.

const { table } = compile(toyDeployment(), 'ideal');

const seconds = (sequences: number, prompt: number, cached: number, budget: number): number =>
  addPrefillSeconds(table, sequences, prompt, cached, budget, new Float64Array(resourceCount));

describe('prefill', () => {
  it('multiplies tokens by weights and pairs by heads', () => {
    const parts = new Float64Array(resourceCount);
    expect(addPrefillSeconds(table, 1, 1000, 0, Infinity, parts)).toBeCloseTo(26.002e-3, 12);
    expect(breakdownOf(parts).compute).toBeCloseTo(26.002e-3, 12);
  });

  it('leaves out what is cached: half of the products, three quarters of the triangle', () => {
    // 12 ms + (1e6 - 0.25e6) / 2 x 4000 = 1.5 ms + 2 us.
    expect(seconds(1, 1000, 500, Infinity)).toBeCloseTo(13.502e-3, 12);
  });

  it('is as much work in chunks, but for the weights of the head', () => {
    // The second chunk attends to what the first left in the cache: the triangle is whole.
    expect(seconds(1, 1000, 0, 500)).toBeCloseTo(26.004e-3, 12);
    expect(seconds(1, 1000, 0, 250)).toBeCloseTo(26.008e-3, 12);
  });

  it('of a batch fills steps with whole prompts', () => {
    expect(seconds(4, 1000, 0, 2000)).toBeCloseTo(4 * 26e-3 + 2 * 2e-6 * 2, 5);
  });

  it.each([
    [1000, Infinity, 1],
    [1000, 1000, 1],
    [1001, 1000, 2],
    [8192, 2048, 4],
  ])('of %i tokens under a budget of %d takes %i steps', (tokens, budget, steps) => {
    expect(prefillSteps(tokens, budget)).toBe(steps);
  });

  it('of prompts that share steps, or share none, takes that many seconds of one-second steps', () => {
    const steps = (sequences: number, prompt: number, budget: number): number =>
      addPrefillSeconds(oneSecondSteps().table, sequences, prompt, 0, budget, new Float64Array(resourceCount));
    expect(steps(8, 100, 200)).toBe(4);
    expect(steps(1, 1000, 200)).toBe(5);
    // Two prompts of 500 under 200: five steps would do, but each prompt is cut into three.
    expect(steps(2, 500, 200)).toBe(6);
  });
});
