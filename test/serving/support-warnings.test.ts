import { describe, expect, it } from 'vitest';
import { bundledEngine, bundledNames } from '../../src/catalog/bundled.ts';
import { scenarioOf } from '../../src/catalog/scenario.ts';
import { architectures } from '../../src/profile/lint/architectures.ts';
import { formatFamily } from '../../src/quantity/format-family.ts';
import { supportWarnings } from '../../src/serving/support-warnings.ts';

async function warningsOf(engine: string, hardware: string, weights?: string): Promise<readonly string[]> {
  const precision = weights === undefined ? {} : { weights };
  const words = { model: 'llama-3.1-8b', hardware, engine, precision, prompt: 100, output: 10 };
  return supportWarnings((await scenarioOf(words)).deployment);
}

describe('engines on devices', () => {
  it.each([
    ['trt-llm', 'mi300x'],
    ['trt-llm', 'apple-m4-max-40c'],
    ['trt-llm', 'v100-sxm2-32gb'],
    ['llama.cpp', 'tpu-v6e'],
    ['llama.cpp', 'gaudi3'],
    ['ollama', 'trn2'],
    ['mlx', 'mi300x'],
    ['sglang', 'gaudi2'],
    ['vllm', 'tesla-p40'],
    ['lmdeploy', 'mi325x'],
    ['neuron', 'h100'],
  ])('%s is not known to run on %s', async (engine, hardware) => {
    const [warning = '', ...others] = await warningsOf(engine, hardware);
    expect(warning).toMatch(
      / is not known to run on .*; its documents name .* \(.+, read \d{4}-\d\d-\d\d\)\. The figures/,
    );
    expect(others).toEqual([]);
  });

  it.each([
    ['vllm', 'apple-m4-max-40c', 'vLLM-Metal, a community plug-in'],
    ['vllm', 'tpu-v6e', 'the plug-in tpu-inference'],
    ['vllm', 'gaudi3', 'the plug-in vllm-gaudi'],
    ['mlx', 'rtx-4090', "MLX's CUDA backend"],
  ])('%s runs on %s with %s', async (engine, hardware, through) => {
    expect(await warningsOf(engine, hardware)).toEqual([expect.stringContaining(`only with ${through};`)]);
  });

  it.each([
    ['vllm', 'h100'],
    ['vllm', 'mi300x'],
    ['vllm', 'xeon-8480plus'],
    ['sglang', 'b200-sxm'],
    ['trt-llm', 'rtx-4090'],
    ['llama.cpp', 'apple-m1-7c'],
    ['llama.cpp', 'tesla-p40'],
    ['llama.cpp', 'ryzen-7950x'],
    ['mlx', 'apple-m2-ultra-76c'],
    ['optimum-habana', 'gaudi2'],
    ['transformers', 'tpu-v4'],
    ['none', 'groq-lpu'],
  ])('%s on %s is nothing to warn of', async (engine, hardware) => {
    expect(await warningsOf(engine, hardware)).toEqual([]);
  });
});

describe('engines and formats', () => {
  it.each([
    [
      'vllm',
      'h100',
      'q4_k_m',
      "gguf-q4_k_m weights: vLLM reads GGUF through a plug-in that its documents call 'highly",
    ],
    ['trt-llm', 'h100', 'q8_0', 'gguf-q8_0 weights: TensorRT-LLM does not list GGUF'],
    ['llama.cpp', 'rtx-4090', 'fp8', 'fp8 weights: llama.cpp reads GGUF files only'],
    ['ollama', 'rtx-4090', 'w4a16-awq', 'w4a16-awq weights: Ollama reads GGUF files only'],
  ])('%s on %s with %s', async (engine, hardware, weights, begin) => {
    expect(await warningsOf(engine, hardware, weights)).toEqual([expect.stringContaining(begin)]);
  });

  it.each([
    ['vllm', 'h100', 'fp8'],
    ['vllm', 'h100', 'w4a16'],
    ['llama.cpp', 'rtx-4090', 'q4_k_m'],
    ['llama.cpp', 'rtx-4090', 'mxfp4'],
    ['llama.cpp', 'rtx-4090', 'bf16'],
    ['mlx', 'apple-m2-ultra-76c', 'mlx-4bit'],
  ])('%s on %s with %s is nothing to warn of', async (engine, hardware, weights) => {
    expect(await warningsOf(engine, hardware, weights)).toEqual([]);
  });

  it('have a family each, but for plain ones', () => {
    expect(
      ['Q4_K_M', 'ud-q4_k_xl', 'mlx-4bit', 'exl2-4.0-bpw', 'fp8', 'awq', 'bf16', 'float32', 'fp9'].map(formatFamily),
    ).toEqual(['gguf', 'gguf', 'mlx', 'exllama', 'checkpoint', 'checkpoint', undefined, undefined, undefined]);
  });
});

describe('platforms of engine profiles', () => {
  it('name architectures that exist, each once, with source and date', async () => {
    const known = new Set<string>(architectures);
    for (const { name } of (await bundledNames()).engines) {
      const platforms = (await bundledEngine(name)).platforms ?? [];
      const named = platforms.flatMap((platform) => platform.architectures);
      expect(named.filter((each) => !known.has(each))).toEqual([]);
      expect(new Set(named).size).toBe(named.length);
      for (const { citation } of platforms) expect(citation.date).toMatch(/^\d{4}-/);
    }
  });
});
