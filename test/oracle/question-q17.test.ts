import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { promptWherePrefillComputes } from '../../src/whatif/break-even.ts';
import { changed, ideal, question } from '../support/what-if.ts';

// vllm-project/vllm#7635: Llama-3-8B on a V100, TTFT flat at about 100 ms below about 400 tokens. Reading 15 GB at 0.9 TB/s is
// 16.7 ms, the engine of the day about 16 ms of host time; computing 400 tokens 400 x 15 GFLOP / 125 TFLOP/s = 48 ms on paper,
// the ridge is at 16.7 ms x 125 TFLOP/s / 15 GFLOP = 139 tokens.

const asked = (prompt: number) =>
  question('llama-3-8b', 'v100-sxm2-32gb', 'vllm@0.5.4', { prompt, output: 2 }, { precision: { weights: 'fp16' } });

describe('Q17: a shorter prompt does not help below the ridge (vllm-project/vllm#7635)', () => {
  it('is at 100 ms with 400 tokens', () => {
    expect(estimate(asked(400)).ttft.seconds).toBeGreaterThan(0.09);
    expect(estimate(asked(400)).ttft.seconds).toBeLessThan(0.115);
  });

  it('has a floor of weights and overhead, and the prompt at which computing takes as much', () => {
    const typical = promptWherePrefillComputes(asked(400));
    expect(typical.value).toBeGreaterThan(150);
    expect(typical.value).toBeLessThan(400);
    const onPaper = promptWherePrefillComputes(ideal(asked(400)));
    expect(onPaper.value).toBeGreaterThan(120);
    expect(onPaper.value).toBeLessThan(170);
  });

  it('says so: below the ridge TTFT is on what any prompt pays', async () => {
    const { ttft } = await changed(asked(100), 'prompt=50');
    // Half the prompt saves an eighth. The thread saw a flat line up to 400 tokens, this is one up to about 100.
    expect(ttft.ratio).toBeGreaterThan(0.85);
    expect(ttft.bound.after).not.toBe('compute');
    const paper = await changed(ideal(asked(100)), 'prompt=50');
    expect(paper.ttft.ratio).toBeGreaterThan(0.99);
    expect(paper.moved).toBe('neither');
  });
});
