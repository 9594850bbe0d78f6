import { describe, expect, it } from 'vitest';
import { compile } from '../../src/serving/compiled.ts';
import {
  contextWhereCacheEqualsWeights,
  hitRateForTtft,
  loadWhereBoundChanges,
  loadWhereLeverStops,
  priceWhereOtherWins,
  promptWherePrefillComputes,
  ranksWhereTpotTurns,
  replicasForRate,
} from '../../src/whatif/break-even.ts';
import { checkClaim } from '../../src/whatif/check-claim.ts';
import { elasticitiesOf } from '../../src/whatif/elasticity.ts';
import { inverseDesign } from '../../src/whatif/inverse-design.ts';
import { factorLever, findField } from '../../src/whatif/levers/field.ts';
import { hardwareLever } from '../../src/whatif/levers/hardware.ts';
import { precisionLever } from '../../src/whatif/levers/precision.ts';
import { quickOutcome } from '../../src/whatif/quick-outcome.ts';
import { waterfall } from '../../src/whatif/waterfall.ts';
import { shippedDevice } from '../support/shipped.ts';
import { toyDeployment, toyHardware, toyScenario, toyWorkload } from '../support/toy.ts';
import { question, ranks } from '../support/what-if.ts';

// Toy with 10 TFLOP/s: prefill 242 us of FLOPs and 2 us of reading the head, a decode step 26.42 us on 26 MB of weights and 4 kB of KV a token at 1 TB/s.

const fast = { ...toyHardware, matrix: { bf16: 1e13 } };
const asked = toyScenario({ deployment: toyDeployment({ hardware: fast }) });
const factor = (path: string, by: number) => {
  const field = findField(path);
  if (field === undefined) throw new Error(`no field ${path}`);
  return factorLever(field, by);
};

describe('break-even', () => {
  it('of the context where KV equals weights: 26 MB / 4 kB', () => {
    expect(contextWhereCacheEqualsWeights(asked).value).toBeCloseTo(26e6 / 4e3, -1);
  });

  it('of the prompt where prefill leaves its floor: 24 MB at 1 TB/s against 24 MFLOP a token at 10 TFLOP/s', () => {
    const { value } = promptWherePrefillComputes(asked);
    expect(value).toBeGreaterThan(9);
    expect(value).toBeLessThan(11);
  });

  it('of the batch where a step is on FLOP/s: ten tokens of 24 MFLOP at 10 TFLOP/s take as long as 24 MB at 1 TB/s', () => {
    const short = { ...asked, workload: toyWorkload({ prompt: 1, output: 2 }) };
    expect(loadWhereBoundChanges(short, 'tpot')).toEqual([{ size: 10, from: 'memory', to: 'compute' }]);
  });

  it('of the batch where weight-only quantisation stops helping', () => {
    const llama = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', { load: { kind: 'batch', size: 1 } });
    const { value, ends } = loadWhereLeverStops(llama, precisionLever('weights', 'int4'));
    expect(ends[0]).toBeLessThan(0);
    expect(ends[1]).toBeGreaterThan(0);
    const at = Math.round(value ?? 0);
    const tpot = (size: number, weights?: string): number =>
      quickOutcome({
        ...llama,
        deployment: { ...llama.deployment, precision: weights === undefined ? {} : { weights } },
        workload: { ...llama.workload, load: { kind: 'batch', size } },
      }).tpot;
    expect(tpot(at - 10, 'w4a16-awq')).toBeLessThan(tpot(at - 10));
    expect(tpot(at + 10, 'w4a16-awq')).toBeGreaterThan(tpot(at + 10));
  });

  it('of the ranks behind which TPOT turns up: the last within the links of a node', () => {
    const { best, curve } = ranksWhereTpotTurns(question('qwen3-32b', 'h100-sxm5-80gb', 'vllm', {}));
    expect(best).toBe(8);
    expect(curve.map(({ tensor }) => tensor)).toEqual([1, 2, 4, 8, 16, 32, 64]);
  });

  it('of the hit rate for a TTFT, which meets it', () => {
    const long = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', { prompt: 16_000 });
    const { value } = hitRateForTtft(long, 0.1);
    const cached = Math.round(16_000 * (value ?? 0));
    expect(quickOutcome({ ...long, workload: { ...long.workload, cached } }).ttft).toBeCloseTo(0.1, 4);
    expect(hitRateForTtft(long, 1e-3).value).toBeUndefined();
  });

  it('of replicas: none for a load that is no rate', () => {
    expect(replicasForRate(asked)).toBeUndefined();
  });

  it('of a price: half the tokens are worth half the price', () => {
    const prices = {
      name: 'test',
      date: '2026-01-01',
      notes: '',
      entries: [{ device: 'toy', cloud: [{ price: 2, scope: 'device', basis: '', source: '', provider: '' }] }],
    } as const;
    const slow = { ...fast, name: 'slow', memory: { ...fast.memory, bandwidth: 0.5e12 }, matrix: { bf16: 0.5e13 } };
    const found = priceWhereOtherWins(asked, hardwareLever(slow), prices);
    expect(found?.dollarsPerSecond).toBeCloseTo(1, 9);
    expect(found?.now).toBeUndefined();
  });
});

