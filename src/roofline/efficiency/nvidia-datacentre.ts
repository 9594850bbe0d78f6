import type { Efficiency, GemmEfficiency } from '../efficiency.ts';
import type { DynamicFp8, FamilyEfficiency } from './build.ts';
import {
  collective,
  decode,
  efficiency,
  elementWise,
  everyClass,
  experts,
  gemm,
  prefill,
  sustained,
  withStaticScales,
} from './build.ts';
import { eager, earlierTrtLlm, llamaCppOnHbm } from './derived.ts';
import { aiconfigurator, assumption, blis, inferSim, llmCompass, vidur } from './sources.ts';
import { universal } from './universal.ts';

/*
 * Fits of the smooth roofline to pooled operator timings, least squares of ln(t) with a soft-L1 loss; peaks and
 * bandwidths those of the data sheets (A100 312 TFLOP/s, 2.039 TB/s; H100 989.4, 3.35; H200 989.4, 4.8; B200 2250,
 * 7.7; B300 2250, 8.0; GB200 and GB300 2500, 8.0). The comment behind a fit has its median / p90 error in % over all
 * rows; behind the semicolon over those that serving meets: GEMM with N, K >= 1024, prefill from 512 tokens, decode from
 * 256 tokens of context (decode: BF16 KV, then FP8 KV), experts with at most 64 tokens, then more.
 */

/** Softmax, layer norm and GELU of A100 run at 0.55-0.77 of its bandwidth (LLMCompass); a kernel in a graph takes 2-3 us. */
const elementWiseOps = elementWise(0.75, 2.5e-6);

/** PCIe between NVIDIA data-centre cards behind a switch, from RTX PRO 6000 at 4 GPUs (0.39-0.47 of the link). */
const hostFloor = 6.5e-6;
const hostBandwidth = 0.42;

const ampereBf16 = gemm(0.899, 0.76, 5.05e-6, 1.72); // 8.8/30; 5.9/16
/** As timed in bursts of nine runs. */
export const ampereBurstBf16TrtLlm: GemmEfficiency = gemm(0.846, 0.804, 4.87e-6, 1.64); // 8.3/30; 4.8/15
/** Under load, as on Hopper below: prefill under TensorRT-LLM 0.5 to 0.17 and NIM takes 4-6 % longer than by the bursts. */
const ampereBf16TrtLlm = sustained(ampereBurstBf16TrtLlm, 0.95);

const ampereVllm: Efficiency = efficiency({
  gemm: everyClass({
    bf16: ampereBf16,
    // SmoothQuant shares below, with the floor and passes of vLLM's own quantiser on Hopper.
    int8: gemm(0.9, 0.85, 6.5e-6, 1.3, 2),
    // Marlin: one kernel, shares of TensorRT-LLM's weight-only kernels below.
    'weight-only': gemm(0.82, 0.82, 6e-6, 1.3),
    'weight-only-8': gemm(0.84, 0.83, 6e-6, 1.4),
  }),
  prefillAttention: prefill(0.592, 0.855, 12.5e-6, 282), // 10/37; 4.7/24
  decodeAttention: decode(0.213, 0.748, 18.1e-6, 82.4), // 11/48; 9.7/37
  latentPrefill: prefill(0.514, 0.631, 16.1e-6, 0.1), // TensorRT-LLM 1.0: 9.0/31; 8.8/37
  // vLLM 0.14 ran eagerly (326 us): its shares with the floor of decode attention.
  latentDecode: decode(0.0995, 0.692, 18e-6, 120),
  experts: everyClass({
    bf16: experts(0.329, 0.899, 42.7e-6, 1.12, 1.6), // power-law routing on one GPU, 10/30
    'weight-only': experts(0.33, 0.77, 50e-6, 1.1, 2), // Marlin on L40S and H100
  }),
  elementWise: elementWiseOps,
  collective: collective(2.54e-6, 0.687, 0.63, hostFloor, hostBandwidth), // 13/44 over 2, 4, 8 GPUs
  evidence: 'measured',
  sources: [aiconfigurator, vidur, llmCompass],
});

