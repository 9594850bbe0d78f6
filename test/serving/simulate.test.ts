import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type CompiledDeployment } from '../../src/serving/compiled.ts';
import type { EngineRules } from '../../src/serving/simulate/engine-rules.ts';
import { simulate, startSimulation } from '../../src/serving/simulate/simulate.ts';
import type { SimulationResult } from '../../src/serving/simulate/simulation-result.ts';
import type { Arrivals, LengthDistribution, SimulatedWorkload } from '../../src/serving/simulate/workload-spec.ts';
import { waitMD1, waitMG1 } from '../../src/serving/queueing.ts';
import { shippedDeployment } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';
import { toyDeployment } from '../support/toy.ts';

const fixed = (tokens: number): LengthDistribution => ({ kind: 'fixed', tokens });

const workload = (changes: Partial<SimulatedWorkload> = {}): SimulatedWorkload => ({
  arrivals: { kind: 'poisson', rate: 10 },
  prompt: fixed(100),
  output: fixed(20),
  requests: 500,
  cached: 0,
  router: 'round-robin',
  objectives: {},
  warmUp: 'none',
  ...changes,
});

const h100 = (engine: string): CompiledDeployment =>
  compile(shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', engine), 'typical');

const compiledOnce = new Map<string, CompiledDeployment>();
const engineNamed = (name: string): CompiledDeployment => {
  const known = compiledOnce.get(name) ?? h100(name);
  compiledOnce.set(name, known);
  return known;
};

const engineNames = fc.constantFrom(
  'vllm',
  'sglang',
  'trt-llm',
  'llama.cpp',
  'mlx',
  'tgi',
  'transformers',
  'lmdeploy',
  'none',
);

/** A pool that computes prompts, and one that answers. */
const inPools = (
  one: CompiledDeployment,
  { prefill, bandwidth }: { readonly prefill: number; readonly bandwidth: number },
  decode: number,
): CompiledDeployment => ({
  ...one,
  groups: prefill + decode,
  deployment: { ...one.deployment, disaggregation: { prefill, decode, link: { name: 'wire', bandwidth } } },
});

const lengths: fc.Arbitrary<LengthDistribution> = fc.oneof(
  fc.integer({ min: 1, max: 2000 }).map(fixed),
  fc
    .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 2000 }))
    .map(([least, more]): LengthDistribution => ({ kind: 'uniform', least, most: least + more })),
  fc.constant<LengthDistribution>({ kind: 'normal', mean: 300, deviation: 200 }),
  fc.constant<LengthDistribution>({ kind: 'lognormal', mean: 300, variation: 1.5, most: 8000 }),
  fc.constant<LengthDistribution>({ kind: 'empirical', values: [1, 50, 700], weights: [1, 5, 2] }),
);

const rate = fc.double({ min: 0.5, max: 60, noNaN: true });
const anyArrivals: fc.Arbitrary<Arrivals> = fc.oneof(
  rate.map((each): Arrivals => ({ kind: 'constant', rate: each })),
  rate.map((each): Arrivals => ({ kind: 'poisson', rate: each })),
  fc
    .tuple(rate, fc.double({ min: 0.1, max: 5, noNaN: true }))
    .map(([each, burstiness]): Arrivals => ({ kind: 'gamma', rate: each, burstiness })),
  fc.constant<Arrivals>({ kind: 'burst' }),
  fc
    .tuple(fc.integer({ min: 1, max: 80 }), fc.constantFrom(0, 0.3))
    .map(([concurrency, think]): Arrivals => ({ kind: 'closed', concurrency, think })),
  rate.map((each): Arrivals => ({
    kind: 'sessions',
    rate: each,
    turns: { kind: 'uniform', least: 1, most: 5 },
    think: 0.5,
  })),
);

const anyWorkload: fc.Arbitrary<SimulatedWorkload> = fc
  .record({
    arrivals: anyArrivals,
    prompt: lengths,
    output: fc.integer({ min: 1, max: 200 }).map(fixed),
    requests: fc.integer({ min: 1, max: 150 }),
    router: fc.constantFrom('round-robin' as const, 'least-loaded' as const, 'prefix-aware' as const),
    groups: fc.constantFrom(0, 1, 4),
  })
  .map(({ groups, ...given }) => workload({ ...given, ...(groups > 0 ? { prefix: { groups, tokens: 90 } } : {}) }));

