import type { Efficiency } from '../efficiency.ts';
import type { DynamicFp8, FamilyEfficiency } from './build.ts';
import {
  collective,
  decode,
  efficiency,
  elementWise,
  everyClass,
  experts,
  gemm,
  outlined,
  prefill,
  withStaticScales,
} from './build.ts';
import { eager, earlierTrtLlm, llamaCppFused, llamaCppInt8, llamaCppOnGddr } from './derived.ts';
import { aiconfigurator, assumption, vidur } from './sources.ts';
import { universal } from './universal.ts';

/*
 * Fits as in nvidia-datacentre.ts, to L40S (362 TFLOP/s BF16, 0.864 TB/s) and RTX PRO 6000 Blackwell Server (467.8
 * TFLOP/s, 1.597 TB/s). Attention timings whose cache lies in the 96-128 MB of L2 are left out. Weights below about
 * 64 MB came from L2 in these timings and look faster than memory: a serving engine reads them cold.
 */

const elementWiseOps = elementWise(0.8, 2.5e-6);

const adaBf16 = gemm(0.663, 0.823, 2.05e-6, 2.16); // 11/52; 7.8/23
const adaBf16TrtLlm = gemm(0.556, 0.842, 2.12e-6, 2.47); // 9.6/64; 6.9/31
/** As measured, with the scale of each tensor found on the fly. */
export const adaDynamicFp8: DynamicFp8 = {
  vllm: gemm(0.549, 0.72, 6.08e-6, 2.03, 1.82), // 14/52; 7.5/29
  'trt-llm': gemm(0.462, 0.85, 11.4e-6, 2.44, 0.263), // 8.7/40; 8.5/31
};
const adaFp8Block = gemm(0.263, 0.789, 3.85e-6, 4.6, 0.0767); // TensorRT-LLM 12/52; 9.6/29
const adaWeightOnly = gemm(0.6, 0.78, 5e-6, 1.5); // Marlin, as the INT4 experts below

/**
 * Cards without a link. The L40S timings come from a host whose traffic crosses the sockets (0.62 of PCIe at 2 cards,
 * 0.07-0.18 at 4 and 8); prefill of TensorRT-LLM 0.5-0.17 on 2-8 L40S behind switches is 3 times faster than that at
 * every number of cards, and moves about what RTX PRO 6000 moves below.
 */
const adaCollective = collective(5e-6, 0.7, 0.67, 6.5e-6, 0.479);

const adaVllm: Efficiency = efficiency({
  gemm: everyClass({
    bf16: adaBf16,
    fp8: withStaticScales(adaDynamicFp8.vllm, adaBf16, 2),
    'fp8-block': adaFp8Block,
    'weight-only': adaWeightOnly,
  }),
  prefillAttention: prefill(0.53, 1, 7.47e-6, 1), // 14/57; 6.2/26
  decodeAttention: decode(0.106, 0.817, 11.1e-6, 31.6), // 6.9/31; 5.3/9, FP8 6.3/34; 3.7/10
  latentPrefill: prefill(0.475, 1, 8.77e-6, 0.1), // TensorRT-LLM 1.0: 20/85; 8.1/44
  // vLLM 0.14 ran eagerly (324 us): its shares with the floor of decode attention.
  latentDecode: decode(0.0881, 1, 11.1e-6, 130),
  experts: everyClass({
    bf16: experts(0.817, 0.805, 11.5e-6, 1.16, 1.87), // 7.6/74; 5.0/99, 12/66
    fp8: experts(0.61, 0.77, 15.3e-6, 2.37, 2.11), // 16/87; 8.8/121, 17/75
    'fp8-block': experts(0.597, 0.782, 14.6e-6, 6, 3.47), // 12/79; 6.5/94, 17/70
    'weight-only': experts(0.688, 0.771, 5.18e-6, 2.01, 1.84), // INT4 11/73; 13/74, 11/72
  }),
  elementWise: elementWiseOps,
  collective: adaCollective,
  evidence: 'measured',
  sources: [aiconfigurator],
});

const adaTrtLlm: Efficiency = efficiency({
  ...adaVllm,
  gemm: everyClass({
    bf16: adaBf16TrtLlm,
    // The dynamic fit books the search for each scale as a smaller share of the peak: that of vLLM's cuBLAS, on a card
    // that reaches in BF16 what vLLM's did (0.663 / 0.556 of this one's), which five releases end to end want too. And
    // weights are cold: the fitted 0.85 of the bandwidth holds those that came from L2 (TPOT of 0.9: 0.79-0.80).
    fp8: withStaticScales(gemm(0.655, 0.79, 11.4e-6, 2.44, 0.263), adaBf16TrtLlm, 1),
    'fp8-block': adaFp8Block,
    'weight-only': adaWeightOnly,
  }),
  prefillAttention: prefill(0.399, 0.761, 9.15e-6, 46.6), // 15/68; 5.5/26
  decodeAttention: decode(0.0764, 0.835, 9.75e-6, 9.44), // 7.2/39; 5.7/8, FP8 13/60; 9.6/50
  experts: everyClass({
    bf16: experts(0.571, 0.809, 11.6e-6, 1.28, 1.06), // 9.5/120; 13/159, 8.8/71
    fp8: experts(0.63, 0.824, 15.1e-6, 1.49, 1.52), // 11/115; 18/138, 8.6/94
    'weight-only': experts(0.688, 0.771, 5.18e-6, 2.01, 1.84),
  }),
});