/**
 * Heads of their own: TensorRT-LLM 1.0 timings 12/45; 6.9/58, and 300 ns an entry of Llama-2-7B under 0.9
 * (trt_llm_0_9_0_dli.csv).
 */
const ampereSingle = decode(0.175, 0.869, 10.9e-6, 47);

const ampereTrtLlm: Efficiency = efficiency({
  ...ampereVllm,
  gemm: everyClass({
    bf16: ampereBf16TrtLlm,
    int8: gemm(0.955, 0.903, 11e-6, 1, 0.432), // SmoothQuant 9.2/40; 7.4/27
    'weight-only': gemm(0.851, 0.875, 13.8e-6, 1, 0.0556), // 17/50; 7.0/29
    'weight-only-8': gemm(0.852, 0.848, 12.3e-6, 1.35, 0.184), // 10/35; 4.3/24
  }),
  prefillAttention: prefill(0.494, 1, 13.9e-6, 423), // 4.6/16; 2.7/10
  // Decode of grouped heads as vLLM: the TensorRT-LLM 1.0 rows beat the bandwidth (half of the cache was read).
  headByHead: { single: ampereSingle },
  experts: everyClass({
    bf16: experts(0.577, 1, 59.8e-6, 1, 2.8), // power-law routing on one GPU, 5.6/22
    'weight-only': experts(0.5, 0.8, 60e-6, 1, 2.8),
  }),
  collective: collective(1.81e-6, 0.78, 0.43, hostFloor, hostBandwidth), // 11/42
});

/** As timed in bursts of nine runs. */
export const hopperBurstBf16: Readonly<Record<'vllm' | 'trt-llm', GemmEfficiency>> = {
  vllm: gemm(0.798, 0.85, 3.17e-6, 3.46), // 8.0/24; 5.2/14
  'trt-llm': gemm(0.757, 0.83, 3.14e-6, 3.07), // 6.7/22; 4.5/12
};
/**
 * Their power limit holds SXM cards below that when they serve: prefill in 16 bits on H100 takes 6-7 % longer than by the
 * bursts under TensorRT-LLM 0.9, 0.14 and NIM, and not in FP8 (trt_llm_0_9_0_dli.csv, nim.csv, trtllm-0.14-serving).
 */
const hopperSustained = 0.92;
const hopperBf16 = sustained(hopperBurstBf16.vllm, hopperSustained);
const hopperBf16TrtLlm = sustained(hopperBurstBf16['trt-llm'], hopperSustained);
/** As measured, with the scale of each tensor found on the fly. */
export const hopperDynamicFp8: DynamicFp8 = {
  vllm: gemm(0.735, 0.841, 6.43e-6, 1.33, 7.11), // 20/52; 13/36
  'trt-llm': gemm(0.703, 0.84, 12.8e-6, 3.23, 3.86), // 3.8/12; 3.2/9
};
const hopperFp8Block = gemm(0.62, 0.838, 5.17e-6, 1.14, 2.84); // TensorRT-LLM (DeepGEMM) 11/32; 8.8/32
const hopperLatentPrefill = prefill(0.651, 0.657, 19.4e-6, 303); // BF16 20/39; 12/36, FP8 11/36; 11/28
const hopperLatentDecode = decode(0.599, 0.894, 14.4e-6, 158); // 8.8/31; 6.0/17, FP8 13/30; 13/26

