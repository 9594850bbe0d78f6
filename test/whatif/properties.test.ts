import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samplings } from '../../src/profile/sampling.ts';
import type { Scenario } from '../../src/profile/scenario.ts';
import { resources } from '../../src/roofline/resource.ts';
import { compile } from '../../src/serving/compiled.ts';
import { elasticitiesOf } from '../../src/whatif/elasticity.ts';
import { applyLevers, independent, inverseOf, type Lever, whyNot } from '../../src/whatif/lever.ts';
import { disaggregationLever } from '../../src/whatif/levers/disaggregation.ts';
import { engineLever, graphsLever, sequencesLever, tokenBudgetLever } from '../../src/whatif/levers/engine.ts';
import { factorLever, fields } from '../../src/whatif/levers/field.ts';
import { hardwareLever } from '../../src/whatif/levers/hardware.ts';
import { lengthLever, loadLever } from '../../src/whatif/levers/load.ts';
import { offloadLever } from '../../src/whatif/levers/offload.ts';
import { devicesLever, ranksLever } from '../../src/whatif/levers/parallelism.ts';
import { powerLever } from '../../src/whatif/levers/power.ts';
import { precisionLever } from '../../src/whatif/levers/precision.ts';
import { cachedLever, hitRateLever } from '../../src/whatif/levers/prefix-cache.ts';
import { samplingLever } from '../../src/whatif/levers/sampling.ts';
import { noSpeculation, speculationLever } from '../../src/whatif/levers/speculation.ts';
import { quickOutcome } from '../../src/whatif/quick-outcome.ts';
import { waterfall } from '../../src/whatif/waterfall.ts';
import { batchLoad, concurrencyLoad, gain, hardware, load, scenario } from '../support/arbitrary.ts';
import { shippedEngine } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';

// Two levers x 1/2 each in either order leave 1/4; undoing the second leaves 1/2, undoing the first leaves 1.

const share = fc.double({ min: 0, max: 1, noNaN: true });
const tokens = fc.integer({ min: 1, max: 20_000 });

const field = fc.constantFrom(...fields);

const lever: fc.Arbitrary<Lever> = fc.oneof(
  hardware.map(hardwareLever),
  fc.constantFrom('vllm', 'sglang', 'trt-llm', 'llama.cpp', 'transformers').map((name) => {
    const engine = shippedEngine(name);
    const [release] = engine.releases;
    if (release === undefined) throw new Error('an engine needs a release');
    return engineLever(engine, release);
  }),
  fc.boolean().map(graphsLever),
  fc.constantFrom(...samplings).map(samplingLever),
  tokens.map(tokenBudgetLever),
  tokens.map(sequencesLever),
  fc
    .tuple(fc.constantFrom('tp', 'pp', 'dp', 'ep', 'replicas'), fc.constantFrom(1, 2, 4))
    .map(([name, ranks]) => ranksLever(name, ranks)),
  fc.constantFrom(2, 4, 8).map(devicesLever),
  fc.constantFrom('fp8', 'bf16', 'w4a16-awq', 'q4_k_m').map((format) => precisionLever('weights', format)),
  fc.constantFrom('fp8', 'bf16').map((format) => precisionLever('kv', format)),
  load.map(loadLever),
  fc.tuple(fc.constantFrom('prompt', 'output'), tokens).map(([name, length]) => lengthLever(name, length)),
  tokens.map(cachedLever),
  share.map(hitRateLever),
  fc
    .record({ method: fc.constantFrom('eagle', 'ngram'), tokens: fc.integer({ min: 1, max: 8 }), acceptance: share })
    .map(speculationLever),
  fc.constant(noSpeculation),
  fc
    .record({ prefill: fc.integer({ min: 1, max: 4 }), decode: fc.integer({ min: 1, max: 4 }) })
    .map((groups) => disaggregationLever({ ...groups, link: 'network' })),
  fc.integer({ min: 40, max: 1000 }).map(powerLever),
  fc.record({ weights: share, keyValue: share }).map(offloadLever),
  fc.tuple(field, gain).map(([of, factor]) => factorLever(of, factor)),
);

const applied = (levers: readonly Lever[], to: Scenario): Scenario | undefined =>
  whyNot(levers, to) === undefined ? applyLevers(levers, to) : undefined;

