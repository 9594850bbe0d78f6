import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Router } from '../../src/profile/scenario.ts';
import { newClockSeconds } from '../../src/serving/clock-seconds.ts';
import type { CompiledDeployment } from '../../src/serving/compiled.ts';
import { openLoopClocks, type Stability } from '../../src/serving/open-loop.ts';
import { simulate } from '../../src/serving/simulate/simulate.ts';
import type { SimulationResult } from '../../src/serving/simulate/simulation-result.ts';
import type { Distribution } from '../../src/serving/simulate/summary.ts';
import type { LengthDistribution } from '../../src/serving/simulate/workload-spec.ts';
import { apart } from '../support/apart.ts';
import { shippedCompiled } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';

/*
 * Replicas behind a router: the closed form against the simulation, over 1,000 random scenarios (four models, 1 to 8
 * replicas, answers of 16 to 400 tokens, prompts of a tenth to ten times as many, up to 80 % of capacity).
 *
 * Answers behind the router that looks for the fewest requests are spread by a tenth: with exactly equal ones it does
 * what no real load makes it do. Answers that began in one step end in one step, and the requests that come next all go
 * to the replica that they leave, so that bunches last for ever and grow.
 *
 * Engines that put prompts first (SGLang) are compared up to half of capacity and 60 requests a replica where replicas
 * take turns: even arrivals leave nearly as many prefill steps as requests, and these hold decodes up (TPOT three times
 * as long as with random ones in the simulation, and as hard to foretell as near saturation). Behind a router that looks
 * for the fewest requests they are compared up to 100 a replica: with 150 to 300 TPOT is 16 to 28 % too long in most of
 * 18 random scenarios, and 41 % too short in one.
 *
 * Whole batches behind that router: a replica that has just begun one has the fewest and gets the next requests, which
 * wait for nearly all of it. With two requests a batch TTFT is 27 % longer than in the closed form on five replicas and
 * 13 % on two; with seven and more a batch less than 10 %. E2E is 11 % longer there.
 */
const bounds = {
  mixed: { ttft: 0.25, others: 0.1 },
  tgi: { ttft: 0.3, others: 0.15 },
  sglang: { ttft: 0.25, others: 0.2 },
  transformers: { ttft: 0.2, others: 0.1 },
  wholeBatches: { ttft: 0.3, others: 0.15 },
} as const;

/** Requests a replica up to which engines that put prompts first are compared. */
const mostRunning: Readonly<Record<Router, number>> = {
  random: 300,
  'round-robin': 60,
  'least-loaded': 100,
  'prefix-aware': 100,
};

/** Above it waits grow fast: TTFT to within 35 %, TPOT and E2E to within 16 %. */
const loaded = { from: 0.7, ttft: 0.35, others: 0.16 } as const;

function boundOf(engine: string, looks: boolean): { readonly ttft: number; readonly others: number } {
  if (engine === 'transformers') return looks ? bounds.wholeBatches : bounds.transformers;
  return engine === 'tgi' || engine === 'sglang' ? bounds[engine] : bounds.mixed;
}

const noTokenising = { turnstile: { request: 0, token: 0 } } as const;

const deployments = [
  ['llama-3.1-8b', 'h100-sxm5-80gb', 1],
  ['llama-3.1-70b', 'h100-sxm5-80gb', 4],
  ['mixtral-8x7b', 'h100-sxm5-80gb', 2],
  ['qwen3-30b-a3b', 'h100-sxm5-80gb', 1],
] as const;
const engines = ['vllm', 'trt-llm', 'none', 'lmdeploy', 'tgi', 'sglang', 'transformers'] as const;

function deployed(index: number, engine: string, router: Router, replicas: number): CompiledDeployment {
  const [model, device, tensor] = deployments[index] ?? deployments[0];
  const found = shippedCompiled(model, device, engine, tensor);
  return { ...found, groups: replicas, deployment: { ...found.deployment, router } };
}

interface Means {
  readonly ttft: number;
  readonly tpot: number;
  readonly e2e: number;
}

/** The closed form at a share of the largest rate. */
function closed(
  deployment: CompiledDeployment,
  prompt: number,
  output: number,
  share: number,
): Means & { readonly rate: number; readonly running: number; readonly verdict: Stability['verdict'] } {
  const clocks = newClockSeconds();
  const rate = share * openLoopClocks(deployment, 1e-9, prompt, 0, output, clocks).largestRate;
  const { verdict } = openLoopClocks(deployment, rate, prompt, 0, output, clocks);
  const { ttftSeconds: ttft, tpotSeconds: tpot, running } = clocks;
  return { ttft, tpot, e2e: ttft + (output - 1) * tpot, rate, running, verdict };
}

function simulated(
  deployment: CompiledDeployment,
  prompt: number,
  output: LengthDistribution,
  rate: number,
  requests: number,
): SimulationResult {
  return simulate(
    deployment,
    {
      arrivals: { kind: 'poisson', rate },
      prompt: { kind: 'fixed', tokens: prompt },
      output,
      requests,
      cached: 0,
      router: deployment.deployment.router ?? 'least-loaded',
      objectives: {},
      warmUp: 'detect',
    },
    1,
    noTokenising,
  );
}

