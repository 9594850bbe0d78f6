import { beforeAll, describe, expect, it } from 'vitest';
import type { Measurement } from '../../src/measured/measurement.ts';
import { type ProfileSource, rowScenario } from '../../src/measured/row-scenario.ts';
import type { Deployment } from '../../src/profile/scenario.ts';
import { shippedProfiles } from '../../scripts/shipped-profiles.ts';

let profiles: ProfileSource;
beforeAll(async () => {
  profiles = await shippedProfiles();
});

const row: Measurement = {
  sourceId: 's',
  rowRef: 'r',
  engine: 'llama.cpp',
  engineVersion: 'b8400',
  hardware: 'rtx-3090',
  gpus: 1,
  model: 'llama-3.1-8b',
  weightFormat: 'gguf-q4_k_m',
  activationFormat: '',
  keyValueFormat: '',
  load: 'single',
  inputTokens: 512,
  outputTokens: 128,
  cachedTokens: 0,
  metric: 'tpot_ms',
  value: 10,
  options: {},
  notes: '',
  line: 2,
};

function deploymentOf(changes: Partial<Measurement>): Deployment {
  const described = rowScenario({ ...row, ...changes }, profiles);
  if ('skipped' in described) throw new Error(described.skipped);
  return described.scenario.deployment;
}

describe('the scenario of a measured row', () => {
  it.each([
    ['qwen3-32b', 'fp8', 'fp8-block'],
    ['qwen3-32b', 'int8', 'int8'],
    ['llama-3.1-8b', 'fp8', 'fp8'],
    ['deepseek-r1', 'fp8', undefined],
  ])('takes %s in %s as its publisher does', (model, weightFormat, weights) => {
    const { precision } = deploymentOf({ engine: 'vllm', hardware: 'h100-sxm5-80gb', gpus: 8, model, weightFormat });
    expect(precision.weights).toBe(weights);
  });

  it('caps the device where the row states a limit that holds it back', () => {
    const peak = ({ hardware }: Deployment): number => hardware.matrix.fp16 ?? 0;
    const free = peak(deploymentOf({}));
    expect(peak(deploymentOf({ options: { power_limit_w: '220' } }))).toBeLessThan(free);
    // 350 W is the card's own limit; below 105 W nothing is left for the clock, and the figure means something else.
    for (const watts of ['350', '900', '90', 'none'])
      expect(peak(deploymentOf({ options: { power_limit_w: watts } }))).toBe(free);
  });

  it('leaves devices at full clock that wait for one another', () => {
    const options = { power_limit_w: '220' };
    const split = deploymentOf({ gpus: 4, options });
    expect(split.parallelism.pipeline).toBe(4);
    expect(split.hardware).toEqual(deploymentOf({ gpus: 4 }).hardware);
  });

  it('samples nothing where a benchmark runs the engine alone', () => {
    const sampling = (changes: Partial<Measurement>): number => deploymentOf(changes).release.overhead.sampling ?? 0;
    expect(sampling({})).toBeCloseTo(3.9e-9, 15);
    expect(sampling({ metric: 'decode_tok_s' })).toBe(0);
    expect(sampling({ metric: 'decode_tok_s', load: 'closed-loop', batch: 4 })).toBeGreaterThan(0);
  });

  it('takes the kernels of the build that ran', () => {
    const kernels = (engineVersion: string): string | undefined => deploymentOf({ engineVersion }).release.kernels;
    expect(kernels('b2833')).toBeUndefined();
    expect(kernels('b5215')).toBe('llama.cpp-int8');
    expect(kernels('b8400')).toBe('llama.cpp-fused');
  });

  it('spreads requests and experts where attention ran data parallel, whatever the label says', () => {
    const ranks = (changes: Partial<Measurement>): Deployment['parallelism'] =>
      deploymentOf({ engine: 'trt-llm', engineVersion: '1.0', hardware: 'h200', gpus: 8, tensor: 8, ...changes })
        .parallelism;
    const notes = 'MoE models run with attention DP (enable_attention_dp: true)';
    const spread = { tensor: 1, data: 8, expert: 8, replicas: 1 };
    const weightFormat = 'fp8';
    expect(ranks({ model: 'qwen3-235b-a22b', weightFormat, notes })).toMatchObject(spread);
    expect(ranks({ model: 'qwen3-235b-a22b', weightFormat })).toMatchObject({ tensor: 8, data: 1 });
    expect(ranks({ model: 'llama-3.1-405b', weightFormat, notes })).toMatchObject({ tensor: 8, data: 1 });
  });
});
