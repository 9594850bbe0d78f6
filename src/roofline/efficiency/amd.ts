import type { Efficiency } from '../efficiency.ts';
import type { FamilyEfficiency } from './build.ts';
import { collective, elementWise, experts, gemm, outlined, variant } from './build.ts';
import { argonne, assumption, gptFast, llmCompass, rocmDocker, strixHalo } from './sources.ts';

/** RCCL over xGMI: about two thirds of the mesh at 8 devices; PCIe as NVIDIA cards with peer-to-peer. */
const xgmi = collective(6e-6, 0.66, 0.6, 8e-6, 0.42);
/** MI250: dies of one and of several cards on one ring, without the one-shot kernels of later engines. */
const ring = collective(15e-6, 0.5, 0.6, 15e-6, 0.42);
const hostOnly = collective(8e-6, 0.5, 0.8, 10e-6, 0.3);

/**
 * Block-scaled FP8 runs in Triton or Composable Kernel on CDNA, not in hipBLASLt. MoE models with block scales on
 * MI300X (SGLang 0.5: DeepSeek-V3.1, Qwen3-Coder-480B, MiniMax-M2) take 1.7-2.1 times the step that per-tensor FP8
 * would; half the shares and twice the floors give that.
 */
function withBlockScales(base: Efficiency): Efficiency {
  const dense = base.gemm.fp8;
  const sparse = base.experts.fp8;
  return variant(base, {
    gemm: Object.freeze({
      ...base.gemm,
      'fp8-block': gemm(dense.compute / 2, dense.memory / 2, dense.floor * 2, dense.sharpness, 2),
    }),
    experts: Object.freeze({
      ...base.experts,
      'fp8-block': experts(sparse.compute / 2, sparse.memory / 2, sparse.floor * 2, sparse.sharpness, 3),
    }),
  });
}

const cdna1: Efficiency = outlined({
  compute: 0.55,
  computeWeightOnly: 0.35,
  memory: 0.6,
  memoryWeightOnly: 0.45,
  floor: 8e-6,
  sharpness: 1.8,
  prefillCompute: 0.25,
  halfLength: 500,
  decodeMemory: 0.55,
  collective: xgmi,
  evidence: 'assumed',
  sources: [assumption('as MI210, less for older libraries'), llmCompass],
});

/**
 * GEMM of MI210 with rocBLAS in FP16 (2.4/4 % on 22 shapes, all of many rows: its share of bandwidth, 0.37, is that of
 * tall products and not of decode, where one die of MI250X streams weights at 0.63 end to end). Its element-wise kernels
 * reach 0.38.
 */
const cdna2: Efficiency = variant(
  outlined({
    compute: 0.671,
    computeWeightOnly: 0.4,
    memory: 0.7,
    memoryWeightOnly: 0.5,
    floor: 8e-6,
    sharpness: 2.13,
    prefillCompute: 0.3,
    halfLength: 500,
    decodeMemory: 0.65,
    collective: xgmi,
    evidence: 'similar',
    sources: [llmCompass, gptFast],
  }),
  { elementWise: elementWise(0.38, 8e-6) },
);

/**
 * Under vLLM an 8B model takes 12 ms a token on 8 dies and 15 on 2 (LLM-Inference-Bench): 12 us a kernel and an all-reduce of
 * 15 us a doubling leave that much.
 */
const cdna2Vllm: Efficiency = outlined({
  compute: 0.671,
  computeWeightOnly: 0.4,
  memory: 0.65,
  memoryWeightOnly: 0.5,
  floor: 12e-6,
  sharpness: 2.13,
  prefillCompute: 0.3,
  halfLength: 500,
  decodeMemory: 0.65,
  collective: ring,
  evidence: 'similar',
  sources: [llmCompass, argonne],
});

/**
 * MI300X, MI325X: 405B FP8 on 8 devices takes 23-25 ms a step, of which weights at full bandwidth are 9.6 ms: 0.72 of
 * the bandwidth, 6 us a kernel and an all-reduce of 18 us explain the rest.
 */
