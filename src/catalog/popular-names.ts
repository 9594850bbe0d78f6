import type { ProfileKind } from './catalog-entry.ts';

const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/**
 * Profiles by how often public benchmarks name them, the most frequent first (count over the public measured rows of
 * this project, 2026-09). It only orders the candidates of an ambiguous name; what is not here comes after, by name.
 */
export const popularNames: Readonly<Record<ProfileKind, readonly string[]>> = {
  hardware: words(
    'h100-sxm5-80gb h200-sxm-141gb a100-sxm4-80gb b200-sxm strix-halo-395-8060s rtx-3090 l40s h100-nvl-94gb',
    'gh200-96gb l40 mi300x a100-sxm4-40gb b300-sxm radeon-ai-pro-r9700 rtx-4090 gb200 apple-m2-ultra-76c gaudi2 mi250',
    'rtx-a6000 dgx-spark-gb10 ryzen-7950x mi355x apple-m5-10c rtx-3090-ti a100-pcie-80gb h20 mi325x ascend-910b gb300',
    'apple-m2-max-30c inf2 rtx-pro-6000-blackwell-server rtx-4080 trn1 gaudi3 apple-m1-7c rtx-4000-ada h100-pcie-80gb',
    'tpu-v6e apple-m4-max-40c rtx-6000-ada trn2 h200-nvl-141gb apple-m3-ultra-60c rtx-5000-ada a40 tpu-v5e',
    'apple-m3-max-40c rx-9070-xt tpu-v7x rtx-5090 a10g apple-m1-max-32c xeon-spr-48c apple-m5-max-40c rtx-4070',
  ),
  models: words(
    'llama-2-70b llama-3-8b llama-3-70b llama-2-7b mistral-7b-v0.1 llama-3.1-70b falcon-180b gpt-oss-120b gpt-j-6b',
    'llama-3.1-8b deepseek-r1 llama-2-13b minimax-m2 qwen3-32b mixtral-8x7b gemma-4-12b llama-3.1-405b qwen3.6-27b',
    'qwen3.5-397b-a17b kimi-k2.5 gpt-oss-20b qwen3-235b-a22b qwen3-30b-a3b qwen3-14b qwen3.6-35b-a3b qwen3-8b',
    'gemma-3-27b qwen2-7b glm-5.2 llama-3.3-70b deepseek-v3.2 glm-4.7-flash deepseek-v4-flash glm-4.6',
    'deepseek-v2-lite llama-4-scout-17b-16e glm-4.5-air gemma-4-26b-a4b qwen3-4b mixtral-8x22b gemma-3-12b',
    'mistral-small-3.1-24b codellama-34b qwen2-72b qwen3.5-9b deepseek-v4-pro qwen3-next-80b-a3b gemma-3-4b qwen2.5-7b',
  ),
  engines: words('trt-llm vllm llama.cpp sglang transformers fastertransformer deepspeed neuron mlx lmdeploy'),
};
