import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate, explain } from '../../src/estimate.ts';
import type { OperatorExplanation } from '../../src/serving/explanation.ts';
import { batchLoad, concurrencyLoad, scenario } from '../support/arbitrary.ts';
import { runs } from '../support/thorough.ts';

// 1e12 FLOP at a peak of 1e12 FLOP/s take 1 s at least; at a share of 0.8, smoothed with anything else, 1.25 s or more.

const rounding = 1 + 1e-12;

describe('ideal', () => {
  it('is at most typical for every operator', () => {
    fc.assert(
      fc.property(scenario(batchLoad), (drawn) => {
        // Without a budget both grades take the same steps.
        const { release } = drawn.deployment;
        const unlimited = { ...release, scheduling: { ...release.scheduling, tokenBudget: [] } };
        const one = { ...drawn, deployment: { ...drawn.deployment, release: unlimited } };
        const floors = explain({ ...one, grade: 'ideal' });
        const typical = explain({ ...one, grade: 'typical' });
        for (const [index, { operators }] of floors.entries()) {
          expect(operators.length).toBeGreaterThan(0);
          const seconds = new Map(typical[index]?.operators.map((each) => [identity(each), each.seconds]));
          for (const each of operators) {
            expect(each.seconds, each.name).toBeLessThanOrEqual((seconds.get(identity(each)) ?? 0) * rounding);
          }
        }
      }),
      runs(100),
    );
  });

  // A pipeline is left out of TTFT (the typical one overlaps its steps), and of TPOT a closed loop whose requests
  // spend much of their time in prefill (fewer decode at once than run).
  it('is at most typical for both clocks', () => {
    fc.assert(
      fc.property(scenario(fc.oneof(batchLoad, concurrencyLoad)), (drawn) => {
        const { parallelism, release } = drawn.deployment;
        const typical = estimate({ ...drawn, grade: 'typical' });
        if (parallelism.pipeline === 1) {
          expect(typical.ttft.ideal).toBeLessThanOrEqual(typical.ttft.seconds * rounding);
        }
        if (drawn.workload.load.kind === 'batch' || release.scheduling.policy !== 'mixed') {
          expect(typical.tpot.ideal).toBeLessThanOrEqual(typical.tpot.seconds * rounding);
        }
      }),
      runs(300),
    );
  });

  it('is its own floor, without a band, an overhead or a queue', () => {
    fc.assert(
      fc.property(scenario(), (drawn) => {
        const result = estimate({ ...drawn, grade: 'ideal' });
        for (const { seconds, ideal, low, high, breakdown } of [result.ttft, result.tpot, result.e2e]) {
          expect([low, high]).toEqual([seconds, seconds]);
          expect(Math.abs(ideal / seconds - 1)).toBeLessThan(1e-12);
          const { overhead, queue, network } = breakdown;
          expect([overhead, queue, network, breakdown['link-bandwidth'], breakdown['link-latency']]).toEqual([
            0, 0, 0, 0, 0,
          ]);
        }
      }),
      runs(150),
    );
  });
});

/** The same work under either grade. */
const identity = ({ name, launches, weightBytes, keyValueBytes }: OperatorExplanation): string =>
  JSON.stringify([name, launches, weightBytes, keyValueBytes]);
