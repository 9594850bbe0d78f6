import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/profile/model.ts';
import type { Deployment } from '../../src/profile/scenario.ts';
import { networkShare } from '../../src/roofline/link.ts';
import { compile, type CompiledDeployment } from '../../src/serving/compiled.ts';
import { startRun } from '../../src/serving/simulate/simulate.ts';
import { TraceSource } from '../../src/serving/simulate/trace-source.ts';
import type { EngineRules } from '../../src/serving/simulate/engine-rules.ts';
import type { SimulationResult } from '../../src/serving/simulate/simulation-result.ts';
import { type PlainRequest, type PlainRules, plainRun, type PlainTimes } from '../support/plain-engine.ts';
import { plainPools } from '../support/plain-pools.ts';
import { runs } from '../support/thorough.ts';
import { toyDeployment, toyModel } from '../support/toy.ts';

/*
 * Compression without approximation: the simulation takes many steps at once by arithmetic; an engine that walks every
 * step and prices it request by request gives the same times. Toy device: 1 TFLOP/s, 1 TB/s; a token of KV is
 * 2 x 1000 x 2 bytes, a block of 4 tokens 16 kB.
 */

const windowed: Model = {
  ...toyModel,
  layers: toyModel.layers.flatMap((layer) =>
    layer.mixer.kind === 'attention' ? [layer, { ...layer, mixer: { ...layer.mixer, window: 24 } }] : [],
  ),
};

const bytesPerToken = 4000;

function compiledWith(
  model: Model,
  blocks: number,
  blockTokens: number,
  changes: Partial<Deployment> = {},
): CompiledDeployment {
  const compiled = compile(toyDeployment({ model, ...changes }), 'typical');
  const { memory } = compiled;
  return {
    ...compiled,
    memory: {
      ...memory,
      keyValue: { full: bytesPerToken, windowed: [], fixed: 0 },
      keyValueCapacity: blocks * blockTokens * bytesPerToken,
    },
  };
}

const rulesFor = (plain: PlainRules, prefixCache: boolean, sendsChunks = false): Partial<EngineRules> => ({
  sendsChunks,
  batching: plain.mixed ? 'mixed' : 'prefill-first',
  chunked: plain.chunked,
  tokenBudget: plain.tokenBudget,
  chunkTokens: plain.tokenBudget,
  maxSequences: plain.maxSequences,
  maxPrefills: Infinity,
  alternates: plain.alternates,
  schedulesAhead: plain.schedulesAhead,
  admission: plain.reservesOutput ? 'whole' : 'prompt',
  victim: 'newest',
  blockTokens: plain.blockTokens,
  prefixCache,
  passTokens: Infinity,
  beginsWithLast: plain.beginsWithLast,
  stages: 1,
  ingress: plain.ingress,
});