const cdna3: Efficiency = withBlockScales(
  outlined({
    compute: 0.52,
    compute8: 0.48,
    computeWeightOnly: 0.3,
    memory: 0.72,
    memoryWeightOnly: 0.5,
    floor: 5e-6,
    sharpness: 2,
    prefillCompute: 0.35,
    halfLength: 600,
    decodeMemory: 0.7,
    collective: xgmi,
    evidence: 'assumed',
    sources: [rocmDocker, assumption('compute: hipBLASLt sustains about half of the data sheet under its power limit')],
  }),
);

const cdna4: Efficiency = outlined({
  compute: 0.55,
  compute8: 0.52,
  computeWeightOnly: 0.25,
  memory: 0.74,
  memoryWeightOnly: 0.5,
  floor: 5e-6,
  sharpness: 2,
  prefillCompute: 0.38,
  halfLength: 800,
  decodeMemory: 0.72,
  collective: xgmi,
  evidence: 'assumed',
  sources: [assumption('as MI300X, with the half length of larger peaks'), rocmDocker],
});

/** No matrix units: the peak is that of packed FP16 in the shaders. */
const rdna1: Efficiency = outlined({
  compute: 0.5,
  computeWeightOnly: 0.35,
  memory: 0.75,
  memoryWeightOnly: 0.6,
  floor: 7e-6,
  sharpness: 1.8,
  prefillCompute: 0.2,
  halfLength: 200,
  decodeMemory: 0.6,
  latent: 'read-twice',
  collective: hostOnly,
  evidence: 'assumed',
  sources: [assumption('llama.cpp on shaders: memory as other GDDR6 cards')],
});

const rdna3: Efficiency = outlined({
  compute: 0.5,
  computeWeightOnly: 0.4,
  memory: 0.8,
  memoryWeightOnly: 0.68,
  floor: 6e-6,
  sharpness: 1.8,
  prefillCompute: 0.2,
  halfLength: 200,
  decodeMemory: 0.7,
  latent: 'read-twice',
  collective: hostOnly,
  evidence: 'assumed',
  sources: [strixHalo, assumption('matrix instructions issue on the shaders; memory as measured GDDR6 cards')],
});

/**
 * Strix Halo, over eight models and all public container images: dense models prefill at 0.3 of the FP16 peak and
 * decode at 0.8 of the bandwidth; products of few rows an expert pay whole tiles.
 */
const rdna35: Efficiency = variant(
  outlined({
    compute: 0.3,
    computeWeightOnly: 0.3,
    memory: 0.85,
    memoryWeightOnly: 0.83,
    floor: 3.8e-6,
    sharpness: 2,
    prefillCompute: 0.1,
    halfLength: 200,
    decodeMemory: 0.7,
    latent: 'read-twice',
    collective: hostOnly,
    evidence: 'assumed',
    sources: [strixHalo],
  }),
  { smallBatch: { tileRows: 64, vectorCost: 3 } },
);

const rdna4: Efficiency = variant(rdna3, {
  sources: [
    assumption('as RDNA 3; its doubled matrix rate reaches the same share in public llama.cpp figures'),
    strixHalo,
  ],
});

export const amd: readonly FamilyEfficiency[] = [
  { architectures: ['cdna1'], typical: cdna1, libraries: {} },
  { architectures: ['cdna2'], typical: cdna2, libraries: { vllm: cdna2Vllm } },
  { architectures: ['cdna3'], typical: cdna3, libraries: {} },
  { architectures: ['cdna4'], typical: cdna4, libraries: {} },
  { architectures: ['rdna1', 'rdna2'], typical: rdna1, libraries: {} },
  { architectures: ['rdna3'], typical: rdna3, libraries: {} },
  { architectures: ['rdna3.5'], typical: rdna35, libraries: {} },
  { architectures: ['rdna4'], typical: rdna4, libraries: {} },
];