const blackwellBf16 = gemm(0.863, 0.946, 2.39e-6, 1.9); // 7.0/32; 3.9/15
const blackwellBf16TrtLlm = gemm(0.846, 0.95, 2.53e-6, 1.86); // 7.2/31; 3.7/21
/** As measured, with the scale of each tensor found on the fly. */
export const blackwellGraphicsDynamicFp8: DynamicFp8 = {
  vllm: gemm(0.892, 0.919, 5.59e-6, 1.75, 2.28), // 9.5/42; 4.5/26
  'trt-llm': gemm(0.807, 0.958, 11.4e-6, 1.68, 1.5), // 5.9/24; 4.4/20
};
const blackwellFp8Block = gemm(0.734, 0.925, 7.82e-6, 1.86, 8.01); // TensorRT-LLM 20/66; 9.3/44
const blackwellWeightOnly = gemm(0.6, 0.85, 5e-6, 1.5); // Marlin, as the INT4 experts below

const blackwellVllm: Efficiency = efficiency({
  gemm: everyClass({
    bf16: blackwellBf16,
    fp8: withStaticScales(blackwellGraphicsDynamicFp8.vllm, blackwellBf16, 2),
    'fp8-block': blackwellFp8Block,
    fp4: gemm(0.683, 0.651, 7.48e-6, 3.09, 0.364), // NVFP4 14/65; 11/43
    'weight-only': blackwellWeightOnly,
  }),
  prefillAttention: prefill(0.659, 0.928, 8.71e-6, 31.8), // 9.0/50; 3.3/23
  decodeAttention: decode(0.199, 0.958, 12e-6, 48.1), // 5.8/37; 2.8/16, FP8 4.7/20; 1.4/12
  latentPrefill: prefill(0.598, 1, 15.1e-6, 67.7), // TensorRT-LLM 11/46; 7.7/31, FP8 21/49; 25/49
  // TensorRT-LLM has no absorbed kernel here (its timings are 2-3 times off a latent cache): as L40S.
  latentDecode: decode(0.0881, 0.95, 12e-6, 130),
  experts: everyClass({
    bf16: experts(0.435, 0.947, 29.8e-6, 2.89, 1.85), // 6.7/46; 6.0/46, 8.3/46
    fp8: experts(0.401, 0.924, 31.6e-6, 1.89, 1.57), // 6.8/44; 10/35, 5.0/48
    fp4: experts(0.9, 0.889, 47.8e-6, 2.49, 1.68), // NVFP4 7.1/30; 10/27, 6.4/30
    'weight-only': experts(0.612, 0.881, 31.5e-6, 2.22, 1.69), // INT4 9.1/69; 4.6/76, 14/59
  }),
  elementWise: elementWiseOps,
  // 0.62 of PCIe at 2 cards, 0.47 at 4, 0.38 at 8.
  collective: collective(5e-6, 0.7, 0.67, 6e-6, 0.479), // 21/59 over 2, 4, 8 GPUs, 4 alone 2.7/17
  evidence: 'measured',
  sources: [aiconfigurator],
});

const blackwellTrtLlm: Efficiency = efficiency({
  ...blackwellVllm,
  gemm: everyClass({
    bf16: blackwellBf16TrtLlm,
    fp8: withStaticScales(blackwellGraphicsDynamicFp8['trt-llm'], blackwellBf16TrtLlm, 1),
    'fp8-block': blackwellFp8Block,
    fp4: gemm(0.719, 0.683, 5.79e-6, 5.02, 0.67), // NVFP4 20/63; 12/40
    'weight-only': blackwellWeightOnly,
  }),
  prefillAttention: prefill(0.471, 0.863, 13.5e-6, 242), // 8.8/46; 2.4/14
  decodeAttention: decode(0.16, 0.962, 8.84e-6, 15.7), // 8.5/34; 1.5/15, FP8 4.5/34; 4.3/38
  experts: everyClass({
    bf16: experts(0.75, 0.952, 21.9e-6, 1.45, 1.1), // 8.2/37; 10/43, 7.4/33
    fp8: experts(0.9, 0.96, 22.4e-6, 1.45, 1.31), // 9.2/63; 15/69, 7.4/60
    'fp8-block': experts(0.153, 0.706, 42.3e-6, 5.38, 9.68), // 23/94; 13/62, 50/140
    fp4: experts(0.9, 0.866, 43.5e-6, 2.73, 1.17), // 8.0/30; 8.9/25, 6.9/32
    'weight-only': experts(0.612, 0.881, 31.5e-6, 2.22, 1.69),
  }),
  collective: collective(5e-6, 0.7, 0.77, 6.57e-6, 0.401), // 7.7/45
});