const requestList = fc
  .array(
    fc.record({
      gap: fc.double({ min: 0, max: 0.0012, noNaN: true }),
      prompt: fc.integer({ min: 1, max: 60 }),
      output: fc.integer({ min: 1, max: 40 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((list) => {
    let sent = 0;
    return list.map(({ gap, prompt, output }): PlainRequest => {
      // A third arrives at the moment of the one before.
      sent += gap < 0.0004 ? 0 : gap;
      return { sent, prompt, output };
    });
  });

/** Prefixes of several prompts: of less than a block, of several blocks and a part of one, of many. */
const prefixTokens = [3, 18, 35, 48] as const;

/** The same, where most prompts begin as others do. */
const sharedList = fc
  .tuple(requestList, fc.array(fc.integer({ min: 0, max: prefixTokens.length }), { minLength: 25, maxLength: 25 }))
  .map(([list, keys]) =>
    list.map((request, index): PlainRequest => {
      const key = keys[index] ?? 0;
      const tokens = prefixTokens[key];
      // At least one token is the prompt's own, and none is longer than 60.
      if (tokens === undefined) return request;
      return { ...request, prompt: Math.min(60, tokens + request.prompt), prefix: { key, tokens } };
    }),
  );

const rulesArbitrary: fc.Arbitrary<PlainRules> = fc
  .record({
    mixed: fc.boolean(),
    chunked: fc.boolean(),
    tokenBudget: fc.integer({ min: 30, max: 200 }),
    maxSequences: fc.integer({ min: 1, max: 12 }),
    schedulesAhead: fc.boolean(),
    reservesOutput: fc.boolean(),
    blockTokens: fc.constantFrom(1, 4, 16),
    // Room for one request of 60 + 40 tokens at least, so that none is refused; little enough that some give way.
    blocks: fc.integer({ min: 101, max: 160 }),
    ingress: fc.constantFrom(0, 0.00031),
    alternates: fc.boolean(),
    beginsWithLast: fc.boolean(),
  })
  .map((drawn) => ({ ...drawn, alternates: drawn.alternates && !drawn.mixed }));

function simulatedTimes(
  compiled: CompiledDeployment,
  plain: PlainRules,
  requests: readonly PlainRequest[],
  shares: boolean,
  sendsChunks = false,
) {
  const source = new TraceSource(requests.length);
  source.feed(
    requests.map(({ sent, prompt, output, prefix }) => ({
      arrival: sent,
      prompt,
      output,
      ...(prefix === undefined ? {} : { parts: [{ key: prefix.key, end: prefix.tokens }] }),
    })),
  );
  source.end();
  const run = startRun(compiled, source, {
    router: 'round-robin',
    hot: 0,
    shares,
    objectives: {},
    warmUp: 'none',
    isOpen: true,
    seed: 0,
    rules: rulesFor(plain, shares, sendsChunks),
  });
  run.advance(Infinity);
  return run.result();
}

/*
 * A prompt of 33 tokens waits for room in steps of 31, as 18 of it are cached; decodes push these out, and it has a step
 * to itself from then on.
 */
const lostWhileWaiting: [PlainRules, PlainRequest[]] = [
  {
    mixed: true,
    chunked: false,
    tokenBudget: 31,
    maxSequences: 2,
    schedulesAhead: false,
    reservesOutput: false,
    blockTokens: 1,
    blocks: 104,
    ingress: 0,
    beginsWithLast: false,
    alternates: false,
  },
  [
    { sent: 0, prompt: 19, output: 26, prefix: { key: 1, tokens: 18 } },
    { sent: 0, prompt: 14, output: 27 },
    { sent: 0, prompt: 60, output: 4, prefix: { key: 3, tokens: 48 } },
    { sent: 0, prompt: 33, output: 1, prefix: { key: 1, tokens: 18 } },
    { sent: 0, prompt: 4, output: 1, prefix: { key: 0, tokens: 3 } },
  ],
];

describe('runs of steps taken at once', () => {
  it.each([
    ['full attention', toyModel, 0, false],
    ['a window of 24 tokens beside full attention', windowed, 0, false],
    ['prompts launched kernel by kernel', toyModel, 40e-6, false],
    ['prompts that begin alike, kept in a cache', toyModel, 0, true],
    ['the same beside a window', windowed, 0, true],
  ])('equal an engine that walks every step: %s', (_, model, prefillLaunch, shares) => {
    let compared = 0;
    let preempted = 0;
    let found = 0;
    let evicted = 0;
    fc.assert(
      fc.property(rulesArbitrary, shares ? sharedList : requestList, (given, requests) => {
        // In blocks: what holds one request of 100 tokens, whatever the block size.
        const plain = { ...given, blocks: Math.ceil(given.blocks / given.blockTokens) };
        const plainly = compiledWith(model, plain.blocks, plain.blockTokens);
        const compiled = { ...plainly, table: { ...plainly.table, prefillLaunch, graphTokens: 20 } };
        const expected = plainRun(compiled, plain, requests);
        const simulated = simulatedTimes(compiled, plain, requests, shares);
        expectEqual(simulated, expected);
        const prompts = requests.reduce((sum, { prompt }) => sum + prompt, 0);
        expect(simulated.hitRate * prompts).toBeCloseTo(expected.hits, 6);
        compared += 1;
        preempted += expected.preemptions > 0 ? 1 : 0;
        found += expected.hits > 0 ? 1 : 0;
        evicted += expected.evictions > 0 ? 1 : 0;
      }),
      { ...runs(300), examples: shares ? [lostWhileWaiting] : [] },
    );
    expect(compared).toBeGreaterThan(100);
    // The case that matters most was met: memory ran out in the middle of a run of steps.
    expect(preempted).toBeGreaterThan(20);
    if (!shares) return;
    expect(found).toBeGreaterThan(100);
    expect(evicted).toBeGreaterThan(20);
  });

  it.each([
    ['full attention', toyModel],
    ['a window of 24 tokens beside full attention', windowed],
  ])('equal engines that walk every step, in pools of their own for prompts and answers: %s', (_, model) => {
    let preempted = 0;
    fc.assert(
      fc.property(
        rulesArbitrary,
        requestList,
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        // The KV of a token takes 5 us or nothing; its prefill 26.
        fc.constantFrom(1e9, 1e15),
        (given, requests, prefill, sendsChunks, bandwidth) => {
          const plain = { ...given, blocks: Math.ceil(given.blocks / given.blockTokens) };
          const compiled = compiledWith(model, plain.blocks, plain.blockTokens, {
            disaggregation: { prefill, decode: 1, link: { name: 'wire', bandwidth } },
            parallelism: { tensor: 1, pipeline: 1, data: 1, expert: 1, replicas: prefill + 1 },
          });
          const perToken = bytesPerToken / (bandwidth * networkShare);
          const expected = plainPools(compiled, plain, { prefill, sendsChunks, perToken }, requests);
          expectEqual(simulatedTimes(compiled, plain, requests, false, sendsChunks), expected);
          preempted += expected.preemptions > 0 ? 1 : 0;
        },
      ),
      runs(200),
    );
    expect(preempted).toBeGreaterThan(5);
  });
});

function expectEqual({ requests, ttft, e2e, itl, preemptions }: SimulationResult, expected: PlainTimes): void {
  expect(requests.answered).toBe(expected.ttft.length);
  expect(preemptions.count).toBe(expected.preemptions);
  expect(ttft?.mean).toBeCloseTo(mean(expected.ttft), 10);
  expect(e2e?.mean).toBeCloseTo(mean(expected.e2e), 10);
  for (const [key, share] of [
    ['p50', 0.5],
    ['p90', 0.9],
    ['p99', 0.99],
  ] as const) {
    expect(ttft?.[key]).toBeCloseTo(quantile(expected.ttft, share), 10);
    expect(e2e?.[key]).toBeCloseTo(quantile(expected.e2e, share), 10);
  }
  if (expected.gaps.length > 0) expect(itl?.mean).toBeCloseTo(mean(expected.gaps), 10);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
