import type { DecodeAttentionEfficiency, Efficiency, GemmEfficiency, HeadByHead } from '../efficiency.ts';
import type { FamilyEfficiency } from './build.ts';
import {
  collective,
  decode,
  efficiency,
  elementWise,
  everyClass,
  experts,
  gemm,
  prefill,
  readTwice,
  variant,
} from './build.ts';
import { assumption, int8Tables, llamaBench, mmq } from './sources.ts';

/*
 * Libraries without operator timings of their own, from a family's vLLM constants (whose BF16 products are cuBLAS, as
 * theirs) and end-to-end figures. Launch costs of the host are the engine profile's business, not these floors'.
 */

/** Cost of a llama.cpp kernel on the device: smaller kernels than those of serving engines, and more of them. */
const llamaCppFloor = 2.2e-6;

/** The same where CUDA graphs replay them and neighbours are fused. */
const fusedFloor = 1.5e-6;

/** Shares of the 16-bit peak in prefill: F16 (cuBLAS) and quantised (INT8). */
export interface PromptShares {
  readonly f16: number;
  readonly quantised: number;
}

const llamaCpp = (
  vllm: Efficiency,
  { f16, quantised }: PromptShares,
  bf16Memory: number,
  fourBitMemory: number,
  kernelFloor: number,
  expertFloor: number,
): Efficiency => {
  const eightBitMemory = (bf16Memory + fourBitMemory) / 2;
  return efficiency({
    ...vllm,
    gemm: everyClass({
      bf16: gemm(f16, bf16Memory, kernelFloor, 2),
      'weight-only': gemm(quantised, fourBitMemory, kernelFloor, 2),
      'weight-only-8': gemm(quantised, eightBitMemory, kernelFloor, 2),
      int8: gemm(quantised, eightBitMemory, kernelFloor, 2),
    }),
    prefillAttention: prefill(0.5 * vllm.prefillAttention.compute, bf16Memory, 12e-6, 300),
    decodeAttention: decode(0.1, bf16Memory, 3 * kernelFloor, 150),
    latentPrefill: prefill(0.6 * vllm.latentPrefill.compute, bf16Memory, 12e-6, 300),
    latentDecode: readTwice(decode(0.2, bf16Memory, 3 * kernelFloor, 150)),
    experts: everyClass({
      bf16: experts(0.5 * f16, bf16Memory, expertFloor, 2, 3),
      'weight-only': experts(0.6 * quantised, fourBitMemory, expertFloor, 2, 3),
      'weight-only-8': experts(0.6 * quantised, eightBitMemory, expertFloor, 2, 3),
    }),
    elementWise: elementWise(vllm.elementWise.memory, kernelFloor),
    // Layer split passes activations over the host link; row split is rare.
    collective: collective(10e-6, 0.5, 0.8, 15e-6, 0.3),
    halfSums: true,
    evidence: 'assumed',
    sources: [llamaBench, mmq, ...vllm.sources],
  });
};

/**
 * llama.cpp on GDDR cards: Llama 3 8B F16 decodes at 0.76 (RTX 3090) and 0.82 (RTX 4090) of the bandwidth, Q4_K_M at
 * 0.57 and 0.60; 4 us a kernel explain the rest of the gap with 0.87 and 0.72 at the kernel.
 */
export const llamaCppOnGddr = (vllm: Efficiency, prompt: PromptShares): Efficiency =>
  llamaCpp(vllm, prompt, 0.87, 0.72, llamaCppFloor, 30e-6);

/** Charged rows of products with few: each column of a vector kernel costs 3.2 rows, the matrix kernel pays tiles of 64. */
const fewRows: Pick<Efficiency, 'smallBatch'> = { smallBatch: { tileRows: 64, vectorCost: 3.2 } };

/** llama.cpp on GDDR cards since its quantised products run on INT8 units (June 2024). */
export const llamaCppInt8 = (vllm: Efficiency, prompt: PromptShares): Efficiency => {
  const base = llamaCppOnGddr(vllm, prompt);
  return variant(base, { ...fewRows, sources: [int8Tables, ...base.sources] });
};