/** A10, A40, A6000, GeForce 30, Orin: GEMM of A40 with cuBLAS; the rest as L40S, the nearest relative with timings. */
const ampere: Efficiency = efficiency({
  ...adaVllm,
  gemm: everyClass({
    bf16: gemm(0.768, 0.784, 2.95e-6, 1.79), // A40 FP16 4.0/14
    int8: gemm(0.7, 0.78, 6e-6, 1.5, 2),
    'weight-only': gemm(0.7, 0.78, 5e-6, 1.5),
  }),
  experts: everyClass({
    bf16: experts(0.6, 0.8, 20e-6, 1.3, 2),
    'weight-only': experts(0.6, 0.77, 20e-6, 1.5, 2),
  }),
  // NVLink bridge of two cards as A100's; host link as L40S.
  collective: collective(5e-6, 0.7, 0.8, 6.65e-6, 0.16),
  evidence: 'similar',
  sources: [vidur, aiconfigurator],
});

const hostOnly = collective(6e-6, 0.65, 0.8, 8e-6, 0.3);

/** T4 and GeForce 20: a T4 holds well under its boost clock at 70 W. */
const turing: Efficiency = outlined({
  compute: 0.5,
  computeWeightOnly: 0.45,
  memory: 0.78,
  memoryWeightOnly: 0.7,
  floor: 5e-6,
  sharpness: 1.8,
  prefillCompute: 0.3,
  halfLength: 200,
  decodeMemory: 0.75,
  collective: hostOnly,
  evidence: 'assumed',
  sources: [assumption('memory as the measured GDDR6 cards; compute cut for the 70 W limit of T4'), aiconfigurator],
});

/** V100: HBM2 and first tensor cores, NVLink 2 mesh. */
const volta: Efficiency = outlined({
  compute: 0.7,
  computeWeightOnly: 0.5,
  memory: 0.78,
  memoryWeightOnly: 0.6,
  floor: 6e-6,
  sharpness: 1.6,
  prefillCompute: 0.35,
  halfLength: 300,
  decodeMemory: 0.7,
  collective: collective(8e-6, 0.65, 0.6, 8e-6, 0.4),
  evidence: 'assumed',
  sources: [assumption('between A40 and A100: same libraries, no asynchronous copies, no FlashAttention-2')],
});

/** Pascal: no matrix units; the peak of the profile is that of its shaders. */
const pascal: Efficiency = outlined({
  compute: 0.75,
  computeWeightOnly: 0.55,
  memory: 0.75,
  memoryWeightOnly: 0.55,
  floor: 7e-6,
  sharpness: 1.8,
  prefillCompute: 0.3,
  halfLength: 200,
  decodeMemory: 0.65,
  collective: hostOnly,
  evidence: 'assumed',
  sources: [assumption('shader GEMM reaches three quarters of peak in cuBLAS; memory as other GDDR5X and HBM2 cards')],
});

const withLlamaCpp = (
  base: Efficiency,
  f16: number,
  quantised: number,
  integer = quantised,
): FamilyEfficiency['libraries'] => {
  const llamaCpp = llamaCppOnGddr(base, { f16, quantised });
  return {
    'llama.cpp': llamaCpp,
    'llama.cpp-int8': llamaCppInt8(base, { f16, quantised: integer }),
    'llama.cpp-fused': llamaCppFused(base, { f16, quantised: integer }),
    mlx: llamaCpp,
    eager: eager(base),
    none: universal,
  };
};

export const nvidiaGraphics: readonly FamilyEfficiency[] = [
  {
    architectures: ['ada'],
    typical: adaVllm,
    // RTX 4090 prefills Llama 3 8B F16 at 0.42 of its peak with FP16 sums, Q4_K_M at 0.38, on INT8 units at 0.46.
    libraries: {
      'trt-llm': adaTrtLlm,
      // Heads of their own: 354 ns an entry of Llama-2-7B in FP8 (trt_llm_0_9_0_dli.csv).
      ...earlierTrtLlm(adaTrtLlm, 1024, decode(0.1, 0.86, 12e-6, 10)),
      ...withLlamaCpp(adaVllm, 0.42, 0.38, 0.46),
    },
  },
  {
    architectures: ['blackwell-graphics'],
    typical: blackwellVllm,
    libraries: { 'trt-llm': blackwellTrtLlm, ...withLlamaCpp(blackwellVllm, 0.42, 0.38, 0.48) },
  },
  // RTX 3090 and A6000: 0.46 of the peak with FP16 sums in F16, 0.42 in Q4_K_M.
  { architectures: ['ampere-graphics'], typical: ampere, libraries: withLlamaCpp(ampere, 0.46, 0.42, 0.42) },
  { architectures: ['turing'], typical: turing, libraries: withLlamaCpp(turing, 0.55, 0.5) },
  { architectures: ['volta'], typical: volta, libraries: withLlamaCpp(volta, 0.7, 0.4) },
  { architectures: ['pascal'], typical: pascal, libraries: withLlamaCpp(pascal, 0.75, 0.6) },
];
