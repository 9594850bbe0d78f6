import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClockSeconds } from '../../src/serving/clock-seconds.ts';
import { compile, type CompiledDeployment } from '../../src/serving/compiled.ts';
import { openLoopClocks } from '../../src/serving/open-loop.ts';
import { largestStableRate } from '../../src/serving/simulate/capacity.ts';
import { simulate } from '../../src/serving/simulate/simulate.ts';
import type { SimulatedWorkload } from '../../src/serving/simulate/workload-spec.ts';
import { shippedDeployment } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';

/*
 * Two ways to the same figures: the closed form for steady random arrivals, and the simulation of them. They agree
 * where both apply: steady, up to 60 % of capacity, answers of at least 64 tokens and a tenth of the prompt
 * (the closed form smooths steps that shorter answers see one by one), a prompt rarely meets another (rate x TTFT alone
 * below 0.35), dense models: over a grid of 432 scenarios TPOT and E2E are within 11 %. Known to part, and bounded so
 * that it gets no worse:
 * - experts with two or three sequences running: TPOT up to 18 % too short, cause not established;
 * - prompts that meet: the closed form lets them wait one by one, where an engine takes all that arrive during a step
 *   into the next. TTFT up to three times too long (not compared), TPOT 23 % and E2E 32 % (TensorRT-LLM, 70B on four
 *   H100, 19 to 64 tokens).
 */
const apart = { ttft: 0.3, others: 0.12, withExperts: 0.2 } as const;
const meeting = 0.4;

const deployments = [
  ['llama-3.1-8b', 'h100-sxm5-80gb', 1],
  ['llama-3.1-8b', 'a100-sxm4-80gb', 1],
  ['llama-3.1-70b', 'h100-sxm5-80gb', 4],
  ['mixtral-8x7b', 'h100-sxm5-80gb', 2],
] as const;

const compiled = new Map<string, CompiledDeployment>();
function deployed(index: number, engine: string): CompiledDeployment {
  const key = `${index} ${engine}`;
  const [model, device, tensor] = deployments[index] ?? deployments[0];
  const parallelism = { tensor, pipeline: 1, data: 1, expert: 1, replicas: 1 };
  const found = compiled.get(key) ?? compile(shippedDeployment(model, device, engine, { parallelism }), 'typical');
  compiled.set(key, found);
  return found;
}

const workload = (prompt: number, output: number, requests: number): Omit<SimulatedWorkload, 'arrivals'> => ({
  prompt: { kind: 'fixed', tokens: prompt },
  output: { kind: 'fixed', tokens: output },
  requests,
  cached: 0,
  router: 'round-robin',
  objectives: {},
  warmUp: 'detect',
});

describe('closed form and simulation', () => {
  it('agree on steady random arrivals within the stated tolerance', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom('vllm', 'trt-llm', 'none'),
        fc.double({ min: 0.2, max: 10, noNaN: true }),
        fc.integer({ min: 64, max: 400 }),
        fc.double({ min: 0.1, max: 0.6, noNaN: true }),
        (index, engine, times, output, share) => {
          const prompt = Math.round(times * output);
          const deployment = deployed(index, engine);
          const clocks = newClockSeconds();
          const { largestRate } = openLoopClocks(deployment, 0.001, prompt, 0, output, clocks);
          const rate = share * largestRate;
          const meets = rate * clocks.ttftSeconds;
          openLoopClocks(deployment, rate, prompt, 0, output, clocks);
          const given = { ...workload(prompt, output, 2000), arrivals: { kind: 'poisson', rate } as const };
          const { ttft, tpot, e2e } = simulate(deployment, given, 1);
          const whole = clocks.ttftSeconds + (output - 1) * clocks.tpotSeconds;
          const experts = deployments[index]?.[0] === 'mixtral-8x7b';
          const close = experts ? apart.withExperts : apart.others;
          const bound = meets < 0.35 ? close : meeting;
          if (meets < 0.35) expect(Math.abs(clocks.ttftSeconds / (ttft?.mean ?? 0) - 1)).toBeLessThan(apart.ttft);
          expect(Math.abs(clocks.tpotSeconds / (tpot?.mean ?? 0) - 1)).toBeLessThan(bound);
          expect(Math.abs(whole / (e2e?.mean ?? 0) - 1)).toBeLessThan(bound);
        },
      ),
      runs(25),
    );
  });

  /*
   * Near capacity an engine that reserves no output is of two minds: it runs well until its KV cache is full, and 5 %
   * worse from then on, when requests are computed twice. Seeds 1 to 3 find 2 to 5 % more than the closed form.
   */
  it('find the same capacity of an 8B model on one H100, within 6 %', () => {
    const deployment = deployed(0, 'vllm');
    const { largestRate } = openLoopClocks(deployment, 0.001, 500, 0, 250, newClockSeconds());
    const found = largestStableRate(deployment, workload(500, 250, 20_000), 2 * largestRate, 2);
    expect(Math.abs(found / largestRate - 1)).toBeLessThan(0.06);
  });
});
