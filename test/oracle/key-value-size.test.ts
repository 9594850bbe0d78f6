import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { shippedDeployment } from '../support/shipped.ts';

// KV of a token in BF16: layers x 2 x KV heads x head size x 2 bytes; latent attention layers x (512 + 64) x 2 bytes.
// DeepSeek-V3 with 61 layers: 70,272 bytes, Qwen2.5-72B 327,680, Llama-3.1-405B 516,096 (arXiv 2505.09343, table 1).

describe('KV cache of a token', () => {
  it.each([
    ['deepseek-v3', 70_272],
    ['qwen2.5-72b', 327_680],
    ['llama-3.1-405b', 516_096],
    ['llama-2-7b', 524_288],
    ['llama-3-8b', 131_072],
    ['mixtral-8x7b', 131_072],
  ])('of %s is %i bytes', (model, bytes) => {
    const { memory } = estimate({
      deployment: shippedDeployment(model, 'h100-sxm5-80gb', 'none', { precision: { keyValue: 'bf16' } }),
      workload: { prompt: 1000, output: 24, cached: 0, load: { kind: 'batch', size: 1 } },
      grade: 'ideal',
    });
    expect(memory.keyValuePerToken).toBe(bytes);
    expect(memory.keyValue).toBe(bytes * 1024);
  });
});
