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
        // Without a budget and passes both grades take the same steps.
        const { release } = drawn.deployment;
        const { passTokens: _, ...scheduling } = release.scheduling;
        const unlimited = { ...release, scheduling: { ...scheduling, tokenBudget: [] } };
        const one = { ...drawn, deployment: { ...drawn.deployment, release: unlimited } };
        const floors = explain({ ...one, grade: 'ideal' });
        const typical = explain({ ...one, grade: 'typical' });
        for (const [index, { operators }] of floors.entries()) {
          expect(operators.length).toBeGreaterThan(0);
          const most = secondsByName(typical[index]?.operators ?? []);
          for (const [name, seconds] of secondsByName(operators)) {
            expect(seconds, name).toBeLessThanOrEqual((most.get(name) ?? 0) * rounding);
          }
        }
      }),
      runs(100),
    );
  });

  it('is at most typical for both clocks', () => {
    fc.assert(
      fc.property(scenario(fc.oneof(batchLoad, concurrencyLoad)), (drawn) => {
        const typical = estimate({ ...drawn, grade: 'typical' });
        expect(typical.ttft.ideal).toBeLessThanOrEqual(typical.ttft.seconds * rounding);
        expect(typical.tpot.ideal).toBeLessThanOrEqual(typical.tpot.seconds * rounding);
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

/** Operators of one name together: the floor divides KV heads further than ranks can, so that shapes may differ. */
function secondsByName(operators: readonly OperatorExplanation[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, seconds } of operators) sums.set(name, (sums.get(name) ?? 0) + seconds);
  return sums;
}
