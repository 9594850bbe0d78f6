import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import type { Hardware } from '../../src/profile/hardware.ts';
import type { Scenario } from '../../src/profile/scenario.ts';
import { batchLoad, concurrencyLoad, gain, scenario } from '../support/arbitrary.ts';
import { toyHardware, toyScenario, toyWorkload } from '../support/toy.ts';
import { runs } from '../support/thorough.ts';
import { faster } from '../support/upgrade.ts';

// 1 TFLOP/s -> 2 TFLOP/s: a clock may stay (bound by bandwidth) or fall to half, never rise.

const rounding = 1 + 1e-12;

const on = (drawn: Scenario, hardware: Hardware): Scenario => ({
  ...drawn,
  deployment: { ...drawn.deployment, hardware },
});

describe('a faster device', () => {
  it.each(['compute', 'bandwidth', 'link'] as const)('of more %s never slows a clock', (what) => {
    fc.assert(
      fc.property(scenario(fc.oneof(batchLoad, concurrencyLoad)), gain, (drawn, k) => {
        const before = estimate(drawn);
        const after = estimate(on(drawn, faster[what](drawn.deployment.hardware, k)));
        for (const name of ['ttft', 'tpot', 'e2e'] as const) {
          expect(after[name].seconds).toBeLessThanOrEqual(before[name].seconds * rounding);
          expect(after[name].ideal).toBeLessThanOrEqual(before[name].ideal * rounding);
        }
      }),
      runs(150),
    );
  });

  it('of more memory leaves the clocks of a batch alone and takes at least as many sequences', () => {
    fc.assert(
      fc.property(scenario(batchLoad), gain, (drawn, k) => {
        // Rules by memory size would change the step's budget too.
        const { release } = drawn.deployment;
        const scheduling = { ...release.scheduling, tokenBudget: release.scheduling.tokenBudget.slice(-1) };
        const fixed = { ...drawn, deployment: { ...drawn.deployment, release: { ...release, scheduling } } };
        const before = estimate(fixed);
        const after = estimate(on(fixed, faster.capacity(drawn.deployment.hardware, k)));
        expect(after.ttft).toEqual(before.ttft);
        expect(after.tpot).toEqual(before.tpot);
        expect(after.memory.largestBatch).toBeGreaterThanOrEqual(before.memory.largestBatch);
        expect(after.memory.shortBy).toBeLessThanOrEqual(before.memory.shortBy);
      }),
      runs(80),
    );
  });

  it('of more bandwidth alone leaves an ideal compute-bound TTFT as it is', () => {
    // 512 prompts of 1000 tokens at once: even the head, with one row a prompt, multiplies more than it reads.
    const drawn = toyScenario({ workload: toyWorkload({ prompt: 1000, load: { kind: 'batch', size: 512 } }) });
    const { ttft, tpot } = estimate(drawn);
    expect(ttft.elasticity.compute).toBe(1);
    fc.assert(
      fc.property(gain, (k) => {
        const after = estimate(on(drawn, faster.bandwidth(toyHardware, k)));
        expect(after.ttft.seconds).toBe(ttft.seconds);
        expect(after.tpot.seconds).toBeLessThanOrEqual(tpot.seconds);
      }),
      runs(50),
    );
  });

  it('of more FLOP/s alone leaves an ideal bandwidth-bound TPOT as it is', () => {
    const bound = scenario(batchLoad)
      .map((drawn): Scenario => ({ ...drawn, grade: 'ideal' }))
      .map((drawn) => ({ drawn, tpot: estimate(drawn).tpot }))
      .filter(({ tpot }) => tpot.elasticity.compute === 0);
    fc.assert(
      fc.property(bound, gain, ({ drawn, tpot }, k) => {
        const after = estimate(on(drawn, faster.compute(drawn.deployment.hardware, k)));
        expect(after.tpot.seconds).toBe(tpot.seconds);
        expect(after.ttft.seconds).toBeLessThanOrEqual(estimate(drawn).ttft.seconds);
      }),
      runs(50),
    );
  });
});
