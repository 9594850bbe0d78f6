import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hardware } from '../../src/profile/hardware.ts';
import { resources } from '../../src/roofline/resource.ts';
import { newClockSeconds } from '../../src/serving/clock-seconds.ts';
import { compile, type CompiledDeployment } from '../../src/serving/compiled.ts';
import { fillClocks } from '../../src/serving/load.ts';
import { batchLoad, concurrencyLoad, deployment, gain, load, workload } from '../support/arbitrary.ts';
import { type Factors, scaled } from '../support/scaled.ts';
import { faster } from '../support/upgrade.ts';
import { runs } from '../support/thorough.ts';

// Twice the FLOP/s, bandwidth and link rate, half the floors, latencies and host times: every second is half a second.

const clocks = (compiled: CompiledDeployment, asked: Parameters<typeof fillClocks>[1]): readonly [number, number] => {
  const filled = newClockSeconds();
  fillClocks(compiled, asked, filled);
  return [filled.ttftSeconds, filled.tpotSeconds];
};

const everything = (factor: number): Factors => Object.fromEntries(resources.map((resource) => [resource, factor]));

describe('scaling', () => {
  it('every cost by 1/k divides every clock by k', () => {
    fc.assert(
      fc.property(
        deployment,
        workload(fc.oneof(batchLoad, concurrencyLoad)),
        fc.constantFrom('ideal', 'typical'),
        gain,
        (drawn, asked, grade, k) => {
          const compiled = compile(drawn, grade);
          const [ttft, tpot] = clocks(compiled, asked);
          const [ttftScaled, tpotScaled] = clocks(scaled(compiled, everything(1 / k)), asked);
          expect(Math.abs((ttftScaled * k) / ttft - 1)).toBeLessThan(1e-9);
          expect(Math.abs((tpotScaled * k) / tpot - 1)).toBeLessThan(1e-9);
        },
      ),
      runs(200),
    );
  });

  it('a device of k times the rates costs 1/k of the seconds that depend on rates, exactly', () => {
    const rated = ['compute', 'weight-bandwidth', 'kv-bandwidth', 'activation-bandwidth', 'link-bandwidth'] as const;
    fc.assert(
      fc.property(deployment, load, fc.constantFrom('ideal', 'typical'), gain, (drawn, kind, grade, k) => {
        const asked = { prompt: 1000, output: 100, cached: 0, load: kind };
        const upgraded = compile({ ...drawn, hardware: allRates(drawn.hardware, k) }, grade);
        const expected = scaled(compile(drawn, grade), Object.fromEntries(rated.map((resource) => [resource, 1 / k])));
        const got = clocks(upgraded, asked);
        const wanted = clocks(expected, asked);
        expect(Math.abs(got[0] / wanted[0] - 1)).toBeLessThan(1e-9);
        expect(Math.abs(got[1] / wanted[1] - 1)).toBeLessThan(1e-9);
      }),
      runs(200),
    );
  });
});

const allRates = (hardware: Hardware, k: number): Hardware =>
  faster.compute(faster.bandwidth(faster.link(hardware, k), k), k);