describe('any simulation', () => {
  it('answers what it is sent, keeps order of clocks, and obeys Little, at any seed', () => {
    fc.assert(
      fc.property(
        engineNames,
        anyWorkload,
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        fc.integer({ min: 1, max: 3 }),
        fc.option(fc.record({ prefill: fc.integer({ min: 1, max: 3 }), bandwidth: fc.constantFrom(1e8, 1e9, 5e10) })),
        (name, given, seed, replicas, pools) => {
          const one = engineNamed(name);
          const result = simulate(
            pools === null ? { ...one, groups: replicas } : inPools(one, pools, replicas),
            given,
            seed,
          );
          const { requests, ttft, e2e, queueWait, little, keyValueOccupancy } = result;
          expect(requests.sent).toBe(requests.answered + requests.refused);
          expect(requests.inFlight).toBe(0);
          expect(result.outcome).toBe('complete');
          if (ttft === undefined || e2e === undefined || queueWait === undefined) return;
          expect(ttft.mean).toBeLessThanOrEqual(e2e.mean * (1 + 1e-12));
          expect(queueWait.mean).toBeLessThan(ttft.mean);
          expect(ttft.p50).toBeLessThanOrEqual(ttft.p90);
          expect(ttft.p90).toBeLessThanOrEqual(ttft.p99);
          expect(keyValueOccupancy.most).toBeLessThanOrEqual(1 + 1e-12);
          if (requests.refused === 0) expect(little.present / little.rateTimesTime).toBeCloseTo(1, 9);
        },
      ),
      runs(120),
    );
  });

  it('gives the same bytes for the same seed, and others for another', () => {
    const run = (seed: number): string => JSON.stringify(simulate(h100('vllm'), workload({ requests: 2000 }), seed));
    expect(run(7)).toBe(run(7));
    expect(run(7)).not.toBe(run(8));
  });

  it('does not depend on how it is advanced, and says what is known when stopped', () => {
    const given = workload({ arrivals: { kind: 'poisson', rate: 25 }, prompt: fixed(500), output: fixed(250) });
    const whole = simulate(engineNamed('vllm'), given, 3);
    const bit = startSimulation(engineNamed('vllm'), given, 3);
    bit.advance(1000);
    const half = bit.result();
    expect(half.outcome).toBe('stopped');
    expect(half.requests.answered).toBeLessThan(500);
    expect(half.requests.inFlight).toBe(half.requests.sent - half.requests.answered);
    expect(half.warnings[0]).toBe(
      `stopped early: ${half.requests.answered} of ${half.requests.sent} requests sent were answered.`,
    );
    while (bit.advance(97) === 'more');
    expect(JSON.stringify(bit.result())).toBe(JSON.stringify(whole));
  });
});

/*
 * One request at a time whose answer is one token is a queue with one server: the service is the prefill, and its times
 * are known. Prefill of 500 tokens on the toy device: 500 x 2 x 13e6 FLOP / 1e12 = about 13 ms.
 */
describe('limits that textbooks know', () => {
  const alone: Partial<EngineRules> = { maxSequences: 1, schedulesAhead: false, ingress: 0 };
  const toy = compile(toyDeployment(), 'ideal');
  const serviceOf = (tokens: number): number => {
    const result = simulate(
      toy,
      workload({
        arrivals: { kind: 'closed', concurrency: 1, think: 0 },
        prompt: fixed(tokens),
        output: fixed(1),
        requests: 10,
      }),
      1,
      alone,
    );
    return result.e2e?.mean ?? Number.NaN;
  };

  it.each([0.3, 0.6, 0.8])('M/D/1 at utilisation %d', (busy) => {
    const service = serviceOf(500);
    const given = workload({
      arrivals: { kind: 'poisson', rate: busy / service },
      prompt: fixed(500),
      output: fixed(1),
      requests: 100_000,
    });
    const { queueWait, utilisation } = simulate(toy, given, 5, alone);
    const expected = waitMD1(busy / service, service);
    expect(utilisation).toBeCloseTo(busy, 2);
    expect(queueWait?.mean ?? 0).toBeGreaterThan(expected.wait * 0.95);
    expect(queueWait?.mean ?? 0).toBeLessThan(expected.wait * 1.05);
  });

  it('M/G/1 with short and long prompts, by Pollaczek and Khinchine', () => {
    const short = serviceOf(100);
    const long = serviceOf(900);
    const mean = (short + long) / 2;
    const variation = ((long - short) / 2 / mean) ** 2;
    const given = workload({
      arrivals: { kind: 'poisson', rate: 0.7 / mean },
      prompt: { kind: 'empirical', values: [100, 900] },
      output: fixed(1),
      requests: 400_000,
    });
    const { queueWait } = simulate(toy, given, 1, alone);
    const expected = waitMG1(0.7 / mean, mean, variation).wait;
    expect(queueWait?.mean ?? 0).toBeGreaterThan(expected * 0.95);
    expect(queueWait?.mean ?? 0).toBeLessThan(expected * 1.05);
  });

  it('regular arrivals below capacity never wait, bunched ones wait longer than random ones', () => {
    const service = serviceOf(500);
    const waitOf = (arrivals: Arrivals): number => {
      const result = simulate(
        toy,
        workload({ arrivals, prompt: fixed(500), output: fixed(1), requests: 20_000 }),
        7,
        alone,
      );
      return result.queueWait?.mean ?? Number.NaN;
    };
    const each = 0.8 / service;
    expect(waitOf({ kind: 'constant', rate: each })).toBeLessThan(1e-9);
    const random = waitOf({ kind: 'poisson', rate: each });
    expect(waitOf({ kind: 'gamma', rate: each, burstiness: 0.25 })).toBeGreaterThan(1.5 * random);
    expect(waitOf({ kind: 'gamma', rate: each, burstiness: 4 })).toBeLessThan(0.8 * random);
  });
});