describe('elasticities of the toy', () => {
  it('are -1 for the rate that a clock is on, and 1 for a length that it grows with', () => {
    const { rows } = elasticitiesOf(asked, compile(asked.deployment, 'ideal'));
    const of = (cause: string) => rows.find((row) => row.cause === cause)?.effects;
    expect(of('flops')?.ttft).toBeCloseTo(-242 / 244, 12);
    expect(of('flops')?.tpot).toBeCloseTo(0, 12);
    expect(of('memory-bandwidth')?.tpot).toBeCloseTo(-1, 12);
    // A hundredth more of the prompt: 1 % more tokens and 2 % more of the 0.8 % that attention takes.
    expect(of('prompt')?.ttft).toBeCloseTo((1.008 * 242) / 244, 2);
    expect(of('load')?.throughput).toBeGreaterThan(0);
  });
});

describe('waterfall', () => {
  it('shares what two levers do together alike: 1 - 1/4 is 3/8 each, where steps give 1/2 and 1/4', () => {
    // TPOT of 26.42 us: twice the bandwidth leaves 13.21, twice of that again 6.6; each lever alone leaves half.
    const half = { ...fast, memory: { ...fast.memory, bandwidth: 1e12 } };
    const scenario = toyScenario({ deployment: toyDeployment({ hardware: half }) });
    const levers = [factor('hardware.memory.bandwidth', 2), precisionLever('weights', 'fp8')];
    const { base, end, steps, orderFree } = waterfall(scenario, levers);
    expect(steps[0]?.added.tpot).toBeCloseTo(-13.21e-6, 12);
    const whole = end.tpot - base.tpot;
    const [first, second] = orderFree ?? [];
    expect((first?.added.tpot ?? 0) + (second?.added.tpot ?? 0)).toBeCloseTo(whole, 15);
    const alone = waterfall(scenario, levers.toReversed()).steps[1]?.added.tpot ?? 0;
    expect(first?.added.tpot).toBeCloseTo((-13.21e-6 + alone) / 2, 15);
  });

  it('has no order-free shares where levers depend on each other, and says so', () => {
    const levers = [factor('hardware.memory.bandwidth', 2), factor('hardware.memory.bandwidth', 3)];
    const { orderFree, note, end } = waterfall(asked, levers);
    expect(orderFree).toBeUndefined();
    expect(note).toBe(
      "'hardware.memory.bandwidth=*2' and 'hardware.memory.bandwidth=*3' depend on each other, so that only their order gives each a share.",
    );
    expect(end.tpot).toBeCloseTo(26.42e-6 / 6, 12);
  });

  it('refuses more levers than have orders to weigh', () => {
    const levers = Array.from({ length: 11 }, () => factor('hardware.memory.bandwidth', 2));
    expect(() => waterfall(asked, levers)).toThrow(
      '11 levers have more orders than can be weighed; expected at most 10.',
    );
  });
});

