import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { question } from '../support/what-if.ts';

// hahnyuan/LLM-Viewer#4: LLaMA-7B FP16, A100 SXM 80 GB, TensorRT-LLM, static batches; output tokens/s of the whole batch.
// bs32 128/2048: 1518 tok/s = 65,536 tokens in 43.2 s; first token of one prompt 16.1 ms at 128 and 120.5 ms at 2048.

const asked = (size: number, prompt: number, output: number) =>
  estimate(
    question('llama-1-7b', 'a100-sxm4-80gb', 'trt-llm@0.5.0', { prompt, output, load: { kind: 'batch', size } }),
  );

const rateOf = (size: number, prompt: number, output: number): number =>
  asked(size, prompt, output).throughput.outputTokensPerSecond;

describe('Q04: one set of constants for a table of throughput (hahnyuan/LLM-Viewer#4)', () => {
  it('explains the last three rows within 6 %, and so within 7 % of each other', () => {
    const ratios = [rateOf(32, 128, 2048) / 1518, rateOf(32, 2048, 128) / 547, rateOf(16, 2048, 2048) / 613];
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    expect(most / least).toBeLessThan(1.07);
    expect(least).toBeGreaterThan(0.94);
    expect(most).toBeLessThan(1.06);
  });

  it('is lower at the large batch of short answers', () => {
    const ratio = rateOf(256, 128, 128) / 5353;
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.05);
  });

  it('has the first token within 12 %', () => {
    expect(asked(1, 128, 2).ttft.seconds / 16.1e-3).toBeGreaterThan(0.88);
    expect(asked(1, 128, 2).ttft.seconds / 16.1e-3).toBeLessThan(1.12);
    expect(asked(1, 2048, 2).ttft.seconds / 120.5e-3).toBeGreaterThan(0.9);
    expect(asked(1, 2048, 2).ttft.seconds / 120.5e-3).toBeLessThan(1.1);
  });

  it('puts the first token of 2048 on FLOP/s and the rest on bandwidth', () => {
    const { bound } = asked(1, 2048, 128);
    expect(bound.ttft.resource).toBe('compute');
    expect(bound.tpot.resource).toBe('weight-bandwidth');
  });
});
