import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClockSeconds } from '../../src/serving/clock-seconds.ts';
import { openLoopClocks } from '../../src/serving/open-loop.ts';
import { oneSecondSteps } from '../support/one-second-steps.ts';
import { oneOfEachKind } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';
import { limit, ranks, toyRelease } from '../support/toy-parts.ts';

/*
 * Steps of one second, one of prefill and 8 of decode, four places: a request has a place for 9 s, so 4 / 9 of them
 * leave a second. At a rate r somebody is there with the chance b = 1 - exp(-9 r), and half a step is left of the one
 * under way. All four places are taken with the chance (9 r / 4)^(sqrt 10 - 1); then a place is free after
 * 1 / (2 (4/9 - r)).
 */
const release = toyRelease({ scheduling: { maxSequences: limit(4) } });
const largest = 4 / 9;
const waitOf = (rate: number): number =>
  -Math.expm1(-9 * rate) / 2 + ((9 * rate) / 4) ** (Math.sqrt(10) - 1) / (2 * (largest - rate));

function at(rate: number, replicas = 1): readonly [string, number, ReturnType<typeof newClockSeconds>] {
  const clocks = newClockSeconds();
  const routed = oneSecondSteps(release, ranks({ replicas }));
  const compiled = { ...routed, deployment: { ...routed.deployment, router: 'random' } } as const;
  const { verdict, largestRate } = openLoopClocks(compiled, rate, 100, 0, 9, clocks);
  return [verdict, largestRate, clocks];
}

describe('an open loop', () => {
  it('has a largest rate, above which the queue grows without end', () => {
    const [verdict, largestRate] = at(0.45);
    expect(verdict).toBe('unstable');
    expect(largestRate).toBeCloseTo(largest, 10);
  });

  it('is near saturation above nine tenths of it', () => {
    expect(at(0.39)[0]).toBe('stable');
    expect(at(0.41)[0]).toBe('near saturation');
  });

  it.each([0.01, 0.1, 0.3])('waits for the step under way and for a place, at %d requests/s', (rate) => {
    const [, , clocks] = at(rate);
    expect(clocks.ttftSeconds).toBeCloseTo(1 + waitOf(rate), 8);
    expect(clocks.tpotSeconds).toBeCloseTo(1, 12);
  });

  it('has as many in flight as arrive in a residence', () => {
    const [, , clocks] = at(0.3);
    expect(clocks.running + clocks.waiting).toBeCloseTo(0.3 * (clocks.ttftSeconds + 8 * clocks.tpotSeconds), 8);
  });

  it('is split at random over replicas', () => {
    expect(at(0.8, 2)[1]).toBeCloseTo(2 * largest, 10);
    expect(at(0.2, 2)[2].ttftSeconds).toBeCloseTo(at(0.1)[2].ttftSeconds, 12);
  });
});

const compiled = oneOfEachKind();

const request = fc.record({
  which: fc.integer({ min: 0, max: compiled.length - 1 }),
  prompt: fc.integer({ min: 1, max: 20_000 }),
  output: fc.integer({ min: 8, max: 1000 }),
  share: fc.double({ min: 0.01, max: 0.85, noNaN: true }),
});

describe('an open loop of any deployment', () => {
  it('has parts that add up to the clocks, and shares that add up to one', () => {
    fc.assert(
      fc.property(request, ({ which, prompt, output, share }) => {
        const deployment = compiled[which];
        if (deployment === undefined) return;
        const clocks = newClockSeconds();
        const { largestRate } = openLoopClocks(deployment, 1e-9, prompt, 0, output, clocks);
        openLoopClocks(deployment, share * largestRate, prompt, 0, output, clocks);
        const { ttft, ttftRates, tpot, tpotRates, ttftSeconds, tpotSeconds } = clocks;
        for (const [parts, seconds] of [
          [ttft, ttftSeconds],
          [ttftRates, ttftSeconds],
          [tpot, tpotSeconds],
          [tpotRates, tpotSeconds],
        ] as const) {
          expect(parts.every((part) => part >= 0)).toBe(true);
          expect(parts.reduce((sum, part) => sum + part, 0) / seconds).toBeCloseTo(1, 9);
        }
      }),
      runs(200),
    );
  });

  it('is not faster under more load', () => {
    fc.assert(
      fc.property(request, ({ which, prompt, output, share }) => {
        const deployment = compiled[which];
        if (deployment === undefined) return;
        const clocks = newClockSeconds();
        const { largestRate } = openLoopClocks(deployment, 1e-9, prompt, 0, output, clocks);
        const { verdict } = openLoopClocks(deployment, share * largestRate, prompt, 0, output, clocks);
        // Where every place is taken a full engine no longer puts prompts first: another regime.
        if (verdict !== 'stable') return;
        const { ttftSeconds, tpotSeconds } = clocks;
        openLoopClocks(deployment, 0.9 * share * largestRate, prompt, 0, output, clocks);
        expect(clocks.ttftSeconds).toBeLessThanOrEqual(ttftSeconds * (1 + 1e-6));
        expect(clocks.tpotSeconds).toBeLessThanOrEqual(tpotSeconds * (1 + 1e-6));
      }),
      runs(200),
    );
  });

  it('is the unloaded system where next to nobody comes', () => {
    for (const deployment of compiled) {
      const engine = deployment.deployment.engine.name;
      const clocks = newClockSeconds();
      openLoopClocks(deployment, 1e-12, 1000, 0, 100, clocks);
      const { ttftSeconds, tpotSeconds } = clocks;
      expect(clocks.running, engine).toBeLessThan(1e-6);
      openLoopClocks(deployment, 1e-12, 1000, 0, 1000, clocks);
      expect(clocks.ttftSeconds, engine).toBeCloseTo(ttftSeconds, 8);
      expect(tpotSeconds).toBeGreaterThan(0);
    }
  });
});
