import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import type { Disaggregation, Scenario } from '../../src/profile/scenario.ts';
import type { Load } from '../../src/profile/workload.ts';
import type { PoolCapacity } from '../../src/serving/pool-capacity.ts';
import { runs } from '../support/thorough.ts';
import { toyDeployment, toyScenario, toyWorkload } from '../support/toy.ts';
import { ranks } from '../support/what-if.ts';

interface Drawn {
  readonly groups: Pick<Disaggregation, 'prefill' | 'decode'>;
  readonly prompt: number;
  readonly output: number;
  readonly load: Load;
  readonly acceptance: number | undefined;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  groups: fc.record({ prefill: fc.integer({ min: 1, max: 12 }), decode: fc.integer({ min: 1, max: 12 }) }),
  prompt: fc.integer({ min: 1, max: 20_000 }),
  output: fc.integer({ min: 2, max: 3000 }),
  load: fc.oneof(
    fc.integer({ min: 1, max: 5000 }).map((size): Load => ({ kind: 'concurrency', size })),
    fc.integer({ min: 1, max: 5000 }).map((rate): Load => ({ kind: 'rate', requestsPerSecond: rate / 10 })),
  ),
  acceptance: fc
    .option(fc.integer({ min: 0, max: 100 }), { nil: undefined })
    .map((share) => (share === undefined ? undefined : share / 100)),
});

function scenario({ groups, prompt, output, load, acceptance }: Drawn, grade: Scenario['grade'] = 'typical'): Scenario {
  const parts = {
    disaggregation: { ...groups, link: { name: 'wire', bandwidth: 1e9 } },
    parallelism: ranks({ replicas: groups.prefill + groups.decode }),
    ...(acceptance === undefined ? {} : { speculation: { method: 'ngram', tokens: 3, acceptance } as const }),
  };
  return toyScenario({ grade, workload: toyWorkload({ prompt, output, load }), deployment: toyDeployment(parts) });
}

function poolsOf(of: Scenario): PoolCapacity {
  const { pools } = estimate(of);
  if (pools === undefined) throw new Error('a deployment with pools has their capacity');
  return pools;
}

describe('capacity of pools', () => {
  it('is the largest stable rate, of the pool that limits it', () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const { prefill, decode, limitedBy } = poolsOf(scenario(each));
        const least = Math.min(prefill.requestsPerSecond, decode.requestsPerSecond);
        expect(limitedBy === 'prefill' ? prefill.requestsPerSecond : decode.requestsPerSecond).toBe(least);
        const loaded = estimate(scenario({ ...each, load: { kind: 'rate', requestsPerSecond: least / 2 } }));
        expect((loaded.load.stability?.largestRate ?? 0) / least).toBeCloseTo(1, 12);
      }),
      runs(100),
    );
  });

  it('fills both pools at a ratio of the smallest whole numbers within a tenth', () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const { prefill, decode, fullAt } = poolsOf(scenario(each));
        if (fullAt === undefined) throw new Error('what decodes has a ratio');
        const onePrefill = prefill.requestsPerSecond / prefill.groups;
        const oneDecode = decode.requestsPerSecond / decode.groups;
        expect(Math.min(fullAt.prefill, fullAt.decode)).toBeLessThanOrEqual(5);
        const ratio = (fullAt.prefill * onePrefill) / (fullAt.decode * oneDecode);
        expect(Math.max(ratio, 1 / ratio)).toBeLessThanOrEqual(1.12);
        // Any smaller whole numbers are further off.
        for (let few = 1; few < Math.min(fullAt.prefill, fullAt.decode); few++) {
          const many = Math.max(onePrefill / oneDecode, oneDecode / onePrefill) * few;
          expect(Math.abs(Math.round(many) / many - 1)).toBeGreaterThan(0.1);
        }
      }),
      runs(200),
    );
  });

  it('knows the split that carries most, by trying all', () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const { prefill, decode, best } = poolsOf(scenario(each));
        const all = prefill.groups + decode.groups;
        const [onePrefill, oneDecode] = [
          prefill.requestsPerSecond / prefill.groups,
          decode.requestsPerSecond / decode.groups,
        ];
        const rates = Array.from({ length: all - 1 }, (_, index) =>
          Math.min((index + 1) * onePrefill, (all - index - 1) * oneDecode),
        );
        expect((best?.requestsPerSecond ?? 0) / Math.max(...rates)).toBeCloseTo(1, 12);
        expect((best?.prefill ?? 0) + (best?.decode ?? 0)).toBe(all);
      }),
      runs(200),
    );
  });

  /** Little's law: those who decode are the rate times the time that an answer takes after its first token. */
  it('has as many decoding as the rate keeps there', () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const { pools, throughput, tpot, load } = estimate(scenario(each));
        if (load.stability?.verdict === 'unstable' || load.waiting > 0) return;
        const decoding = throughput.requestsPerSecond * (each.output - 1) * tpot.seconds;
        const { running = 0, groups = 1, sequences = 0 } = pools?.decode ?? {};
        // A group that is idle at times has at least one sequence whenever it works.
        // Beyond 99 % of the largest rate the clocks are those of 99 %.
        expect(Math.abs(Math.max(1, decoding / groups) / running - 1)).toBeLessThan(0.011);
        expect(running).toBeLessThanOrEqual(sequences * (1 + 1e-9));
      }),
      runs(200),
    );
  });

  it('is no smaller on the ideal, and has nothing to decode of one token', () => {
    fc.assert(
      fc.property(drawn, (each) => {
        const [typical, ideal] = [poolsOf(scenario(each)), poolsOf(scenario(each, 'ideal'))];
        for (const pool of ['prefill', 'decode'] as const)
          expect(ideal[pool].requestsPerSecond).toBeGreaterThanOrEqual(typical[pool].requestsPerSecond * (1 - 1e-9));
        const alone = poolsOf(scenario({ ...each, output: 1 }));
        expect(alone.decode.requestsPerSecond).toBe(Infinity);
        expect(alone).not.toHaveProperty('fullAt');
        expect(alone.limitedBy).toBe('prefill');
      }),
      runs(100),
    );
  });

  it('is not there without pools', () => {
    expect(estimate(toyScenario({ grade: 'typical' }))).not.toHaveProperty('pools');
  });
});
