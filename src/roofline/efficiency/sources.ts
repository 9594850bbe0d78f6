import type { Citation } from '../../profile/citation.ts';

const cite = (source: string, date: string | undefined, note: string): Citation =>
  Object.freeze(date === undefined ? { source, note } : { source, date, note });

/** Timings under CUDA graphs, kernels back to back: no launch cost of the host in them. */
export const aiconfigurator: Citation = cite(
  'ai-dynamo/aiconfigurator@095f58a aic-core/src/aiconfigurator_core/systems/data (Apache-2.0)',
  '2026-08',
  'operator timings of TensorRT-LLM 1.3.0rc20 and vLLM 0.24.0 (A100: 1.0.0 and 0.14.0; Arc Pro B60: vLLM 0.20.0), refitted',
);

export const vidur: Citation = cite(
  'microsoft/vidur, profiling data',
  undefined,
  'cuBLAS GEMM timings of A40, A100 and H100',
);

export const llmCompass: Citation = cite(
  'PrincetonUniversity/LLMCompass, artifact data',
  undefined,
  'GEMM, softmax, layer norm and GELU timings of A100 and MI210',
);

export const inferSim: Citation = cite(
  'alibaba/InferSim bench_data',
  undefined,
  'DeepGEMM, FlashInfer, FlashAttention-3 and FlashMLA timings of H20 and H800',
);

export const blis: Citation = cite(
  'inference-sim (BLIS) bench_data',
  undefined,
  'DeepGEMM, FlashInfer and FlashAttention-3 timings of H100',
);

export const llamaBench: Citation = cite(
  'XiongjieDai/GPU-Benchmarks-on-LLM-Inference@aa72e0ec',
  '2024-05',
  'llama-bench b2795-b2843, Llama 3 8B in F16 and Q4_K_M: decode rate over weight bytes, prefill rate over 2 FLOP a weight',
);

export const llamaCppM2Ultra: Citation = cite(
  'ggml-org/llama.cpp benches/mac-m2-ultra (MIT)',
  undefined,
  'llama-bench b7948 of M2 Ultra',
);

export const argonne: Citation = cite(
  'argonne-lcf/LLM-Inference-Bench, Plots/All_results.csv',
  undefined,
  'vLLM on MI250, static batches of 7B and 8B models on 2, 4 and 8 dies',
);

/** Speed by micro-batch, as its authors post it with changes of kernels. */
export const int8Tables: Citation = cite(
  'ggml-org/llama.cpp pull requests 7676, 7860, 14262, 15131, 15631, 17505, 20586, 21086, 22298, 29152',
  '2026-12-02',
  'llama-bench pp256-pp4096 by micro-batch of 1 to 2048 on RTX 3090, RTX 4090 and RTX 5090',
);

export const mmq: Citation = cite(
  'ggml-org/llama.cpp pull requests 7676, 7860, 7921: INT8 tensor cores for MMQ',
  '2024-06',
  'quantised prefill on CUDA runs in INT8 tensor cores; share given of the 16-bit peak',
);

export const mlxLm: Citation = cite(
  'ml-explore/mlx-lm@d78bf58e mlx_lm/BENCHMARKS.md (MIT)',
  '2025-10',
  'M4 Max, Qwen3 4B, BF16 to 4 bits, 2048 prompt tokens',
);

export const strixHalo: Citation = cite(
  'kyuz0/amd-strix-halo-toolboxes@d1a34bee docs/results.json',
  '2026',
  'llama-bench on Ryzen AI Max+ 395: Llama 2 7B Q4_0, 1545 prompt tokens/s and 51 tokens/s',
);

export const rocmDocker: Citation = cite(
  'ROCm/vllm docs/dev-docker/README.md, 11 releases',
  '2025',
  'Llama 3.1 405B FP8 on 8 MI300X: 23-25 ms a step at batch 1',
);

export const gptFast: Citation = cite(
  'meta-pytorch/gpt-fast@6ecad9b5 README (BSD-3-Clause)',
  undefined,
  'one die of MI250X: Llama 2 7B BF16 at 76 tokens/s is 0.63 of its bandwidth',
);

export const gaudiPage: Citation = cite(
  'Intel Gaudi model performance page, software 1.18',
  '2024',
  'Llama 2 7B FP8 static batches on Gaudi 3',
);

export const neuronTables: Citation = cite(
  'aws-neuron/aws-neuron-sdk about-neuron/benchmarks (transformers-neuronx, Neuron 2.18)',
  '2024',
  'Llama 2 70B on 12 Inferentia2 chips 33 ms a token, on 16 Trainium chips 25 ms',
);

export const ttMetal: Citation = cite(
  'tenstorrent/tt-metal README and models/README.md tables, v0.56-v0.59 (Apache-2.0)',
  '2025',
  'Wormhole n150 Llama 3.1 8B: 26 tokens/s a user at batch 32',
);

export const mistralRs: Citation = cite(
  'EricLBuehler/mistral.rs releases/v0.9.0/report.md (MIT)',
  undefined,
  'CPU decode of Qwen3 4B on GB10 Arm cores and on a c7i Xeon with AMX',
);

/** For what no public figure pins down; the note says what the constant leans on. */
export const assumption = (note: string): Citation => cite('assumption of this project', '2026-08', note);
