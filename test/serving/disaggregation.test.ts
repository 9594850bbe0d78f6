import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import type { Disaggregation } from '../../src/profile/scenario.ts';
import type { Load } from '../../src/profile/workload.ts';
import { evenlySpread } from '../../src/serving/queueing.ts';
import { exposedTransfer } from '../../src/serving/transfer.ts';
import { resources } from '../../src/roofline/resource.ts';
import { toyDeployment, toyScenario, toyWorkload } from '../support/toy.ts';
import { question, ranks } from '../support/what-if.ts';

// Toy, prompt 100: 100 x 4 kB = 400 kB of KV; over a wire of 1 GB/s, of which 0.8 are reached, 0.5 ms before the first token.

const wire = { name: 'wire', bandwidth: 1e9 };
const split = (load: Load, groups: Partial<Disaggregation> = {}) => {
  const disaggregation = { prefill: 1, decode: 1, link: wire, ...groups };
  const replicas = disaggregation.prefill + disaggregation.decode;
  return toyScenario({
    grade: 'typical',
    workload: toyWorkload({ load }),
    deployment: toyDeployment({ disaggregation, parallelism: ranks({ replicas }) }),
  });
};
/** With a token budget of one prompt: a step computes no more. */
const oneAtATime = (load: Load) => {
  const scenario = split(load);
  const { release } = scenario.deployment;
  const tokenBudget = [{ memory: 0, except: [], value: scenario.workload.prompt }];
  const scheduling = { ...release.scheduling, tokenBudget };
  return { ...scenario, deployment: { ...scenario.deployment, release: { ...release, scheduling } } };
};
const whole = (load: Load) => toyScenario({ grade: 'typical', workload: toyWorkload({ load }) });
const one: Load = { kind: 'concurrency', size: 1 };

describe('disaggregation', () => {
  it('of a request alone adds the way of its KV cache, and nothing else', () => {
    const [together, apart] = [estimate(whole(one)), estimate(split(one))];
    expect(apart.ttft.breakdown.network).toBeCloseTo(0.5e-3, 12);
    expect(apart.ttft.seconds - together.ttft.seconds).toBeCloseTo(0.5e-3, 9);
    expect(apart.tpot.seconds).toBeCloseTo(together.tpot.seconds, 9);
  });

  it('has breakdowns that add up, and elasticities that sum to 1', () => {
    const loads: readonly Load[] = [
      one,
      { kind: 'batch', size: 8 },
      { kind: 'concurrency', size: 50 },
      { kind: 'rate', requestsPerSecond: 100 },
    ];
    for (const load of loads) {
      const { ttft, tpot } = estimate(split(load, { decode: 2 }));
      for (const clock of [ttft, tpot]) {
        const sum = resources.reduce((all, resource) => all + clock.breakdown[resource], 0);
        expect(sum / clock.seconds).toBeCloseTo(1, 12);
        expect(resources.reduce((all, resource) => all + clock.elasticity[resource], 0)).toBeCloseTo(1, 9);
      }
    }
  });

  it('keeps as many requests in flight as there are', () => {
    for (const size of [1, 4, 40, 400]) {
      const { throughput, e2e, load } = estimate(split({ kind: 'concurrency', size }));
      expect(throughput.requestsPerSecond * e2e.seconds).toBeCloseTo(size, 6);
      expect(load.running + load.waiting).toBeCloseTo(size, 6);
    }
  });

  it('is unstable once one side cannot keep up, and says at which rate', () => {
    const { load } = estimate(oneAtATime({ kind: 'rate', requestsPerSecond: 1e6 }));
    expect(load.stability?.verdict).toBe('unstable');
    const most = load.stability?.largestRate ?? 0;
    // One prefill group: the rate is that of its prefills.
    const service = estimate(whole(one)).ttft.seconds;
    expect(most * service).toBeCloseTo(1, 1);
    const below = estimate(oneAtATime({ kind: 'rate', requestsPerSecond: most * 0.5 }));
    expect(below.load.stability?.verdict).toBe('stable');
    // Half busy: waits 0.5 / (2 x 0.5) = half a prefill.
    expect(below.ttft.breakdown.queue / service).toBeCloseTo(0.5, 1);
    expect(estimate(oneAtATime({ kind: 'rate', requestsPerSecond: most * 0.95 })).load.stability?.verdict).toBe(
      'near saturation',
    );
  });

  it('takes prefills of others out of TPOT, which is what it is for', () => {
    const busy = { prompt: 4000, output: 300, load: { kind: 'concurrency', size: 64 } } as const;
    const plain = question('llama-3.1-70b', 'h100-sxm5-80gb', 'vllm', busy, {
      parallelism: ranks({ tensor: 4, replicas: 4 }),
    });
    const disaggregation = { prefill: 2, decode: 2, link: 'network' } as const;
    const apart = estimate({ ...plain, deployment: { ...plain.deployment, disaggregation } });
    expect(apart.tpot.seconds).toBeLessThan(estimate(plain).tpot.seconds);
    expect(apart.tpot.breakdown.compute).toBeLessThan(estimate(plain).tpot.breakdown.compute);
  });

  it('refuses groups that are not there and links that are not', () => {
    const wrong = split(one);
    const deployment = { ...wrong.deployment, parallelism: ranks({ replicas: 3 }) };
    expect(() => estimate({ ...wrong, deployment })).toThrow(
      'disaggregation has 1 prefill and 1 decode groups, but replicas x data is 3; expected their sum.',
    );
    const none = { ...wrong.deployment.hardware, host: { kind: 'none', bandwidth: 0 } };
    expect(() =>
      estimate({
        ...wrong,
        deployment: { ...wrong.deployment, hardware: none, disaggregation: { prefill: 1, decode: 1, link: 'host' } },
      }),
    ).toThrow('disaggregation.link is host, which Toy device does not have; expected network, or a name with a rate.');
  });
});

