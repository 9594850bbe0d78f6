import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { newRun } from '../../src/exchange/benchmark/benchmark-run.ts';
import type { Distribution } from '../../src/exchange/benchmark/distribution.ts';
import { calibrate, type CalibrationResult } from '../../src/measured/calibrate.ts';
import { type CandidateRow, rowsOfRun } from '../../src/measured/calibration-row.ts';
import type { Scenario } from '../../src/profile/scenario.ts';
import { shippedDeployment } from '../support/shipped.ts';

const fitted = (result: CalibrationResult, name: string): number | undefined =>
  result.fitted.find((each) => each.name === name)?.value;

/** Standard normal deviates from a seed (Lehmer's generator, Box and Muller). */
function gaussian(seed: number): () => number {
  let state = seed * 7919;
  const uniform = (): number => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

describe('rows with known constants and noise', () => {
  const deployment = shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm');
  const step = deployment.release.overhead.step + 0.002;
  const truth = {
    schema: 'twoclocks/calibration@1' as const,
    fittedTo: 'made up',
    hardware: 'h100-sxm5-80gb',
    engine: 'vllm',
    rows: 1,
    factors: { memory: 0.8 },
    overhead: { step },
    band: {},
    notes: [],
  };
  const noisy = (seed: number, sizes: readonly number[]): readonly CandidateRow[] => {
    const random = gaussian(seed);
    return sizes.flatMap((size) =>
      [100, 800, 3000].flatMap((prompt) => {
        const workload = { prompt, output: 200, cached: 0, load: { kind: 'batch', size } } as const;
        const { ttft, tpot } = estimate({
          deployment: { ...deployment, calibration: truth },
          workload,
          grade: 'calibrated',
        });
        const measured = (seconds: number): Distribution => ({
          mean: seconds * Math.exp(0.02 * random()),
          percentiles: [],
        });
        const run = newRun({
          tool: 'made up',
          where: `${size}/${prompt}`,
          kind: 'client',
          load: workload.load,
          tokens: { input: { mean: prompt, percentiles: [] }, output: { mean: 200, percentiles: [] } },
          clocks: { ttft: measured(ttft.seconds), tpot: measured(tpot.seconds) },
        });
        return rowsOfRun(run, deployment);
      }),
    );
  };
  const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
  const results = seeds.map((seed) => calibrate(noisy(seed, [1, 4, 16, 64])));

  // 95 % each: of twelve, two outside are likely enough, four are not (1 in 4,000).
  it.each([
    ['memory', 0.8],
    ['step', step],
  ] as const)('the interval of %s holds what was put in', (name, value) => {
    const outside = results.filter(({ fitted: found }) => {
      const interval = found.find((each) => each.name === name)?.interval;
      return interval === undefined || interval[0] > value || interval[1] < value;
    });
    expect(outside.length).toBeLessThanOrEqual(3);
  });

  it('the band holds measurements of loads that were not fitted', () => {
    const held = seeds.flatMap((seed, index) =>
      noisy(seed + 100, [2, 8, 32]).map((row) => {
        if ('excluded' in row) throw new Error(row.excluded);
        const calibration = results[index]?.calibration;
        if (calibration === undefined) throw new Error('no fit');
        const scenario: Scenario = {
          ...row.scenario,
          deployment: { ...row.scenario.deployment, calibration },
          grade: 'calibrated',
        };
        const { low, high } = estimate(scenario)[row.clock];
        return low <= row.measured && row.measured <= high;
      }),
    );
    const covered = held.filter((each) => each).length / held.length;
    expect(covered, `${covered} of ${held.length}`).toBeGreaterThan(0.8);
  });

  it('a load is left out with all its figures', () => {
    // Mean and median of one run say the same: a row beside its twin is not left out at all.
    const [one] = noisy(1, [16]);
    if (one === undefined || 'excluded' in one) throw new Error('no row');
    const twins = [one, { ...one, where: 'twin' }, { ...one, where: 'third' }];
    expect(calibrate(twins).error.leftOut).toBeUndefined();
    expect(calibrate([...twins, ...noisy(1, [1, 64])]).error.leftOut).toBeGreaterThan(0);
  });

  it('one row that is ten times off does not move the others', () => {
    const rows = noisy(1, [1, 4, 16, 64]).map((row, index) =>
      index === 3 && 'measured' in row ? { ...row, measured: row.measured * 10 } : row,
    );
    const result = calibrate(rows);
    expect(result.excluded[0]?.reason).toMatch(/times off what other rows have/);
    expect(fitted(result, 'memory')).toBeCloseTo(0.8, 1);
  });
});

it('what is not foretold is not fitted: TTFT alone leaves memory alone, and noise leaves all', () => {
  const deployment = shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm');
  const rows = (scatter: number, random: () => number): readonly CandidateRow[] =>
    [200, 400, 800, 1600, 3200, 6400].flatMap((prompt) => {
      const workload = { prompt, output: 1, cached: 0, load: { kind: 'concurrency', size: 1 } } as const;
      const { ttft } = estimate({ deployment, workload, grade: 'typical' });
      const run = newRun({
        tool: 'made up',
        where: `${prompt}`,
        kind: 'client',
        load: workload.load,
        tokens: { input: { mean: prompt, percentiles: [] }, output: { mean: 1, percentiles: [] } },
        clocks: { ttft: { mean: ttft.seconds * 1.4 * Math.exp(scatter * random()), percentiles: [] } },
      });
      return rowsOfRun(run, deployment);
    });
  const slow = calibrate(rows(0.01, gaussian(3)));
  expect(slow.refused.find(({ name }) => name === 'memory')?.reason).toContain('no row has TPOT or E2E');
  expect(slow.unmeasured).toEqual(['tpot']);
  for (const seed of [1, 2, 3, 4]) {
    const { error } = calibrate(rows(0.5, gaussian(seed)));
    expect(error.leftOut ?? 0).toBeLessThan(error.before + 1e-9);
  }
});