const hopperVllm: Efficiency = efficiency({
  gemm: everyClass({
    bf16: hopperBf16,
    fp8: withStaticScales(hopperDynamicFp8.vllm, hopperBf16, 2),
    'fp8-block': hopperFp8Block,
    // Marlin multiplies with Ampere's instructions: half of Hopper's peak at most.
    'weight-only': gemm(0.5, 0.76, 6e-6, 1.5),
    'weight-only-8': gemm(0.5, 0.8, 6e-6, 1.5),
  }),
  prefillAttention: prefill(0.68, 0.762, 12.9e-6, 513), // FlashAttention-3, head 128: 6.8/25; 4.8/15
  decodeAttention: decode(0.097, 1, 12.7e-6, 187), // 10/25; 5.6/23, FP8 8.3/28; 9.1/21
  latentPrefill: hopperLatentPrefill,
  latentDecode: hopperLatentDecode,
  experts: everyClass({
    bf16: experts(0.601, 0.897, 41.7e-6, 2.06, 3.26), // 14/53; 7.9/40, 19/58
    // Per-tensor FP8 as block FP8: vLLM 0.24 chooses a kernel that reaches 0.16-0.19 (20/50), others do not.
    'fp8-block': experts(0.44, 0.839, 35.2e-6, 1.75, 3.53), // 5.9/24; 5.9/25, 6.0/22
    fp8: experts(0.44, 0.839, 35.2e-6, 1.75, 3.53),
    'weight-only': experts(0.303, 0.724, 49.5e-6, 1, 3.81), // Marlin INT4 13/41; 4.2/24, 18/45
  }),
  elementWise: elementWiseOps,
  collective: collective(2.17e-6, 0.773, 0.65, hostFloor, hostBandwidth), // 16/44
  evidence: 'measured',
  sources: [aiconfigurator, inferSim, blis, vidur],
});

/**
 * Heads of their own under TensorRT-LLM's C++ runtime: 80 ns an entry of Llama-2-7B in FP8 and 164 in FP16 under 0.9
 * (trt_llm_0_9_0_dli.csv), 0.95 to 0.98 of the bandwidth. The timings of 1.3 are slower in FP8.
 */
const hopperSingle = decode(0.1, 0.97, 8.9e-6, 62);

const hopperTrtLlm: Efficiency = efficiency({
  ...hopperVllm,
  gemm: everyClass({
    bf16: hopperBf16TrtLlm,
    fp8: withStaticScales(hopperDynamicFp8['trt-llm'], hopperBf16TrtLlm, 1),
    'fp8-block': hopperFp8Block,
    'weight-only': gemm(0.55, 0.78, 8e-6, 1.5),
    'weight-only-8': gemm(0.6, 0.8, 8e-6, 1.5),
  }),
  prefillAttention: prefill(0.58, 1, 14.6e-6, 847), // 6.6/31; 3.7/10
  fp8PrefillAttention: prefill(0.92, 1, 18e-6, 1530), // 8.7/34; 4.4/16
  decodeAttention: decode(0.0918, 0.931, 9.49e-6, 78.9), // 16/51; 14/36, FP8 22/65; 19/48
  experts: everyClass({
    bf16: experts(0.9, 0.889, 29.7e-6, 1.69, 2.47), // 9.0/64; 7.7/64, 10/65
    fp8: experts(0.9, 0.856, 29.7e-6, 3.03, 2.69), // 8.0/44; 8.0/43, 8.1/44
    'fp8-block': experts(0.502, 0.841, 24.4e-6, 1.41, 3.31), // 11/42; 9.1/39, 12/44
    'weight-only': experts(0.9, 0.754, 79.8e-6, 1, 13), // MXFP4 15/32; 11/17, 21/37
  }),
  collective: collective(1.27e-6, 0.799, 0.51, hostFloor, hostBandwidth), // 18/40
});

const blackwellBf16 = gemm(0.749, 0.795, 2.53e-6, 2.53); // 9.9/35; 6.6/21
const blackwellBf16TrtLlm = gemm(0.68, 0.767, 2.45e-6, 2.34); // 10/33; 7.6/19
/** As measured, with the scale of each tensor found on the fly. */
export const blackwellDynamicFp8: DynamicFp8 = {
  vllm: gemm(0.703, 0.756, 6.94e-6, 2.23, 10.8), // 17/60; 12/32
  'trt-llm': gemm(0.67, 0.773, 14.4e-6, 2.02, 4.18), // 5.3/15; 5.1/14
};
/** NVFP4 of TensorRT-LLM as measured, with a cast of its own; it is fused into the norm or activation before it. */
export const blackwellCastFp4: GemmEfficiency = gemm(0.439, 0.583, 9.17e-6, 1.95, 2.34); // 17/45; 13/38
const blackwellFp8Block = gemm(0.657, 0.783, 6.17e-6, 2.05, 1.67); // TensorRT-LLM 9.1/27; 6.8/21
const blackwellLatentPrefill = prefill(0.686, 0.409, 18.5e-6, 0.1); // 23/45; 15/38, FP8 13/41; 14/38
const blackwellLatentDecode = decode(0.804, 0.72, 11e-6, 164); // 9.0/32; 8.3/32, FP8 16/37; 15/35
/** Marlin multiplies with Ampere's instructions: a small part of Blackwell's peak (its INT4 experts: 0.14). */
const blackwellWeightOnly = gemm(0.25, 0.55, 6e-6, 1.3);

