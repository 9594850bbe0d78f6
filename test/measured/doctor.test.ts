import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BenchmarkRun,
  newRun,
  type RequestTiming,
  type RunLoad,
} from '../../src/exchange/benchmark/benchmark-run.ts';
import type { Distribution } from '../../src/exchange/benchmark/distribution.ts';
import { examine } from '../../src/measured/doctor.ts';
import type { DoctorRule, Finding } from '../../src/measured/finding.ts';
import { shippedDeployment } from '../support/shipped.ts';

const exactly = (mean: number): Distribution => ({ mean, percentiles: [] });

/** 100 requests of 100 tokens, TTFT 0.2 s, TPOT 10 ms: E2E = 0.2 + 99 x 0.01 = 1.19 s; 2/s: 2.38 in flight. */
const sound = (changes: Partial<BenchmarkRun> = {}): BenchmarkRun =>
  newRun({
    tool: 'test',
    where: 'run',
    kind: 'client',
    load: { kind: 'rate', requestsPerSecond: 2 },
    seconds: 51.2,
    requests: { asked: 100, completed: 100, failed: 0 },
    tokens: { input: exactly(1000), output: exactly(100), outputTotal: 10_000 },
    clocks: { ttft: exactly(0.2), tpot: exactly(0.01), e2e: exactly(1.19) },
    throughput: { requestsPerSecond: 100 / 51.2, outputTokensPerSecond: 10_000 / 51.2 },
    ...changes,
  });

const find = (run: BenchmarkRun, rule: DoctorRule): readonly Finding[] =>
  examine([run], 'run').findings.filter((finding) => finding.rule === rule);

const rulesOf = (run: BenchmarkRun): readonly DoctorRule[] => examine([run], 'run').findings.map(({ rule }) => rule);

it('a sound run under a rate is told only that it says nothing of capacity', () => {
  expect(rulesOf(sound())).toEqual(['rate-limited']);
  expect(find(sound(), 'rate-limited')[0]?.effect).toContain('says nothing of capacity');
});

describe('E2E = TTFT + (n - 1) x TPOT', () => {
  const clocks = (tpot: number, e2e = 1.19): Pick<BenchmarkRun, 'clocks'> => ({
    clocks: { ttft: exactly(0.2), tpot: exactly(tpot), e2e: exactly(e2e) },
  });
  it('half: two chunks per token', () => {
    const [finding] = find(sound(clocks(0.005)), 'end-to-end');
    expect(finding?.what).toBe(
      'TTFT 200 ms + 99 x TPOT 5 ms = 695 ms, but E2E is 1.19 s: TPOT is half of what E2E says.',
    );
    expect(finding?.effect).toContain('take TPOT as 10 ms');
  });
  // 1.0 + 99 x 1 ms = 1.1 s of 1.2 s: half of a small part is seen all the same.
  it('half, where TTFT is most of the request', () => {
    const run = sound({ clocks: { ttft: exactly(1), tpot: exactly(0.001), e2e: exactly(1.2) } });
    expect(find(run, 'end-to-end')[0]?.what).toContain('TPOT is half');
  });
  it('twice: two tokens per chunk', () => expect(find(sound(clocks(0.02)), 'end-to-end')[0]?.what).toContain('twice'));
  it('a factor of 1000: units', () => expect(find(sound(clocks(10)), 'end-to-end')[0]?.effect).toContain('unit'));
  // Two tokens: TPOT = 0.595 = E2E / 2 holds the first token.
  it('includes the first token', () => {
    const run = sound({ ...clocks(0.595), tokens: { output: exactly(2) } });
    expect(find(run, 'end-to-end')[0]?.what).toContain('TPOT includes the first token');
  });
  it('less than its first token', () =>
    expect(find(sound(clocks(0.01, 0.1)), 'end-to-end')[0]?.certainty).toBe('certain'));
  it('holds for any lengths and clocks', () => {
    const positive = fc.double({ min: 0.001, max: 10, noNaN: true });
    fc.assert(
      fc.property(positive, positive, fc.integer({ min: 2, max: 5000 }), (ttft, tpot, output) => {
        const run = sound({
          clocks: { ttft: exactly(ttft), tpot: exactly(tpot), e2e: exactly(ttft + (output - 1) * tpot) },
          tokens: { output: exactly(output) },
        });
        return find(run, 'end-to-end').length === 0;
      }),
    );
  });
});

