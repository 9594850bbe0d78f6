import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClockSeconds } from '../../src/serving/clock-seconds.ts';
import { compile, type CompiledDeployment } from '../../src/serving/compiled.ts';
import { openLoopClocks } from '../../src/serving/open-loop.ts';
import { simulate } from '../../src/serving/simulate/simulate.ts';
import type { SimulationResult } from '../../src/serving/simulate/simulation-result.ts';
import { shippedDeployment } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';

/*
 * Prompts that begin alike, in the simulation of the cache block by block, against the closed form of `--cached`. vLLM
 * shares whole blocks (16 tokens), and computes at least one token of every prompt.
 */
const block = 16;

const cachedOf = (prefix: number, prompt: number): number => Math.floor(Math.min(prefix, prompt - 1) / block) * block;

function served(
  deployment: CompiledDeployment,
  rate: number,
  prompt: number,
  output: number,
  prefix: { readonly groups: number; readonly tokens: number },
  requests: number,
): SimulationResult {
  return simulate(
    deployment,
    {
      arrivals: { kind: 'poisson', rate },
      prompt: { kind: 'fixed', tokens: prompt },
      output: { kind: 'fixed', tokens: output },
      requests,
      cached: 0,
      prefix,
      router: deployment.deployment.router ?? 'least-loaded',
      objectives: {},
      warmUp: 'detect',
    },
    1,
    { turnstile: { request: 0, token: 0 } },
  );
}

const llama = compile(shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm'), 'typical');

describe('a cache that holds all prefixes', () => {
  it('gives the clocks of as many cached tokens, in whole blocks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 4000 }),
        fc.double({ min: 0.05, max: 0.99, noNaN: true }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 64, max: 300 }),
        fc.double({ min: 0.05, max: 0.6, noNaN: true }),
        (prompt, of, groups, output, share) => {
          const tokens = Math.max(1, Math.round(of * prompt));
          const cached = cachedOf(tokens, prompt);
          const clocks = newClockSeconds();
          const rate = share * openLoopClocks(llama, 1e-9, prompt, cached, output, clocks).largestRate;
          if (openLoopClocks(llama, rate, prompt, cached, output, clocks).verdict !== 'stable') return;
          // No more run than leave the cache room for all prefixes.
          if (clocks.running > 150) return;
          const { ttft, tpot, hitRate } = served(llama, rate, prompt, output, { groups, tokens }, 6000);
          // Each prefix is computed once.
          expect(hitRate * prompt).toBeLessThanOrEqual(cached + 1e-9);
          expect(hitRate * prompt).toBeGreaterThan(cached * (1 - (3 * groups) / 6000) - 1e-9);
          expect(Math.abs(clocks.ttftSeconds / (ttft?.mean ?? 0) - 1)).toBeLessThan(0.1);
          expect(Math.abs(clocks.tpotSeconds / (tpot?.mean ?? 0) - 1)).toBeLessThan(0.05);
        },
      ),
      runs(10),
    );
  });

  it.each([
    [1024, 1024, 1008],
    [1025, 1024, 1024],
    [1024, 5000, 1008],
    [1000, 15, 0],
    [1, 1, 0],
  ])('never holds a whole prompt: %d tokens that begin with %d alike find %d', (prompt, tokens, found) => {
    expect(cachedOf(tokens, prompt)).toBe(found);
    const requests = 400;
    const { hitRate } = served(llama, 0.5, prompt, 8, { groups: 1, tokens }, requests);
    // All but the first, which the warm-up may take in too.
    expect(hitRate * prompt).toBeGreaterThan(found * (1 - 1.01 / requests) - 1e-9);
    expect(hitRate * prompt).toBeLessThanOrEqual(found + 1e-9);
  });

  it('is there on every replica, whatever the router', () => {
    for (const router of ['round-robin', 'least-loaded', 'prefix-aware', 'random'] as const) {
      const four = { ...llama, groups: 4, deployment: { ...llama.deployment, router } };
      const cached = cachedOf(800, 1000);
      const clocks = newClockSeconds();
      openLoopClocks(four, 40, 1000, cached, 100, clocks);
      const { ttft, hitRate } = served(four, 40, 1000, 100, { groups: 4, tokens: 800 }, 8000);
      expect(hitRate, router).toBeGreaterThan(0.79);
      // Those that follow prefixes are as many on each replica only in the mean.
      expect(Math.abs(clocks.ttftSeconds / (ttft?.mean ?? 0) - 1), router).toBeLessThan(
        router === 'prefix-aware' ? 0.2 : 0.1,
      );
    }
  });
});

/*
 * A cache that does not hold all of them keeps those used last. Requests push out what they leave behind: u blocks of
 * their own, and their prefix of p where it was not there. After k others a prefix of one of G groups was not asked for
 * with the chance (1 - 1/G)^k, so that G (1 - (1 - 1/G)^k) prefixes and k u blocks were touched, and it is still there
 * while these fit (Che, Tung and Wang, Hierarchical Web caching systems, IEEE JSAC 20(7), 2002).
 */
function sharedHits(blocks: number, groups: number, prefix: number, own: number): number {
  const missed = (others: number): number => (1 - 1 / groups) ** others;
  let [low, high] = [0, blocks / own];
  for (let round = 0; round < 60; round++) {
    const others = (low + high) / 2;
    if (others * own + groups * (1 - missed(others)) * prefix < blocks) low = others;
    else high = others;
  }
  return 1 - missed(low);
}

describe('a cache that does not hold all prefixes', () => {
  const prompt = 1064;
  const tokens = 1024;
  const output = 24;
  const [prefix, own] = [tokens / block, Math.ceil((prompt + output - 1) / block) - tokens / block];
  /** Room for so many blocks. */
  const holding = (blocks: number): CompiledDeployment => ({
    ...llama,
    memory: { ...llama.memory, keyValueCapacity: blocks * block * llama.memory.keyValue.full },
  });

  it.each([4, 16, 32, 64, 256])('keeps those used last: %d groups', (groups) => {
    const blocks = 2000;
    // About one request at a time, which holds its blocks.
    const { hitRate, running } = served(holding(blocks), 2, prompt, output, { groups, tokens }, 20_000);
    const held = running.mean * (prefix + own);
    const expected = sharedHits(blocks - held, groups, prefix, own) * (tokens / prompt);
    expect(Math.abs(hitRate - expected)).toBeLessThan(0.03);
  });

  it('finds less the more groups there are, and more the larger it is', () => {
    const rates = [4, 16, 32, 64, 256].map(
      (groups) => served(holding(2000), 2, prompt, output, { groups, tokens }, 4000).hitRate,
    );
    for (const [index, rate] of rates.entries())
      if (index > 0) expect(rate).toBeLessThan((rates[index - 1] ?? 0) + 0.005);
    expect(rates[0]).toBeGreaterThan(0.95);
    expect(rates.at(-1)).toBeLessThan(0.15);
    const larger = [500, 1000, 2000, 4000, 8000].map(
      (blocks) => served(holding(blocks), 2, prompt, output, { groups: 64, tokens }, 4000).hitRate,
    );
    for (const [index, rate] of larger.entries())
      if (index > 0) expect(rate).toBeGreaterThan((larger[index - 1] ?? 0) - 0.005);
    expect(larger.at(-1)).toBeGreaterThan(0.9);
  });
});