const blackwellVllm: Efficiency = efficiency({
  gemm: everyClass({
    bf16: blackwellBf16,
    fp8: withStaticScales(blackwellDynamicFp8.vllm, blackwellBf16, 2),
    'fp8-block': blackwellFp8Block,
    fp4: gemm(0.405, 0.72, 7.51e-6, 1.81, 1.48), // NVFP4 11/32; 11/32
    'weight-only': blackwellWeightOnly,
  }),
  prefillAttention: prefill(0.673, 0.473, 12.1e-6, 507), // 13/38; 12/30
  decodeAttention: decode(0.133, 0.961, 9.69e-6, 142), // 8.4/28; 8.3/33, FP8 9.4/30; 7.9/26
  latentPrefill: blackwellLatentPrefill,
  latentDecode: blackwellLatentDecode,
  experts: everyClass({
    bf16: experts(0.447, 0.93, 19.4e-6, 2.42, 2.8), // 9.3/42; 5.9/40, 12/43
    fp8: experts(0.616, 0.881, 19.3e-6, 2.6, 2.62), // 9.8/37; 7.7/34, 11/38
    'fp8-block': experts(0.348, 0.923, 36.3e-6, 1.11, 7.11), // 12/45; 6.5/32, 18/51
    fp4: experts(0.746, 0.866, 18.8e-6, 2.45, 2.92), // 13/40; 9.3/38, 15/41
    'weight-only': experts(0.141, 0.528, 55.6e-6, 1, 6.39), // Marlin INT4 16/46; 15/34, 20/49
  }),
  elementWise: elementWiseOps,
  collective: collective(2.75e-6, 0.751, 0.5, hostFloor, hostBandwidth), // 16/49
  evidence: 'measured',
  sources: [aiconfigurator, assumption('dense weight-only products: share of the measured INT4 experts')],
});

const blackwellTrtLlm: Efficiency = efficiency({
  ...blackwellVllm,
  gemm: everyClass({
    bf16: blackwellBf16TrtLlm,
    fp8: withStaticScales(blackwellDynamicFp8['trt-llm'], blackwellBf16TrtLlm, 1),
    'fp8-block': blackwellFp8Block,
    fp4: withStaticScales(blackwellCastFp4, blackwellBf16TrtLlm, 1),
    'weight-only': blackwellWeightOnly,
  }),
  prefillAttention: prefill(0.636, 0.876, 17e-6, 1920), // 10/32; 7.6/16
  fp8PrefillAttention: prefill(0.737, 1, 17.6e-6, 2240), // 11/35; 6.4/20
  decodeAttention: decode(0.12, 1, 11e-6, 144), // 7.0/35; 8.3/35, FP8 8.4/32; 8.7/34
  experts: everyClass({
    bf16: experts(0.9, 0.822, 27.4e-6, 2.4, 3.4), // 8.9/33; 7.9/31, 9.8/36
    fp8: experts(0.9, 0.802, 29.1e-6, 4.16, 3.93), // 8.6/28; 8.0/24, 9.3/30
    'fp8-block': experts(0.799, 0.684, 30e-6, 3.47, 2.99), // 8.9/32; 9.9/43, 8.4/27
    // Both engines call the same kernels (trtllm-gen, through FlashInfer in vLLM); the fit to TensorRT-LLM's own timings,
    // experts(0.9, 0.701, 34e-6, 3.09, 4), has 12/56; 15/79, 11/45, and this one of vLLM's 13/40; 9.3/38, 15/41.
    fp4: experts(0.746, 0.866, 18.8e-6, 2.45, 2.92),
    'weight-only': experts(0.166, 0.195, 42.7e-6, 6, 6.57), // MXFP4 3.4/11
  }),
  collective: collective(2.4e-6, 0.639, 0.61, hostFloor, hostBandwidth), // 14/43
});