describe('what is left of a transfer when the prefill ends', () => {
  it.each([
    ['one chunk hides nothing', 0.3, 1, 1, 1, 0.3],
    ['a fast way shows the last chunk', 0.3, 1, 3, 1 / 3, 0.1],
    ['a slow one all but what passed since the first', 3, 1, 3, 1 / 3, 3 - 2 / 3],
    ['a short last chunk leaves little time for the one before', 0.3, 1, 2, 0.1, 0.3 - 0.1],
  ])('%s', (_, transfer, service, chunks, tail, expected) => {
    expect(exposedTransfer(transfer, service, chunks, tail)).toBeCloseTo(expected, 12);
  });
});

describe('an evenly filled server', () => {
  it('has as many others as chance where it is alone, and fewer by nearly one where it is one of many', () => {
    expect(evenlySpread(3, 1)).toBeCloseTo(3, 12);
    expect(evenlySpread(100, 4)).toBeCloseTo(100 - 3 / 4, 1);
    expect(evenlySpread(0.1, 8)).toBeLessThan(0.01);
  });
});

describe('offload', () => {
  it('reads what lies in host memory over the host link', () => {
    // Half of 26 MB at 10 GB/s on paper: 1.3 ms a step, next to 13 us for the other half and the KV cache.
    const { tpot, memory } = estimate(toyScenario({ deployment: toyDeployment({ offload: { weights: 0.5 } }) }));
    expect(tpot.breakdown['link-bandwidth']).toBeCloseTo(1.3e-3, 9);
    expect(tpot.breakdown['weight-bandwidth']).toBeCloseTo(13e-6, 9);
    // 28 MB with the input table.
    expect(memory.weights).toBe(14e6);
  });

  it('is refused where there is no link to cross', () => {
    const hardware = { ...toyScenario().deployment.hardware, host: { kind: 'none', bandwidth: 0 } };
    expect(() => estimate(toyScenario({ deployment: toyDeployment({ hardware, offload: { weights: 0.5 } }) }))).toThrow(
      "offload needs a link to host memory, and Toy device has none of its own: its memory is the host's.",
    );
  });
});
