import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { resources } from '../../src/roofline/resource.ts';
import { newClockSeconds, sum } from '../../src/serving/clock-seconds.ts';
import { compile } from '../../src/serving/compiled.ts';
import { fillClocks } from '../../src/serving/load.ts';
import { batchLoad, concurrencyLoad, deployment, scenario, workload } from '../support/arbitrary.ts';
import { scaled } from '../support/scaled.ts';
import { runs } from '../support/thorough.ts';

// t = 3 s of compute and 4 s of bandwidth at q = 2: 5 s, of which 9/5 s and 16/5 s; elasticities 0.36 and 0.64.

const clockNames = ['ttft', 'tpot', 'e2e'] as const;

describe('breakdown', () => {
  it('adds up to its clock, and elasticities to 1', () => {
    fc.assert(
      fc.property(scenario(), (drawn) => {
        const result = estimate(drawn);
        for (const name of clockNames) {
          const { seconds, breakdown, elasticity } = result[name];
          const total = resources.reduce((all, resource) => all + breakdown[resource], 0);
          expect(Math.abs(total / seconds - 1)).toBeLessThan(1e-12);
          const one = resources.reduce((all, resource) => all + elasticity[resource], 0);
          expect(Math.abs(one - 1)).toBeLessThan(1e-9);
        }
        const { ttft, tpot, e2e } = result;
        const both = ttft.seconds + (drawn.workload.output - 1) * tpot.seconds;
        expect(Math.abs(e2e.seconds / both - 1)).toBeLessThan(1e-12);
      }),
      runs(400),
    );
  });

  it('equals the elasticity of each clock to each resource, by finite difference', () => {
    const step = 1e-5;
    fc.assert(
      fc.property(
        deployment,
        workload(fc.oneof(batchLoad, concurrencyLoad)),
        fc.constantFrom('ideal', 'typical'),
        (drawn, asked, grade) => {
          const compiled = compile(drawn, grade);
          const at = newClockSeconds();
          fillClocks(compiled, asked, at);
          for (const [index, resource] of resources.entries()) {
            const slower = newClockSeconds();
            const faster = newClockSeconds();
            fillClocks(scaled(compiled, { [resource]: 1 + step }), asked, slower);
            fillClocks(scaled(compiled, { [resource]: 1 - step }), asked, faster);
            const ttft = (sum(slower.ttft) - sum(faster.ttft)) / (2 * step);
            const tpot = (sum(slower.tpot) - sum(faster.tpot)) / (2 * step);
            expect(Math.abs(ttft - (at.ttftRates[index] ?? NaN)) / sum(at.ttft)).toBeLessThan(1e-6);
            expect(Math.abs(tpot - (at.tpotRates[index] ?? NaN)) / sum(at.tpot)).toBeLessThan(1e-6);
          }
        },
      ),
      runs(150),
    );
  });
});