/**
 * The same since its vector kernels read weights at 0.93-0.95 of the bandwidth and neighbouring nodes are fused (2025).
 * Fitted to the tables of `int8Tables`: 8B, 14B and 31B dense and four sparse models on RTX 3090, 4090 and 5090,
 * micro-batches of 1 to 2048; the median error is 9 %.
 */
export const llamaCppFused = (vllm: Efficiency, prompt: PromptShares): Efficiency => {
  const base = llamaCpp(vllm, prompt, 0.95, 0.93, fusedFloor, 13e-6);
  return variant(base, { ...fewRows, sources: [int8Tables, ...base.sources] });
};

/**
 * llama.cpp on HBM: Llama 3 8B on A100 PCIe decodes at 0.40 of the bandwidth in F16 and 0.28 in Q4_K_M, 0.40-0.50 on
 * H100; its grids are too small to fill such memory. 4 us a kernel leave 0.45 and 0.36 at the kernel.
 */
export const llamaCppOnHbm = (vllm: Efficiency, prompt: PromptShares): Efficiency =>
  llamaCpp(vllm, prompt, 0.45, 0.36, llamaCppFloor, 30e-6);

const unpacked = (bf16: GemmEfficiency): GemmEfficiency =>
  gemm(0.7 * bf16.compute, 0.35, 2 * bf16.floor, bf16.sharpness);

/**
 * PyTorch as transformers calls it: cuBLAS for BF16 like vLLM; weights of fewer bits are unpacked to memory first
 * (three passes); scaled_dot_product_attention at FlashAttention-2's rate; the cache is copied to append to it; experts
 * run one after another; NCCL for collectives.
 */
export const eager = (vllm: Efficiency): Efficiency => {
  const { bf16 } = vllm.gemm;
  const attention = prefill(Math.min(0.45, vllm.prefillAttention.compute), 0.7, 15e-6, 300);
  return efficiency({
    ...vllm,
    gemm: everyClass({ bf16, fp8: vllm.gemm.fp8, int8: unpacked(bf16), 'weight-only': unpacked(bf16) }),
    prefillAttention: attention,
    decodeAttention: decode(0.1, 0.4, 25e-6, 150),
    latentPrefill: attention,
    latentDecode: decode(0.1, 0.3, 30e-6, 150),
    experts: everyClass({ bf16: experts(0.5 * bf16.compute, 0.6, 1e-3, 2, 6) }),
    collective: collective(7e-6, 0.72, 0.62, 8e-6, vllm.collective.hostBandwidth),
    evidence: 'assumed',
    sources: [
      assumption('eager PyTorch: BF16 products as vLLM (cuBLAS); attention, unpacking and experts by their traffic'),
      ...vllm.sources,
    ],
  });
};

/**
 * TensorRT-LLM's kernels of its C++ runtime. Those for the matrix units (XQA) took no grouping of query heads before 0.8,
 * eight heads up to 0.11 and all from then on; the masked kernel took the rest head by head. About 35 FLOP a clock and
 * multiprocessor on Ampere, Ada and Hopper alike, whatever the KV format: 60-70 ns an entry of Mistral-7B on H100 in FP16
 * and in FP8 (NVIDIA DLI course, trt_llm_0_9_0_dli.csv), 70 of Llama-3-8B (nim.csv). Heads that share nothing (`single`)
 * never had another kernel.
 */
export const earlierTrtLlm = (
  trtLlm: Efficiency,
  flopPerClock: number,
  single: DecodeAttentionEfficiency,
): Pick<FamilyEfficiency['libraries'], 'trt-llm-masked' | 'trt-llm-xqa8' | 'trt-llm-xqa'> => {
  const compute = maskedFlopPerClock / flopPerClock;
  const grouped = (except: readonly number[]): HeadByHead => ({ single, grouped: { compute, except } });
  return {
    'trt-llm-masked': Object.freeze({ ...trtLlm, headByHead: grouped([]) }),
    'trt-llm-xqa8': Object.freeze({ ...trtLlm, headByHead: grouped([8]) }),
    'trt-llm-xqa': Object.freeze({ ...trtLlm, headByHead: { single } }),
  };
};

const maskedFlopPerClock = 35;
