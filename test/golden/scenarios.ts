import { singleDevice, type Parallelism, type Scenario } from '../../src/profile/scenario.ts';
import type { Load } from '../../src/profile/workload.ts';
import { shippedDeployment } from '../support/shipped.ts';

/** One line of the table: what is asked, in the order model, device, engine, precision, ranks, lengths, load. */
type Line = readonly [
  model: string,
  device: string,
  engine: string,
  weights: string | undefined,
  parallelism: Partial<Parallelism>,
  lengths: readonly [prompt: number, output: number, cached: number],
  load: Load,
];

const batch = (size: number): Load => ({ kind: 'batch', size });
const users = (size: number): Load => ({ kind: 'concurrency', size });
const rate = (requestsPerSecond: number): Load => ({ kind: 'rate', requestsPerSecond });

const own = undefined;
const one = {};

const lines: readonly Line[] = [
  // One request on one device, of every vendor.
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'none', own, one, [1024, 128, 0], batch(1)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, one, [1024, 128, 0], batch(1)],
  ['llama-3.1-8b', 'a100-sxm4-80gb', 'vllm', own, one, [1024, 128, 0], batch(1)],
  ['llama-3.1-8b', 'mi300x', 'vllm', own, one, [1024, 128, 0], batch(1)],
  ['llama-3.1-8b', 'gaudi3', 'vllm', own, one, [1024, 128, 0], batch(1)],
  ['llama-3.1-8b', 'tpu-v5e', 'none', 'int8', one, [1024, 128, 0], batch(1)],
  ['llama-3.1-8b', 'l40s', 'trt-llm', 'fp8', one, [1024, 128, 0], batch(1)],
  ['llama-3.1-8b', 'rtx-4090', 'llama.cpp', 'q4_k_m', one, [512, 128, 0], batch(1)],
  ['llama-3.1-8b', 'rtx-3090', 'llama.cpp', 'fp16', one, [512, 128, 0], batch(1)],
  ['llama-3.1-8b', 'apple-m2-ultra-76c', 'llama.cpp', 'q4_k_m', one, [512, 128, 0], batch(1)],
  ['llama-3.1-8b', 'apple-m4-max-40c', 'mlx', 'mlx-q4-g64', one, [512, 128, 0], batch(1)],
  ['llama-3.1-8b', 'epyc-9654', 'llama.cpp', 'q4_k_m', one, [512, 128, 0], batch(1)],
  ['llama-3.1-8b', 't4', 'transformers', 'fp16', one, [512, 128, 0], batch(1)],
  // Batches and long contexts.
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, one, [512, 256, 0], batch(64)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, one, [100_000, 256, 0], batch(1)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, one, [100_000, 256, 99_000], batch(1)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'trt-llm', 'fp8', one, [2048, 128, 0], batch(32)],
  ['llama-3.1-8b', 'b200-sxm', 'trt-llm', 'nvfp4', one, [2048, 128, 0], batch(32)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', 'w4a16-awq', one, [512, 256, 0], batch(16)],
  // Ranks.
  ['llama-3.1-70b', 'h100-sxm5-80gb', 'vllm', own, { tensor: 4 }, [1024, 256, 0], batch(8)],
  ['llama-3.1-70b', 'h100-sxm5-80gb', 'vllm', 'fp8', { tensor: 8 }, [1024, 256, 0], batch(8)],
  ['llama-3.1-70b', 'h100-sxm5-80gb', 'vllm', own, { tensor: 2, pipeline: 2 }, [4096, 256, 0], batch(4)],
  ['llama-3.1-70b', 'a100-pcie-80gb', 'vllm', own, { tensor: 4 }, [1024, 256, 0], batch(8)],
  ['llama-3.1-70b', 'h100-sxm5-80gb', 'vllm', own, { tensor: 16 }, [1024, 256, 0], batch(8)],
  ['qwen3-32b', 'rtx-4090', 'vllm', 'w4a16-awq', { tensor: 2 }, [1024, 256, 0], batch(1)],
  // Mixtures of experts, latent attention, windows, states.
  ['mixtral-8x7b', 'h100-sxm5-80gb', 'vllm', own, { tensor: 2 }, [1024, 256, 0], batch(1)],
  ['mixtral-8x7b', 'h100-sxm5-80gb', 'vllm', own, { tensor: 2 }, [1024, 256, 0], users(64)],
  ['deepseek-v3', 'h200-sxm-141gb', 'sglang', own, { tensor: 8 }, [2048, 512, 0], users(32)],
  ['deepseek-v3', 'h200-sxm-141gb', 'sglang', own, { data: 8, expert: 8 }, [2048, 512, 0], users(256)],
  ['gpt-oss-120b', 'h100-sxm5-80gb', 'vllm', own, one, [1024, 1024, 0], users(16)],
  ['gpt-oss-120b', 'dgx-spark-gb10', 'llama.cpp', own, one, [2048, 32, 0], batch(1)],
  ['gemma-3-27b', 'h100-sxm5-80gb', 'vllm', own, one, [16_384, 256, 0], batch(1)],
  ['qwen3-next-80b-a3b', 'h100-sxm5-80gb', 'vllm', 'fp8', { tensor: 2 }, [4096, 256, 0], users(8)],
  ['deepseek-v4-flash', 'b200-sxm', 'vllm', own, { tensor: 4 }, [32_768, 256, 0], batch(1)],
  ['nemotron-3-nano-30b-a3b', 'h100-sxm5-80gb', 'vllm', own, one, [4096, 256, 0], batch(1)],
  ['llama-4-scout-17b-16e', 'h200-sxm-141gb', 'vllm', own, { tensor: 4 }, [16_384, 256, 0], batch(1)],
  // Loads.
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, one, [2000, 200, 0], users(16)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, one, [2000, 200, 0], users(1000)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'sglang', own, one, [2000, 200, 0], users(64)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, { replicas: 4 }, [500, 200, 0], rate(40)],
  ['llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', own, one, [500, 200, 0], rate(1000)],
  ['llama-3.1-8b', 'a100-sxm4-80gb', 'transformers', own, one, [500, 200, 0], batch(8)],
];

/** The scenarios by a name that says all of it. */
export const goldenScenarios: ReadonlyMap<string, Scenario> = new Map(
  lines.map((line) => [nameOf(line), scenarioOf(line)]),
);

function nameOf([model, device, engine, weights, ranks, [prompt, output, cached], load]: Line): string {
  const spread = Object.entries(ranks).map(([name, count]) => `${name} ${count}`);
  const asked = load.kind === 'rate' ? `rate ${load.requestsPerSecond}` : `${load.kind} ${load.size}`;
  const lengths = cached === 0 ? `${prompt} -> ${output}` : `${prompt} (${cached} cached) -> ${output}`;
  return [model, weights, `on ${device}`, engine, ...spread, lengths, asked].filter(Boolean).join(', ');
}

function scenarioOf([model, device, engine, weights, ranks, [prompt, output, cached], load]: Line): Scenario {
  return {
    deployment: shippedDeployment(model, device, engine, {
      precision: weights === undefined ? {} : { weights },
      parallelism: { ...singleDevice, ...ranks },
    }),
    workload: { prompt, output, cached, load },
    grade: 'typical',
  };
}