describe('units and durations', () => {
  // 0.2 ms + 99 x 10 ms = 0.99 s, but E2E is 1.19 s: 200 ms would fit.
  it('TTFT in seconds under a name that says milliseconds', () => {
    const [finding] = find(
      sound({ clocks: { ttft: exactly(2e-4), tpot: exactly(0.01), e2e: exactly(1.19) } }),
      'units',
    );
    expect(finding?.certainty).toBe('certain');
    expect(finding?.what).toContain('200 ms would fit E2E');
  });
  it('TTFT of an empty first chunk', () => {
    const [finding] = find(sound({ clocks: { ttft: exactly(5e-4), tpot: exactly(0.01) } }), 'units');
    expect(finding?.certainty).toBe('likely');
    expect(finding?.effect).toContain('empty');
  });
  it('a hot prefix at a large batch is possible: 30 ms before steps of 50 ms', () =>
    expect(find(sound({ clocks: { ttft: exactly(0.03), tpot: exactly(0.05) } }), 'units')).toEqual([]));
  it('TPOT that nobody reaches', () => {
    expect(find(sound({ clocks: { tpot: exactly(12e-6) } }), 'units')[0]?.what).toContain(
      '83,333 tokens/s to one user',
    );
    expect(find(sound({ clocks: { tpot: exactly(12) } }), 'units')[0]?.what).toContain('12 s a token');
    expect(find(sound({ clocks: { tpot: exactly(4e-4) } }), 'units')).toEqual([]);
  });
  it('a run shorter than its mean request', () => {
    const [finding] = find(sound({ seconds: 0.5, throughput: {} }), 'little');
    expect(finding?.what).toBe('One request takes 1.19 s in the mean, but the whole run lasted 500 ms.');
  });
  it('half of TPOT is not taken for two tokens in a chunk', () => {
    const clocks = { ttft: exactly(0.2), tpot: exactly(0.005), itl: exactly(0.01), e2e: exactly(1.19) };
    expect(rulesOf(sound({ clocks }))).toEqual(['end-to-end', 'rate-limited']);
  });
});

describe("Little's law: in flight = rate x time in the system", () => {
  const closed = (size: number): Pick<BenchmarkRun, 'load'> => ({ load: { kind: 'concurrency', size } });
  // 100 / 51.2 x 1.19 = 2.32
  it('more in flight than were allowed', () => {
    const [finding] = find(sound(closed(2)), 'little');
    expect(finding?.what).toBe('1.95 requests/s x 1.19 s = 2.32 in flight, but at most 2 were allowed.');
    expect(finding?.severity).toBe('broken');
  });
  it('fewer than were asked for', () => expect(find(sound(closed(8)), 'little')[0]?.severity).toBe('careful'));
  it('as many as were asked for', () => {
    const run = sound({ ...closed(8), throughput: { requestsPerSecond: 8 / 1.19 }, seconds: 100 / (8 / 1.19) });
    expect(find(run, 'little')).toEqual([]);
  });
});

