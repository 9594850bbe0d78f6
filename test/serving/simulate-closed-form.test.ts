import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClockSeconds } from '../../src/serving/clock-seconds.ts';
import type { CompiledDeployment } from '../../src/serving/compiled.ts';
import { openLoopClocks } from '../../src/serving/open-loop.ts';
import { largestStableRate } from '../../src/serving/simulate/capacity.ts';
import { simulate } from '../../src/serving/simulate/simulate.ts';
import type { SimulatedWorkload } from '../../src/serving/simulate/workload-spec.ts';
import { apart } from '../support/apart.ts';
import { shippedCompiled } from '../support/shipped.ts';
import { runs } from '../support/thorough.ts';

/*
 * Two ways to the same figures: the closed form for steady random arrivals, and the simulation of them. Tokenising is
 * left out of both: the closed form has none. Over 4,326 random scenarios up to 80 % of capacity (six models, four
 * devices, six engines, answers of 16 to 400 tokens, prompts of a tenth to ten times as many) TPOT and E2E agree within
 * 0.6 % in the median; up to 70 %
 * - engines that mix prompts and decodes (vLLM, TensorRT-LLM, LMDeploy, no engine): TTFT 7.6 %, TPOT and E2E 8.1 % at
 *   worst, prompts that meet and experts included;
 *   (but DeepSeek-R1 under TensorRT-LLM, which never cuts prompts: with two to four of 2,000 to 4,000 tokens a step TTFT
 *   is 4 % too long at half load, 6 % at 60 % and 17 % at 70 %);
 * - TGI, which lets decodes through between prompts: TTFT 22 %, the others 14 %;
 * - SGLang, whose prompts come first: up to 50 %, TTFT 10 %, TPOT and E2E 18 %, as long as answers have 64 tokens and up
 *   to 300 requests run. Beyond, prompts hold decodes up until every place is taken, and a mean means little (E2E 25 %
 *   off, TTFT several times): `near saturation` in most cases.
 */
const bounds = {
  mixed: { ttft: 0.1, others: 0.1 },
  'trt-llm': { ttft: 0.2, others: 0.1 },
  tgi: { ttft: 0.25, others: 0.15 },
  sglang: { ttft: 0.25, others: 0.2 },
} as const;
const noTokenising = { turnstile: { request: 0, token: 0 } } as const;

const deployments = [
  ['llama-3.1-8b', 'h100-sxm5-80gb', 1],
  ['llama-3.1-8b', 'a100-sxm4-80gb', 1],
  ['llama-3.1-70b', 'h100-sxm5-80gb', 4],
  ['mixtral-8x7b', 'h100-sxm5-80gb', 2],
  ['qwen3-30b-a3b', 'h100-sxm5-80gb', 1],
  ['deepseek-r1', 'h200-sxm-141gb', 8],
] as const;

function deployed(index: number, engine: string): CompiledDeployment {
  const [model, device, tensor] = deployments[index] ?? deployments[0];
  return shippedCompiled(model, device, engine, tensor);
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
        fc.integer({ min: 0, max: deployments.length - 1 }),
        fc.constantFrom('vllm', 'trt-llm', 'none', 'lmdeploy', 'tgi', 'sglang'),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        fc.integer({ min: 16, max: 400 }),
        fc.double({ min: 0.05, max: 0.7, noNaN: true }),
        (index, engine, times, drawn, share) => {
          const output = engine === 'sglang' ? Math.max(64, drawn) : drawn;
          const prompt = Math.max(1, Math.round(times * output));
          const deployment = deployed(index, engine);
          const clocks = newClockSeconds();
          const { largestRate } = openLoopClocks(deployment, 1e-9, prompt, 0, output, clocks);
          const rate = share * largestRate;
          const { verdict } = openLoopClocks(deployment, rate, prompt, 0, output, clocks);
          if (verdict !== 'stable' || (engine === 'sglang' && (clocks.running > 300 || share > 0.5))) return;
          // Long enough that every place is taken and left many times.
          const requests = Math.round(Math.max(4000, 40 * clocks.running));
          const given = { ...workload(prompt, output, requests), arrivals: { kind: 'poisson', rate } as const };
          const { ttft, tpot, e2e } = simulate(deployment, given, 1, noTokenising);
          const whole = clocks.ttftSeconds + (output - 1) * clocks.tpotSeconds;
          const bound = engine === 'vllm' || engine === 'none' || engine === 'lmdeploy' ? bounds.mixed : bounds[engine];
          expect(apart(clocks.ttftSeconds, ttft)).toBeLessThan(bound.ttft);
          expect(apart(clocks.tpotSeconds, tpot)).toBeLessThan(bound.others);
          expect(apart(whole, e2e)).toBeLessThan(bound.others);
        },
      ),
      runs(25),
    );
  });

  /*
   * 70B on four H100, prompts of 19 tokens and answers of 64, several prompts in every step: a closed form that lets
   * them wait one by one is three times too long here. And experts with two or three sequences running: a request sees
   * itself beside the mean number of others, and experts touched are not linear in that number.
   */
  it.each([
    [2, 'trt-llm', 19, 64, 0.6],
    [2, 'vllm', 13, 64, 0.6],
    [3, 'vllm', 4000, 400, 0.1],
    [3, 'none', 640, 64, 0.1],
  ] as const)(
    'agree where they used to part: deployment %d, %s, %d to %d tokens',
    (index, engine, prompt, output, share) => {
      const deployment = deployed(index, engine);
      const clocks = newClockSeconds();
      const { largestRate } = openLoopClocks(deployment, 1e-9, prompt, 0, output, clocks);
      const rate = share * largestRate;
      openLoopClocks(deployment, rate, prompt, 0, output, clocks);
      const given = { ...workload(prompt, output, 6000), arrivals: { kind: 'poisson', rate } as const };
      const { ttft, tpot } = simulate(deployment, given, 1, noTokenising);
      expect(apart(clocks.ttftSeconds, ttft)).toBeLessThan(0.05);
      expect(apart(clocks.tpotSeconds, tpot)).toBeLessThan(0.05);
    },
  );

  /*
   * Near capacity an engine that reserves no output is of two minds: it runs well until its KV cache is full, and a
   * tenth worse from then on, when requests are computed twice. Seeds 1 to 3 find 1 to 2 % less than the closed form.
   */
  it('find the same capacity of an 8B model on one H100, within 3 %', () => {
    const deployment = deployed(0, 'vllm');
    const { largestRate } = openLoopClocks(deployment, 0.001, 500, 0, 250, newClockSeconds());
    const found = largestStableRate(deployment, workload(500, 250, 20_000), 2 * largestRate, 2);
    expect(Math.abs(found / largestRate - 1)).toBeLessThan(0.03);
  });
});