describe('overload', () => {
  it('ends, is called unstable, and is not dressed as a steady state', () => {
    const given = workload({
      arrivals: { kind: 'poisson', rate: 80 },
      prompt: fixed(500),
      output: fixed(250),
      requests: 4000,
    });
    const { stability, warnings, outcome } = simulate(engineNamed('vllm'), given, 1);
    expect(outcome).toBe('complete');
    expect(stability.verdict).toBe('unstable');
    expect(warnings[0]).toMatch(/^unstable: more requests arrive than leave/);
  });

  it('is not claimed of a load that a closed loop or half the capacity makes', () => {
    const half = simulate(
      engineNamed('vllm'),
      workload({ arrivals: { kind: 'poisson', rate: 18 }, prompt: fixed(500), output: fixed(250), requests: 4000 }),
      1,
    );
    expect(half.stability.verdict).toBe('stable');
    const closed = simulate(
      engineNamed('vllm'),
      workload({ arrivals: { kind: 'closed', concurrency: 64, think: 0 } }),
      1,
    );
    expect(closed.stability.verdict).toBe('not an arrival rate');
  });

  it('requests that can never fit are turned away and counted', () => {
    const given = workload({ prompt: { kind: 'empirical', values: [100, 5_000_000] }, requests: 200 });
    const { requests, warnings } = simulate(engineNamed('vllm'), given, 1, { turnstile: { request: 0, token: 0 } });
    expect(requests.refused).toBeGreaterThan(50);
    expect(requests.answered + requests.refused).toBe(200);
    expect(warnings[0]).toBe(
      `${requests.refused} requests were turned away: prompt and answer together need more KV than an engine has.`,
    );
  });
});

/*
 * A prefix of 1,600 tokens is 100 blocks of 16; prompts are 1,700. Cached, 100 tokens are left to compute. One group,
 * so all but the first find it: 1 - 1/500 of requests, 1600 / 1700 of their tokens.
 */
