import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import type { Calibration } from '../../src/profile/calibration.ts';
import type { Deployment, Scenario } from '../../src/profile/scenario.ts';
import { shippedDeployment } from '../support/shipped.ts';

const overlay = (changes: Partial<Calibration>): Calibration => ({
  schema: 'twoclocks/calibration@1',
  fittedTo: 'made up',
  hardware: 'h100-sxm5-80gb',
  engine: 'vllm',
  rows: 1,
  factors: {},
  overhead: {},
  band: {},
  notes: [],
  ...changes,
});

const clocks = (deployment: Deployment): ReturnType<typeof estimate> => {
  const scenario: Scenario = {
    deployment,
    workload: { prompt: 1000, output: 100, cached: 0, load: { kind: 'concurrency', size: 8 } },
    grade: deployment.calibration === undefined ? 'typical' : 'calibrated',
  };
  return estimate(scenario);
};

describe('an overlay on a deployment of two ranks', () => {
  const deployment = shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {
    parallelism: { tensor: 2, pipeline: 1, data: 1, expert: 1, replicas: 1 },
  });
  const usual = clocks(deployment);
  const own = (changes: Partial<Calibration>): ReturnType<typeof estimate> =>
    clocks({ ...deployment, calibration: overlay(changes) });

  it('with nothing in it changes no digit', () => {
    const { ttft, tpot } = own({});
    expect([ttft.seconds, tpot.seconds]).toEqual([usual.ttft.seconds, usual.tpot.seconds]);
  });

  it('a factor on memory is a factor on bandwidth', () => {
    const faster = clocks({
      ...deployment,
      hardware: {
        ...deployment.hardware,
        memory: { ...deployment.hardware.memory, bandwidth: deployment.hardware.memory.bandwidth * 1.25 },
      },
    });
    const { ttft, tpot } = own({ factors: { memory: 1.25 } });
    expect(tpot.seconds / faster.tpot.seconds).toBeCloseTo(1, 9);
    expect(ttft.seconds / faster.ttft.seconds).toBeCloseTo(1, 9);
  });

  it("an overhead of a step takes the place of the engine's, in every step", () => {
    const { overhead } = deployment.release;
    const { tpot } = own({ overhead: { step: overhead.step + 0.01 } });
    expect(tpot.seconds - usual.tpot.seconds).toBeGreaterThan(0.0099);
  });

  it('latency twice as long moves link latency alone', () => {
    const { tpot } = own({ factors: { linkLatency: 2 } });
    expect(tpot.breakdown['link-latency']).toBeGreaterThan(1.5 * usual.tpot.breakdown['link-latency']);
    // Longer steps change a little how often prefill comes between.
    expect(tpot.breakdown['weight-bandwidth'] / usual.tpot.breakdown['weight-bandwidth']).toBeCloseTo(1, 2);
  });

  it('leaves the floor alone, and gives its own band', () => {
    const { tpot } = own({ factors: { memory: 0.5 }, band: { tpot: { low: 0.9, high: 1.2 } } });
    expect(tpot.ideal).toBe(usual.tpot.ideal);
    expect(tpot.high / tpot.seconds).toBeCloseTo(1.2, 12);
    expect(tpot.low / tpot.seconds).toBeCloseTo(0.9, 12);
  });
});
