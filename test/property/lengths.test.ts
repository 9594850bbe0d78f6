import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { type Scenario, singleDevice } from '../../src/profile/scenario.ts';
import type { Workload } from '../../src/profile/workload.ts';
import { batchLoad, concurrencyLoad, scenario } from '../support/arbitrary.ts';
import { runs } from '../support/thorough.ts';

// 100 tokens of prefill take what 100 tokens take; 200 take no less, and 50 of them cached take no more.
// Left out: a pipeline (a prompt of two steps overlaps them on two stages and may beat a shorter one of one step) and
// attention within chunks (the first token of a new chunk reads less than the last of the one before).

const rounding = 1 + 1e-12;
const more = fc.integer({ min: 1, max: 3000 });

const withWorkload = (drawn: Scenario, changes: Partial<Workload>): Scenario => ({
  ...drawn,
  workload: { ...drawn.workload, ...changes },
});

const withoutStages = (drawn: Scenario): Scenario => ({
  ...drawn,
  deployment: { ...drawn.deployment, parallelism: { ...drawn.deployment.parallelism, pipeline: 1 } },
});

const withoutChunks = ({ deployment: { model } }: Scenario): boolean =>
  model.layers.every(({ mixer }) => mixer.kind !== 'attention' || !mixer.chunked);

const batch = scenario(batchLoad).filter(withoutChunks).map(withoutStages);

const alone = scenario(
  fc.constantFrom({ kind: 'batch', size: 1 } as const, { kind: 'concurrency', size: 1 } as const),
).map((drawn) => ({ ...drawn, deployment: { ...drawn.deployment, parallelism: singleDevice } }));

describe('lengths', () => {
  it('a longer prompt never shortens TTFT, nor a longer context TPOT', () => {
    fc.assert(
      fc.property(fc.oneof(batch, alone), more, (drawn, added) => {
        const before = estimate(drawn);
        const after = estimate(withWorkload(drawn, { prompt: drawn.workload.prompt + added }));
        expect(after.ttft.seconds * rounding).toBeGreaterThanOrEqual(before.ttft.seconds);
        expect(after.tpot.seconds * rounding).toBeGreaterThanOrEqual(before.tpot.seconds);
      }),
      runs(150),
    );
  });

  it('cached tokens never lengthen TTFT and leave TPOT alone', () => {
    fc.assert(
      fc.property(fc.oneof(batch, alone), fc.double({ min: 0, max: 1, noNaN: true }), (drawn, share) => {
        const { prompt, cached } = drawn.workload;
        const after = Math.min(prompt - 1, cached + Math.round(share * (prompt - cached)));
        const cold = estimate(drawn);
        const warm = estimate(withWorkload(drawn, { cached: after }));
        expect(warm.ttft.seconds).toBeLessThanOrEqual(cold.ttft.seconds * rounding);
        expect(warm.tpot).toEqual(cold.tpot);
      }),
      runs(150),
    );
  });

  it('TTFT does not know the length of the answer in an unloaded system', () => {
    fc.assert(
      fc.property(alone, more, (drawn, output) => {
        const { ttft } = estimate(drawn);
        expect(estimate(withWorkload(drawn, { output })).ttft).toEqual(ttft);
      }),
      runs(100),
    );
  });

  it('a longer answer never shortens TPOT or the whole', () => {
    fc.assert(
      fc.property(fc.oneof(batch, alone), more, (drawn, added) => {
        const before = estimate(drawn);
        const after = estimate(withWorkload(drawn, { output: drawn.workload.output + added }));
        expect(after.tpot.seconds * rounding).toBeGreaterThanOrEqual(before.tpot.seconds);
        expect(after.e2e.seconds).toBeGreaterThan(before.e2e.seconds);
      }),
      runs(100),
    );
  });

  it('a larger batch never shortens a clock', () => {
    fc.assert(
      fc.property(batch, fc.integer({ min: 1, max: 100 }), (drawn, added) => {
        const size = drawn.workload.load.kind === 'batch' ? drawn.workload.load.size : 1;
        const before = estimate(drawn);
        const after = estimate(withWorkload(drawn, { load: { kind: 'batch', size: size + added } }));
        expect(after.ttft.seconds * rounding).toBeGreaterThanOrEqual(before.ttft.seconds);
        expect(after.tpot.seconds * rounding).toBeGreaterThanOrEqual(before.tpot.seconds);
      }),
      runs(100),
    );
  });

  it('more requests in flight never shorten TPOT nor the whole of a request', () => {
    const mixed = scenario(concurrencyLoad)
      .map(withoutStages)
      .filter(({ deployment }) => deployment.release.scheduling.policy === 'mixed');
    fc.assert(
      fc.property(mixed, fc.integer({ min: 1, max: 1000 }), (drawn, added) => {
        const size = drawn.workload.load.kind === 'concurrency' ? drawn.workload.load.size : 1;
        const before = estimate(drawn);
        const after = estimate(withWorkload(drawn, { load: { kind: 'concurrency', size: size + added } }));
        expect(after.tpot.seconds * rounding).toBeGreaterThanOrEqual(before.tpot.seconds);
        expect(after.e2e.seconds * rounding).toBeGreaterThanOrEqual(before.e2e.seconds);
      }),
      runs(150),
    );
  });
});