const mean = (found: Distribution | undefined): number => found?.mean ?? Number.NaN;
const fixed = (tokens: number): LengthDistribution => ({ kind: 'fixed', tokens });
const spread = (tokens: number): LengthDistribution => ({
  kind: 'uniform',
  least: Math.round(0.9 * tokens),
  most: Math.round(1.1 * tokens),
});

describe('closed form and simulation of replicas', () => {
  it.each(['random', 'round-robin', 'least-loaded', 'prefix-aware'] as const)(
    'agree within the stated tolerance behind a router of the kind %s',
    (router) => {
      const looks = router === 'least-loaded' || router === 'prefix-aware';
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: deployments.length - 1 }),
          fc.constantFrom(...engines),
          fc.integer({ min: 1, max: 8 }),
          fc.double({ min: 0.1, max: 10, noNaN: true }),
          fc.integer({ min: 16, max: 400 }),
          fc.double({ min: 0.05, max: 0.8, noNaN: true }),
          (index, engine, replicas, times, drawn, share) => {
            const output = engine === 'sglang' ? Math.max(64, drawn) : drawn;
            const prompt = Math.max(1, Math.round(times * output));
            const deployment = deployed(index, engine, router, replicas);
            const { rate, running, verdict, ...means } = closed(deployment, prompt, output, share);
            if (verdict !== 'stable' || running > 300) return;
            if (engine === 'sglang' && (share > 0.5 || running > mostRunning[router])) return;
            // A batch of answers that differ ends with the longest of them.
            const answers = looks && engine !== 'transformers' ? spread(output) : fixed(output);
            const requests = Math.round(Math.min(40_000, Math.max(6000, 30 * running * replicas)));
            const found = simulated(deployment, prompt, answers, rate, requests);
            const bound = boundOf(engine, looks);
            const ttft = share > loaded.from ? Math.max(loaded.ttft, bound.ttft) : bound.ttft;
            const others = share > loaded.from ? Math.max(loaded.others, bound.others) : bound.others;
            expect(apart(means.ttft, found.ttft)).toBeLessThan(ttft);
            expect(apart(means.tpot, found.tpot)).toBeLessThan(others);
            expect(apart(means.e2e, found.e2e)).toBeLessThan(others);
          },
        ),
        runs(15),
      );
    },
  );

  /* With arrivals at random on each replica the closed form of TTFT is 28 and 45 % too long here. */
  it.each([
    [0, 'lmdeploy', 5, 1070, 273, 0.59],
    [2, 'none', 4, 1920, 253, 0.65],
  ] as const)(
    'agree within a tenth where turns matter: deployment %d, %s, %d replicas, %d to %d tokens',
    (index, engine, replicas, prompt, output, share) => {
      const turns = deployed(index, engine, 'round-robin', replicas);
      const { rate, ttft } = closed(turns, prompt, output, share);
      const found = simulated(turns, prompt, fixed(output), rate, 12_000);
      expect(apart(ttft, found.ttft)).toBeLessThan(0.1);
      expect(
        closed(deployed(index, engine, 'random', replicas), prompt, output, share).ttft / mean(found.ttft),
      ).toBeGreaterThan(1.25);
    },
  );

  it.each([
    ['fewer engines are met idle', 'vllm', 2, 8, 'ttft', 1.015],
    ['fewer prompts share a step', 'trt-llm', 16, 8, 'tpot', 1.01],
  ] as const)('agree where turns cost something: %s', (_, engine, replicas, output, clock, least) => {
    const turns = deployed(0, engine, 'round-robin', replicas);
    const chance = deployed(0, engine, 'random', replicas);
    const share = engine === 'vllm' ? 0.01 : 0.034;
    const closedForm = closed(turns, 1, output, share);
    const simulation = simulated(turns, 1, fixed(output), closedForm.rate, 40_000);
    const atRandom = closed(chance, 1, output, share);
    const simulatedAtRandom = simulated(chance, 1, fixed(output), closedForm.rate, 40_000);
    expect(closedForm[clock] / atRandom[clock]).toBeGreaterThan(least);
    expect(mean(simulation[clock]) / mean(simulatedAtRandom[clock])).toBeGreaterThan(least);
  });

  it('bunch answers of exactly equal length behind the fewest requests, more and more', () => {
    const deployment = deployed(0, 'vllm', 'least-loaded', 4);
    const { rate, ttft } = closed(deployment, 1000, 250, 0.7);
    const short = simulated(deployment, 1000, fixed(250), rate, 5000);
    const long = simulated(deployment, 1000, fixed(250), rate, 80_000);
    const differing = simulated(deployment, 1000, spread(250), rate, 40_000);
    expect(mean(long.ttft)).toBeGreaterThan(1.1 * mean(short.ttft));
    expect(mean(long.ttft)).toBeGreaterThan(1.15 * mean(differing.ttft));
    expect(apart(ttft, differing.ttft)).toBeLessThan(0.05);
  });
});