/** B300 and GB300 alone: their FP4 peak is half as high again, of which the kernels reach less. */
const ultraVllm: Efficiency = efficiency({
  ...blackwellVllm,
  gemm: Object.freeze({
    ...blackwellVllm.gemm,
    bf16: gemm(0.78, 0.785, 2.48e-6, 2.73), // 7.9/35; 5.4/19
    fp4: gemm(0.354, 0.724, 7.29e-6, 1.72, 1.39), // 9.0/30; 9.0/25
  }),
  prefillAttention: prefill(0.776, 0.442, 11.7e-6, 360), // 11/36; 9.1/27
  decodeAttention: decode(0.141, 0.934, 9.37e-6, 132), // 7.5/28; 7.6/32, FP8 8.3/28; 7.8/26
  experts: Object.freeze({
    ...blackwellVllm.experts,
    fp4: experts(0.564, 0.844, 17.6e-6, 2.55, 2.75), // 12/42; 9.9/36, 14/42
  }),
});

const ultraTrtLlm: Efficiency = efficiency({
  ...blackwellTrtLlm,
  gemm: Object.freeze({
    ...blackwellTrtLlm.gemm,
    bf16: gemm(0.716, 0.757, 2.47e-6, 2.52), // 9.8/35; 6.9/17
    'fp8-block': gemm(0.698, 0.766, 6.02e-6, 2.08, 1.6), // 8.4/26; 5.7/21
    fp4: withStaticScales(gemm(0.411, 0.574, 9.76e-6, 1.54, 2.1), blackwellBf16TrtLlm, 1), // 16/42; 11/37
  }),
  prefillAttention: prefill(0.714, 0.854, 16.5e-6, 1990), // 7.4/33; 4.4/12
  fp8PrefillAttention: prefill(1, 1, 16e-6, 2690), // 8.6/28; 6.8/18
  decodeAttention: decode(0.121, 0.979, 10.8e-6, 138), // 6.3/35; 7.8/34, FP8 7.8/32; 8.4/35
  experts: Object.freeze({
    ...blackwellTrtLlm.experts,
    fp4: experts(0.9, 0.673, 34.6e-6, 2.18, 3.91), // 9.6/28; 11/30, 9.2/27
  }),
});

const family = (
  architectures: readonly string[],
  vllm: Efficiency,
  trtLlm: Efficiency,
  quantised: number,
  older: FamilyEfficiency['libraries'] = {},
): FamilyEfficiency => {
  const llamaCpp = llamaCppOnHbm(vllm, { f16: 0.5 * vllm.gemm.bf16.compute, quantised });
  return {
    architectures,
    typical: vllm,
    libraries: {
      vllm,
      'trt-llm': trtLlm,
      ...older,
      'llama.cpp': llamaCpp,
      mlx: llamaCpp,
      eager: eager(vllm),
      none: universal,
    },
  };
};

// Dense 16-bit FLOP a clock and multiprocessor: data sheets.
export const nvidiaDatacentre: readonly FamilyEfficiency[] = [
  family(['ampere'], ampereVllm, ampereTrtLlm, 0.4, earlierTrtLlm(ampereTrtLlm, 2048, ampereSingle)),
  family(['hopper'], hopperVllm, hopperTrtLlm, 0.25, earlierTrtLlm(hopperTrtLlm, 4096, hopperSingle)),
  family(['blackwell'], blackwellVllm, blackwellTrtLlm, 0.15),
  family(['blackwell-ultra'], ultraVllm, ultraTrtLlm, 0.15),
];
