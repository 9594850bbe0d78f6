import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { addOperatorSeconds } from '../../src/roofline/step-seconds.ts';
import { compileDeployment } from '../../src/roofline/compile.ts';
import { resourceCount } from '../../src/roofline/resource.ts';
import { addDecode, addPrefill, clearStep, newStep, finishStep } from '../../src/phase/step.ts';
import type { StepTable } from '../../src/roofline/step-table.ts';
import { batchLoad, concurrencyLoad, deployment, scenario } from '../support/arbitrary.ts';
import { runs } from '../support/thorough.ts';

// 1e12 FLOP at a peak of 1e12 FLOP/s take 1 s at least; at a share of 0.8, smoothed with anything else, 1.25 s or more.

const rounding = 1 + 1e-12;

describe('ideal', () => {
  it('is at most typical for every operator', () => {
    fc.assert(
      fc.property(
        deployment,
        fc.integer({ min: 0, max: 256 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        (drawn, decoding, from, tokens) => {
          const ideal = compileDeployment(drawn, 'ideal');
          const typical = compileDeployment(drawn, 'typical');
          const floors = secondsByOperator(ideal, decoding, from, tokens);
          const seconds = secondsByOperator(typical, decoding, from, tokens);
          expect(floors.length).toBeGreaterThan(0);
          for (const [operator, floor] of floors) {
            expect(floor).toBeLessThanOrEqual((seconds.find(([each]) => each === operator)?.[1] ?? 0) * rounding);
          }
        },
      ),
      runs(150),
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

function secondsByOperator(
  table: StepTable,
  decoding: number,
  from: number,
  tokens: number,
): readonly (readonly [string, number])[] {
  const step = newStep();
  clearStep(table, step);
  if (decoding > 0) addDecode(table, step, decoding, from + 1, from + 100);
  addPrefill(table, step, 1, from, from + tokens, 1);
  finishStep(table, step);
  return table.operators.map((operator, index) => [
    JSON.stringify([operator.name, operator.count, operator.terms]),
    addOperatorSeconds(table, index, index + 1, step, new Float64Array(resourceCount)),
  ]);
}