describe('prefix cache', () => {
  const shared = (groups: number): SimulatedWorkload =>
    workload({
      prompt: fixed(1700),
      output: fixed(20),
      arrivals: { kind: 'poisson', rate: 5 },
      prefix: { groups, tokens: 1600 },
    });

  it('finds a common beginning in all requests but the first, and makes them faster', () => {
    const vllm = engineNamed('vllm');
    const { hitRate, ttft } = simulate(vllm, shared(1), 1);
    expect(hitRate).toBeCloseTo(((499 / 500) * 1600) / 1700, 12);
    const without = simulate(vllm, shared(1), 1, { prefixCache: false });
    expect(without.hitRate).toBe(0);
    expect(ttft?.mean ?? 0).toBeLessThan((without.ttft?.mean ?? 0) * 0.8);
  });

  it('evicts the oldest where more prefixes are in use than fit', () => {
    const vllm = engineNamed('vllm');
    const { full } = vllm.memory.keyValue;
    // Room for 12 prefixes of 1,600 tokens and the few requests that run.
    const small = { ...vllm, memory: { ...vllm.memory, keyValueCapacity: full * 1600 * 12 } };
    expect(simulate(small, shared(4), 1).hitRate).toBeGreaterThan(0.9);
    expect(simulate(small, shared(200), 1).hitRate).toBeLessThan(0.15);
  });

  it('a router that looks at the cache finds more than one that takes turns', () => {
    const two = { ...engineNamed('vllm'), groups: 4 };
    const { full } = two.memory.keyValue;
    const small = { ...two, memory: { ...two.memory, keyValueCapacity: full * 1600 * 12 } };
    const hits = (router: SimulatedWorkload['router']): number => simulate(small, { ...shared(24), router }, 1).hitRate;
    expect(hits('prefix-aware')).toBeGreaterThan(hits('round-robin') + 0.2);
  });

  it('conversations find all that was said before, whole blocks of it', () => {
    const given = workload({
      arrivals: { kind: 'sessions', rate: 1, turns: fixed(4), think: 1 },
      prompt: fixed(160),
      output: fixed(160),
      requests: 2000,
    });
    // Turn n has 320 (n - 1) tokens of context, of which the last token's KV is not there: 20 n - 21 blocks of 16.
    const tokens = [160, 480, 800, 1120];
    const hits = [0, 304, 624, 944];
    const expected = hits.reduce((sum, each) => sum + each, 0) / tokens.reduce((sum, each) => sum + each, 0);
    expect(simulate(engineNamed('vllm'), given, 2).hitRate).toBeCloseTo(expected, 1);
  });
});

describe('engines differ by their rules', () => {
  const burst = workload({ arrivals: { kind: 'burst' }, prompt: fixed(4096), output: fixed(20), requests: 32 });
  const of = (name: string, rules: Partial<EngineRules> = {}): SimulationResult =>
    simulate(engineNamed(name), burst, 1, rules);

  it('prefill first: a first token is followed by a long gap, until the last prompt is computed', () => {
    // 32 prompts of 4,096 tokens are 16 chunks of 8,192: the first pair waits for 15 of them. One gap in 19 is such a one.
    const { itl, ttft } = of('sglang');
    expect(itl?.p99 ?? 0).toBeGreaterThan(0.7 * (ttft?.p99 ?? 0));
  });

  it('mixed: no gap is longer than one step with a full budget', () => {
    const { itl, ttft } = of('vllm');
    expect(itl?.p99 ?? 0).toBeLessThan(0.15 * (ttft?.p99 ?? 0));
  });

  it('a static batch gives all their first token together', () => {
    const { ttft } = of('transformers');
    expect(ttft?.p99).toBeCloseTo(ttft?.p50 ?? 0, 12);
  });

  it('planning ahead costs a newcomer on a busy engine about one step', () => {
    const given = workload({
      arrivals: { kind: 'poisson', rate: 4 },
      prompt: fixed(200),
      output: fixed(250),
      requests: 3000,
    });
    const ahead = simulate(engineNamed('vllm'), given, 1, { schedulesAhead: true });
    const late = simulate(engineNamed('vllm'), given, 1, { schedulesAhead: false });
    const steps = ((ahead.ttft?.mean ?? 0) - (late.ttft?.mean ?? 0)) / (late.itl?.p50 ?? 1);
    expect(steps).toBeGreaterThan(0.7);
    expect(steps).toBeLessThan(1.3);
  });

  it('four slots of llama.cpp make the fifth request wait for a whole one', () => {
    const given = workload({ arrivals: { kind: 'burst' }, prompt: fixed(100), output: fixed(100), requests: 5 });
    const { ttft, e2e } = simulate(engineNamed('llama.cpp'), given, 1);
    expect(ttft?.p99 ?? 0).toBeGreaterThan(0.4 * (e2e?.p99 ?? 0));
  });
});

describe('pools of their own for prefill and decode', () => {
  it('keep prefill out of the gaps between tokens', () => {
    const deployment = shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {
      parallelism: { tensor: 1, pipeline: 1, data: 1, expert: 1, replicas: 2 },
    });
    const given = workload({
      arrivals: { kind: 'poisson', rate: 6 },
      prompt: fixed(4000),
      output: fixed(200),
      requests: 1500,
    });
    const together = simulate(compile(deployment, 'typical'), given, 1);
    const apart = simulate(
      compile(
        { ...deployment, disaggregation: { prefill: 1, decode: 1, link: { name: 'fabric', bandwidth: 50e9 } } },
        'typical',
      ),
      given,
      1,
    );
    expect(apart.requests.answered).toBe(1500);
    expect(apart.itl?.p99 ?? 1).toBeLessThan(0.5 * (together.itl?.p99 ?? 0));
  });
});
