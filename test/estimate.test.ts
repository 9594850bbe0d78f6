import { describe, expect, it } from 'vitest';
import { estimate, explain } from '../src/estimate.ts';
import { compile } from '../src/serving/compiled.ts';
import { limit, ranks, toyRelease } from './support/toy-parts.ts';
import { toyDeployment, toyHardware, toyModel, toyScenario, toyWorkload } from './support/toy.ts';

// Ideal toy device with 100 TFLOP/s, prompt 1000, answer 11, alone. TTFT: products 24e9 FLOP 0.24 ms, triangle 2e9 FLOP
// 20 us, the head reads 2e6 bytes 2 us: 262 us. TPOT: 26e6 bytes 26 us and 1005.5 x 4000 bytes 4.022 us: 30.022 us.
// E2E: 262 + 10 x 30.022 = 562.22 us.

const hardware = { ...toyHardware, matrix: { fp16: 100e12, bf16: 100e12, fp8: 200e12 } };
const workload = toyWorkload({ prompt: 1000, output: 11 });
const ideal = toyScenario({ deployment: toyDeployment({ hardware }), workload });

describe('estimate', () => {
  it('gives both clocks of a request, and the whole of it', () => {
    const { ttft, tpot, e2e } = estimate(ideal);
    expect(ttft.seconds).toBeCloseTo(262e-6, 14);
    expect(tpot.seconds).toBeCloseTo(30.022e-6, 14);
    expect(e2e.seconds).toBeCloseTo(562.22e-6, 14);
  });

  it('says what each reacts to most', () => {
    const { bound } = estimate(ideal);
    expect(bound.ttft.resource).toBe('compute');
    expect(bound.ttft.share).toBeCloseTo(260 / 262, 10);
    expect(bound.tpot.resource).toBe('weight-bandwidth');
    expect(bound.tpot.share).toBeCloseTo(26 / 30.022, 10);
  });

  it('counts tokens and requests per second of a batch', () => {
    const batch = { ...ideal, workload: { ...workload, load: { kind: 'batch', size: 4 } as const } };
    const { e2e, throughput, tpot } = estimate(batch);
    expect(throughput.requestsPerSecond).toBeCloseTo(4 / e2e.seconds, 8);
    expect(throughput.outputTokensPerSecond).toBeCloseTo((4 * 11) / e2e.seconds, 6);
    expect(throughput.totalTokensPerSecond).toBeCloseTo((4 * 1011) / e2e.seconds, 6);
    expect(throughput.tokensPerSecondPerUser).toBeCloseTo(1 / tpot.seconds, 8);
  });

  it('counts devices of all ranks, stages, groups and replicas', () => {
    const deep = { ...toyModel, layers: toyModel.layers.map((layer) => ({ ...layer, count: 4 })) };
    const parallelism = ranks({ tensor: 2, pipeline: 2, data: 3, replicas: 2 });
    const { load } = estimate({ ...ideal, deployment: toyDeployment({ model: deep, parallelism }) });
    expect(load.devices).toBe(24);
  });

  it('keeps the clocks of what does not fit, and says so', () => {
    const small = { ...hardware, memory: { ...hardware.memory, capacity: 20e6 } };
    const { memory, warnings, tpot } = estimate({ ...ideal, deployment: toyDeployment({ hardware: small }) });
    expect(memory.fits).toBe(false);
    // 28e6 of weights and 1011 tokens of 4000 bytes, beside the workspace.
    expect(memory.shortBy).toBeCloseTo(28e6 + 1011 * 4000 + memory.workspace - 20e6, 3);
    expect(warnings[0]).toMatch(/^does not fit: each device is short of /);
    expect(tpot.seconds).toBeCloseTo(30.022e-6, 14);
  });

  it('warns of a context beyond what the model was made for', () => {
    const short = { ...toyModel, contextLimit: 1000 };
    const { warnings } = estimate({ ...ideal, deployment: toyDeployment({ hardware, model: short }) });
    expect(warnings).toContain('prompt + output is 1011 tokens, more than the 1000 that Toy 13M was made for.');
  });

  it('warns of an arrival rate that the deployment cannot serve', () => {
    const release = toyRelease({ scheduling: { maxSequences: limit(1) } });
    const asked = toyWorkload({ load: { kind: 'rate', requestsPerSecond: 1e6 } });
    const { load, warnings } = estimate({ deployment: toyDeployment({ release }), workload: asked, grade: 'typical' });
    expect(load.stability?.verdict).toBe('unstable');
    expect(warnings[0]).toMatch(/^unstable: more requests arrive than leave/);
  });

  it.each([
    ['a prompt of nothing', { prompt: 0 }, 'workload.prompt is 0; expected a whole number of at least 1.'],
    ['half a token', { output: 1.5 }, 'workload.output is 1.5; expected a whole number of at least 1.'],
    ['NaN', { prompt: NaN }, 'workload.prompt is NaN; expected a whole number of at least 1.'],
    [
      'a prompt that is cached to the end',
      { cached: 1000 },
      'workload.cached is 1000; expected fewer than workload.prompt = 1000, as at least one token has to be computed.',
    ],
  ])('refuses %s', (_, changes, message) => {
    expect(() => estimate({ ...ideal, workload: { ...workload, ...changes } })).toThrow(message);
  });
});

describe('explain', () => {
  it('takes the same steps apart', () => {
    const { ttft, tpot } = estimate(ideal);
    const [prefill, decode] = explain(ideal);
    expect(prefill.steps * prefill.seconds).toBeCloseTo(ttft.seconds, 14);
    expect(decode.seconds).toBeCloseTo(tpot.seconds, 14);
    const sum = decode.operators.reduce((all, { seconds }) => all + seconds, decode.engineSeconds);
    expect(sum).toBeCloseTo(decode.seconds, 14);
  });

  it('counts FLOP and bytes of the step', () => {
    const [prefill, decode] = explain(ideal);
    const total = (count: 'flops' | 'weightBytes' | 'keyValueBytes', { operators }: typeof decode): number =>
      operators.reduce((all, each) => all + each[count], 0);
    expect(total('flops', prefill)).toBeCloseTo(24e9 + 2e9 + 2e6, 0);
    expect(total('weightBytes', decode)).toBe(26e6);
    expect(total('keyValueBytes', decode)).toBe(1005.5 * 4000);
  });

  it('reads the table that the estimate reads', () => {
    const { table } = compile(ideal.deployment, 'ideal');
    const [prefill] = explain(ideal);
    expect(prefill.operators.every(({ name }) => table.operators.some((each) => each.name === name))).toBe(true);
  });
});