describe('inverse design', () => {
  it('asks for the ratios of the targets: twice the FLOP/s and 1.25 times the bandwidth', () => {
    // The head then reads its 2 MB in 1.6 us.
    const targets = { ttft: 122.6e-6, tpot: 26.42e-6 / 1.25 };
    const { needed, has } = inverseDesign(asked, targets, []);
    expect((needed?.flops ?? 0) / has.flops).toBeCloseTo(2, 2);
    expect((needed?.bandwidth ?? 0) / has.bandwidth).toBeCloseTo(1.25, 2);
  });

  it('meets both targets with what it asks for, and misses one with less of either', () => {
    const scenario = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {
      prompt: 2000,
      load: { kind: 'concurrency', size: 8 },
    });
    const targets = { ttft: 0.06, tpot: 0.007 };
    const { needed, has } = inverseDesign(scenario, targets, []);
    const at = (flops: number, bandwidth: number) =>
      quickOutcome(
        [
          factor('hardware.compute', (flops * (needed?.flops ?? 0)) / has.flops),
          factor('hardware.memory.bandwidth', (bandwidth * (needed?.bandwidth ?? 0)) / has.bandwidth),
        ].reduce((changed, lever) => lever.change(changed), scenario),
      );
    const misses = ({ ttft, tpot }: { ttft: number; tpot: number }) =>
      ttft > targets.ttft * 1.0001 || tpot > targets.tpot * 1.0001;
    expect(misses(at(1, 1))).toBe(false);
    expect(misses(at(0.97, 1))).toBe(true);
    expect(misses(at(1, 0.97))).toBe(true);
  });

  it('names real devices that meet the targets, nearest first', () => {
    const scenario = question('llama-3.1-8b', 'l4', 'vllm', { prompt: 1000 });
    const devices = ['l4', 'a100-sxm4-80gb', 'h100-sxm5-80gb', 'b200-sxm'].map(shippedDevice);
    const { devices: found } = inverseDesign(scenario, { tpot: 0.012 }, devices);
    expect(found.filter(({ meets }) => meets).map(({ device }) => device)).toEqual([
      'a100-sxm4-80gb',
      'h100-sxm5-80gb',
      'b200-sxm',
    ]);
    expect(found.at(-1)?.meets).toBe(false);
  });

  it('says where no device would do', () => {
    const scenario = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {});
    const { needed, floor } = inverseDesign(scenario, { tpot: 1e-4 }, []);
    expect(needed).toBeUndefined();
    expect(floor.tpot).toBeGreaterThan(1e-4);
  });
});

describe('a claim', () => {
  const spark = question(
    'llama-3.1-70b',
    'dgx-spark-gb10',
    'llama.cpp',
    { prompt: 100 },
    { precision: { weights: 'w4a16-awq' } },
  );

  it('is impossible by a factor, with the inequality', () => {
    const [claim] = checkClaim(spark, { tpot: 1 / 82 });
    expect(claim?.verdict).toBe('impossible');
    expect(claim?.ofBound).toBeCloseTo(11.3, 1);
    expect(claim?.inequality).toMatch(/^TPOT 12\.2 ms < 138 ms = \(37\.7 GB weights \+ 0\.0\d+ GB KV\) \/ 273 GB\/s$/);
    expect(claim?.sentence).toBe(
      'Impossible by a factor of 11.33: TPOT of 12.2 ms is beyond the floor of the hardware.',
    );
  });

  it('needs speculation where several tokens a step would do it, unless it was said of one', () => {
    const [claim] = checkClaim(spark, { tpot: 0.1 });
    expect(claim?.verdict).toBe('needs speculation or caching');
    expect(claim?.sentence).toContain('only speculation that keeps at least 1.38 tokens a step explains it');
    expect(checkClaim(spark, { tpot: 0.1, plain: true })[0]?.verdict).toBe('impossible');
  });

  it('is possible, and usual or not', () => {
    expect(checkClaim(spark, { tpot: 0.19 })[0]).toMatchObject({ verdict: 'possible', plausibility: 'usual' });
    expect(checkClaim(spark, { tpot: 2 })[0]).toMatchObject({ verdict: 'possible', plausibility: 'slower than usual' });
  });

  it('of a throughput is held against the most that the load can give', () => {
    const busy = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', { load: { kind: 'concurrency', size: 64 } });
    const most = quickOutcome({ ...busy, grade: 'ideal' }).outputTokensPerSecond;
    const [claim] = checkClaim(busy, { outputTokensPerSecond: most * 10 });
    expect(claim).toMatchObject({ quantity: 'output tokens/s', verdict: 'impossible' });
    expect(checkClaim(busy, { outputTokensPerSecond: most / 3 })[0]?.verdict).toBe('possible');
  });

  it('of TTFT may be explained by a cache', () => {
    const tensor = question(
      'llama-3.1-70b',
      'h100-sxm5-80gb',
      'vllm',
      { prompt: 8000 },
      { parallelism: ranks({ tensor: 4 }) },
    );
    const [claim] = checkClaim(tensor, { ttft: 0.05 });
    expect(claim?.verdict).toBe('needs speculation or caching');
    expect(claim?.sentence).toMatch(/only a prefix cache that holds at least 8\d % of the prompt explains it/);
    expect(checkClaim(tensor, { ttft: 1e-6 })[0]?.verdict).toBe('impossible');
  });
});