describe('rates', () => {
  const rated = (asked: number, achieved: number): BenchmarkRun =>
    sound({
      load: { kind: 'rate', requestsPerSecond: asked },
      throughput: { requestsPerSecond: achieved },
      seconds: 100 / achieved,
    });
  it('overload', () => {
    expect(rulesOf(rated(10, 5))).toContain('overload');
    expect(find(rated(10, 5), 'overload')[0]?.effect).toContain('no steady state');
  });
  it('more out than in', () => expect(find(rated(2, 3), 'achieved-rate')[0]?.severity).toBe('broken'));
  it('a tenth less of a hundred random arrivals may be chance, of ten thousand it is not', () => {
    const [chance] = find(rated(2, 1.7), 'achieved-rate');
    expect(chance?.severity).toBe('note');
    const many = { ...rated(2, 1.7), requests: { completed: 10_000 }, tokens: {}, seconds: 10_000 / 1.7 };
    expect(rulesOf(many)).toContain('overload');
    expect(find({ ...rated(2, 2.3) }, 'achieved-rate')).toEqual([]);
  });
  it('the drain of the last requests is no overload: 100 / (100 / 10 + 1.19) = 8.94/s', () =>
    expect(rulesOf(rated(10, 8.9))).not.toContain('overload'));
  it('everything at once is a queue', () => {
    const load: RunLoad = { kind: 'all-at-once', requests: 100 };
    expect(find(sound({ load }), 'all-at-once')[0]?.effect).toContain('place in that queue');
  });
  it('a queue that grows over the log', () => {
    const samples = Array.from({ length: 30 }, (_, at) => ({ at: at * 10, running: 8, waiting: at }));
    expect(find(sound({ samples }), 'overload')[0]?.what).toContain('grow from 4.5 to 24.5');
  });
});

describe('tokens, requests and percentiles', () => {
  it('output tokens/s against requests x tokens / time', () => {
    const run = sound({ throughput: { requestsPerSecond: 100 / 51.2, outputTokensPerSecond: 400 } });
    expect(find(run, 'token-totals')[0]?.what).toBe(
      'Output tokens/s is 400, but 100 requests x 100 tokens / 51.2 s = 195.',
    );
  });
  it('failures', () =>
    expect(find(sound({ requests: { asked: 100, completed: 80, failed: 20 } }), 'requests')[0]?.severity).toBe(
      'broken',
    ));
  it('nothing completed', () =>
    expect(find(sound({ requests: { completed: 0 } }), 'requests')[0]?.what).toBe('No request was completed.'));
  it('percentiles that fall', () => {
    const ttft = {
      mean: 0.2,
      percentiles: [
        { rank: 50, value: 0.3 },
        { rank: 99, value: 0.2 },
      ],
    };
    expect(find(sound({ clocks: { ttft } }), 'percentiles')[0]?.what).toBe(
      'TTFT at p99 is 200 ms, less than at a lower rank.',
    );
  });
  it('p99 of a few requests, and a run of a few seconds', () => {
    const ttft = { mean: 0.2, percentiles: [{ rank: 99, value: 0.3 }] };
    const run = sound({
      requests: { completed: 20 },
      clocks: { ttft, e2e: exactly(1.19) },
      seconds: 4,
      throughput: {},
    });
    expect(find(run, 'sample-size')).toHaveLength(2);
  });
});

describe('the course of a run', () => {
  const timings = (ttft: (index: number) => number): readonly RequestTiming[] =>
    Array.from({ length: 100 }, (_, index) => ({
      start: index * 0.5,
      ttft: ttft(index),
      e2e: ttft(index) + 0.99,
      output: 100,
    }));
  // A queue with Poisson arrivals and exponential service in units of one service time, from a seeded generator.
  function queue(load: number, count: number, seed: number): readonly RequestTiming[] {
    let state = seed;
    const uniform = (): number => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    let [at, waiting] = [0, 0];
    return Array.from({ length: count }, () => {
      const [gap, service] = [-Math.log(uniform()) / load, -Math.log(uniform())];
      at += gap;
      waiting = Math.max(0, waiting - gap) + service;
      return { start: at, ttft: waiting * 0.1 };
    });
  }
  const found = (load: number, count: number, rule: DoctorRule): number =>
    Array.from({ length: 200 }, (_, index) => sound({ timings: queue(load, count, 1000 + index) })).filter((run) =>
      find(run, rule).some(({ severity }) => severity === 'broken' || rule === 'warm-up'),
    ).length;
  it.each([
    [0.3, 100],
    [0.7, 100],
    [0.7, 1000],
  ])('a queue at %f of capacity over %i requests is steady, however it wanders', (load, count) => {
    expect(found(load, count, 'steady-state')).toBeLessThanOrEqual(4);
    expect(found(load, count, 'warm-up')).toBeLessThanOrEqual(14);
  });
  it('a queue that gets a third more than it can do is not', () =>
    expect(found(1.33, 1000, 'steady-state')).toBeGreaterThan(195));
  it('warm-up', () =>
    expect(find(sound({ timings: timings((index) => (index < 10 ? 2 : 0.2)) }), 'warm-up')).toHaveLength(1));
  it('no steady state', () =>
    expect(find(sound({ timings: timings((index) => 0.1 + index * 0.05) }), 'steady-state')[0]?.severity).toBe(
      'broken',
    ));
  it('a steady run', () =>
    expect(rulesOf(sound({ timings: timings((index) => 0.2 + (index % 7) * 0.01) }))).toEqual(['rate-limited']));
  it('two chunks per token', () => {
    const gaps = timings(() => 0.2).map((timing) => ({ ...timing, gaps: { sum: 0.99, count: 198, empty: 99 } }));
    expect(find(sound({ timings: gaps }), 'chunks')[0]?.what).toBe(
      '2 stream chunks come per token, 50 % of them at once with another.',
    );
  });
  it('prefix cache and preemption', () => {
    expect(find(sound({ observed: { prefixHitShare: 0.66 } }), 'prefix-cache')[0]?.severity).toBe('careful');
    expect(find(sound({ observed: { preemptions: 3 } }), 'kv-cache')[0]?.what).toContain('3 requests were preempted');
  });
});