describe('levers', () => {
  it('are undone by their inverse, to the last bit', () => {
    fc.assert(
      fc.property(scenario(), fc.array(lever, { minLength: 1, maxLength: 3 }), (drawn, levers) => {
        const changed = applied(levers, drawn);
        fc.pre(changed !== undefined);
        expect(inverseOf(levers, drawn).change(changed)).toEqual(drawn);
      }),
      runs(300),
    );
  });

  it('that are independent give the same scenario in either order', () => {
    fc.assert(
      fc.property(scenario(), lever, lever, (drawn, one, other) => {
        fc.pre(independent(one, other));
        const [first, second] = [applied([one, other], drawn), applied([other, one], drawn)];
        expect(first === undefined).toBe(second === undefined);
        fc.pre(first !== undefined);
        expect(first).toEqual(second);
      }),
      runs(400),
    );
  });

  it('are independent of nothing that writes the same part', () => {
    fc.assert(
      fc.property(lever, (one) => {
        expect(independent(one, one)).toBe(false);
      }),
      runs(50),
    );
  });

  it('of FLOP/s alone never move an ideal TPOT that is on bandwidth', () => {
    const [, , compute] = fields;
    if (compute === undefined) throw new Error('the peaks are a field');
    expect(compute.path).toBe('hardware.compute');
    fc.assert(
      fc.property(scenario(fc.oneof(batchLoad, concurrencyLoad)), gain, (drawn, factor) => {
        const asked: Scenario = { ...drawn, grade: 'ideal' };
        const compiled = compile(asked.deployment, 'ideal');
        const flops = elasticitiesOf(asked, compiled).rows.find(({ cause }) => cause === 'flops');
        fc.pre(flops !== undefined && Math.abs(flops.effects.tpot) < 1e-15);
        const faster = applied([factorLever(compute, factor)], asked);
        fc.pre(faster !== undefined);
        expect(quickOutcome(faster).tpot).toBe(quickOutcome(asked).tpot);
      }),
      runs(150),
    );
  });
});

describe('elasticities', () => {
  it('sum to 1 over rates and overheads of every clock, and to -1 for throughput', () => {
    fc.assert(
      fc.property(scenario(fc.oneof(batchLoad, concurrencyLoad)), (drawn) => {
        const { totals } = elasticitiesOf(drawn, compile(drawn.deployment, drawn.grade));
        for (const clock of ['ttft', 'tpot', 'e2e'] as const) expect(Math.abs(totals[clock] - 1)).toBeLessThan(1e-5);
        expect(Math.abs(totals.throughput + 1)).toBeLessThan(1e-5);
      }),
      runs(100),
    );
  });

  it('of single overheads, by difference, add up to that of the attribution', () => {
    const overhead = resources.indexOf('overhead');
    expect(overhead).toBe(6);
    fc.assert(
      fc.property(scenario(fc.oneof(batchLoad, concurrencyLoad)), (drawn) => {
        const compiled = compile(drawn.deployment, drawn.grade);
        const { rows } = elasticitiesOf(drawn, compiled);
        const sum = rows
          .filter(({ cause }) => cause.startsWith('overhead.'))
          .reduce((all, { effects }) => all + effects.tpot, 0);
        const exact = rows
          .filter(({ method }) => method === 'exact')
          .reduce((all, { cause, effects }) => all + (cause === 'link-latency' ? effects.tpot : -effects.tpot), 0);
        expect(Math.abs(sum + exact - 1)).toBeLessThan(1e-5);
      }),
      runs(60),
    );
  });
});

describe('waterfall', () => {
  it('adds up to the whole change, step by step and order-free', () => {
    fc.assert(
      fc.property(
        scenario(fc.oneof(batchLoad, concurrencyLoad)),
        fc.array(lever, { minLength: 1, maxLength: 4 }),
        (drawn, levers) => {
          fc.pre(levers.every((_, index) => whyNot(levers.slice(0, index + 1), drawn) === undefined));
          fc.pre(stepsApply(levers, drawn));
          const { base, end, steps, orderFree } = waterfall(drawn, levers);
          for (const clock of ['ttft', 'tpot', 'e2e'] as const) {
            const whole = end[clock] - base[clock];
            const size = Math.max(base[clock], end[clock], ...steps.map(({ after }) => after[clock]));
            const sum = steps.reduce((all, { added }) => all + added[clock], 0);
            expect(Math.abs(sum - whole)).toBeLessThan(1e-9 * size);
            if (orderFree === undefined) continue;
            const free = orderFree.reduce((all, { added }) => all + added[clock], 0);
            expect(Math.abs(free - whole)).toBeLessThan(1e-6 * size);
          }
        },
      ),
      runs(60),
    );
  });
});

/** Each step on its own has to be possible, where one change of all levers need not. */
function stepsApply(levers: readonly Lever[], scenarioBefore: Scenario): boolean {
  let at: Scenario | undefined = scenarioBefore;
  for (const each of levers) {
    at = at === undefined ? undefined : applied([each], at);
  }
  return at !== undefined;
}