describe('against the floor of model and hardware', () => {
  const deployment = shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm');
  const alone = (ttft: number, tpot: number): readonly Finding[] =>
    examine(
      [
        sound({
          load: { kind: 'concurrency', size: 1 },
          clocks: { ttft: exactly(ttft), tpot: exactly(tpot), e2e: exactly(ttft + 99 * tpot) },
          throughput: {},
          seconds: 100 * (ttft + 99 * tpot),
        }),
      ],
      'run',
      deployment,
    ).findings;
  // 16.06e9 bytes / 3.35e12 = 4.5 ms a token (the input table is not read); 2 x 7.5e9 x 1000 / 989e12 = 15 ms.
  it('a credible run has no finding', () => expect(alone(0.03, 0.0065)).toEqual([]));
  it('TPOT below the bytes of the weights is impossible', () => {
    const [finding] = alone(0.03, 0.002);
    expect(finding).toMatchObject({ rule: 'floor', severity: 'broken', certainty: 'certain' });
    expect(finding?.what).toContain('which is impossible');
  });
  it('TTFT below the FLOPs of the prompt means a cache or a missed synchronisation', () =>
    expect(alone(0.002, 0.0065)[0]?.effect).toContain('prefix cache'));
});

/* tenstorrent/tt-inference-server#143 (Q06): one request at a time, 2 x H100, Qwen2.5-72B. */
it('flags the 2048 row of the prompt sweep: at the peak of two H100', () => {
  const sweep: readonly (readonly [number, number])[] = [
    [128, 0.0411],
    [1024, 0.1292],
    [2048, 0.1495],
    [3072, 0.2709],
    [4096, 0.5051],
    [8192, 1.0638],
  ];
  const runs = sweep.map(([prompt, ttft]) =>
    newRun({
      tool: 'sweep',
      where: `prompt ${prompt}`,
      kind: 'client',
      load: { kind: 'concurrency', size: 1 },
      tokens: { input: exactly(prompt), output: exactly(128) },
      clocks: { ttft: exactly(ttft), tpot: exactly(0.0311) },
    }),
  );
  const deployment = shippedDeployment('qwen2.5-72b', 'h100-sxm5-80gb', 'vllm', {
    parallelism: { tensor: 2, pipeline: 1, data: 1, expert: 1, replicas: 1 },
  });
  const flagged = examine(runs, 'sweep', deployment).findings.filter(({ severity }) => severity !== 'note');
  expect(new Set(flagged.map(({ where }) => where))).toEqual(new Set(['prompt 2048', 'prompt 3072']));
  expect(flagged.find(({ where, what }) => where === 'prompt 2048' && what.includes('of peak compute'))).toBeDefined();
});
