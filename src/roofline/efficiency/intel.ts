import type { Efficiency } from '../efficiency.ts';
import type { FamilyEfficiency } from './build.ts';
import { collective, decode, efficiency, elementWise, everyClass, experts, gemm, outlined, prefill } from './build.ts';
import { aiconfigurator, assumption, gaudiPage, mistralRs } from './sources.ts';

/**
 * Arc Pro B60 with vLLM 0.20 (98.3 TFLOP/s, 0.456 TB/s), fits and errors as in nvidia-datacentre.ts. The floors are
 * high: the runtime launches each kernel anew. FP8 has no unit of its own: its peak is that of 16 bits.
 */
const xe: Efficiency = efficiency({
  gemm: everyClass({
    bf16: gemm(0.92, 0.962, 26.1e-6, 5.72), // 9.8/32; 6.2/26
    'weight-only-8': gemm(0.978, 0.997, 18.5e-6, 2.06, 0.01), // FP8 8.1/37; 3.2/27
    'weight-only': gemm(0.9, 0.95, 20e-6, 2),
  }),
  prefillAttention: prefill(0.689, 1, 48.3e-6, 1), // head 128: 13/43; 5.0/23, head 64: 22/45
  decodeAttention: decode(0.6, 1, 59.3e-6, 38.6), // 11/37; 7.5/31. FP8 KV reaches 0.62 of the bandwidth only
  latentPrefill: prefill(0.6, 1, 48.3e-6, 1),
  latentDecode: decode(0.3, 0.95, 59.3e-6, 100),
  experts: everyClass({
    bf16: experts(0.9, 1, 122e-6, 1, 3.37), // power-law routing on one GPU, 17/38
    'weight-only': experts(0.431, 0.827, 152e-6, 1, 3.21), // MXFP4 7.4/17
  }),
  elementWise: elementWise(0.9, 15e-6),
  // oneCCL: 0.58 of PCIe, 6.2/27 over 2 and 4 GPUs.
  collective: collective(11.2e-6, 0.586, 1.06, 11.2e-6, 0.586),
  evidence: 'measured',
  sources: [aiconfigurator],
});

const roce = (floor: number): Efficiency['collective'] => collective(floor, 0.75, 0.7, 12e-6, 0.4);

/**
 * The matrix engine holds most of its peak, and whole steps are one compiled graph, so kernels cost little: Llama 2 7B
 * in BF16 decodes at 0.84 of the bandwidth (batch 1 of LLM-Inference-Bench), Llama 2 70B FP8 on two cards at 0.75. The
 * cache is one contiguous tensor, read as well as weights are: 0.8.
 */
const gaudi2: Efficiency = outlined({
  compute: 0.8,
  compute8: 0.68,
  computeWeightOnly: 0.5,
  memory: 0.85,
  memoryWeightOnly: 0.55,
  floor: 3e-6,
  sharpness: 2,
  prefillCompute: 0.35,
  halfLength: 600,
  decodeMemory: 0.8,
  collective: roce(12e-6),
  evidence: 'assumed',
  sources: [gaudiPage],
});

/** Llama 2 7B FP8, 2048 tokens in, 153 sequences: prefill near 0.5 of the FP8 peak, attention included. */
const gaudi3: Efficiency = outlined({
  compute: 0.78,
  compute8: 0.64,
  computeWeightOnly: 0.45,
  memory: 0.85,
  memoryWeightOnly: 0.55,
  floor: 3e-6,
  sharpness: 2,
  prefillCompute: 0.35,
  halfLength: 600,
  decodeMemory: 0.8,
  collective: roce(12e-6),
  evidence: 'assumed',
  sources: [gaudiPage],
});

/** Sockets talk over their own links; the shares are those of one socket with its memory local. */
const socket = collective(5e-6, 0.6, 1, 5e-6, 0.6);

/** c7i Xeon with AMX: Qwen3 4B Q8 decodes at 24 tokens/s, Q4 at 34: 4 bits are bound by unpacking. */
const cpuAmx: Efficiency = outlined({
  compute: 0.4,
  computeWeightOnly: 0.2,
  memory: 0.65,
  memoryWeightOnly: 0.5,
  floor: 4e-6,
  sharpness: 2,
  prefillCompute: 0.2,
  halfLength: 200,
  decodeMemory: 0.5,
  latent: 'read-twice',
  collective: socket,
  evidence: 'assumed',
  sources: [mistralRs],
});

/**
 * GB10's Arm cores: Qwen3 4B Q4_K at 40 tokens/s is 0.37 of the bandwidth, and its quantised prefill 0.17 of the peak
 * of 16 bits (llama.cpp, Q4 to Q8); x86 desktops are nearer 0.7 of the bandwidth.
 */
const cpu: Efficiency = outlined({
  compute: 0.4,
  computeWeightOnly: 0.17,
  memory: 0.6,
  memoryWeightOnly: 0.42,
  floor: 4e-6,
  sharpness: 2,
  prefillCompute: 0.25,
  halfLength: 100,
  decodeMemory: 0.5,
  latent: 'read-twice',
  collective: socket,
  evidence: 'assumed',
  sources: [mistralRs, assumption('vector GEMM of oneDNN and llamafile kinds reaches half of the peak')],
});

/** Xe-HPC (Max 1550) rides with Arc: same libraries, no timings of its own. */
export const intel: readonly FamilyEfficiency[] = [
  { architectures: ['xe', 'xe2', 'xe-hpc', 'xe-hpg'], typical: xe, libraries: {} },
  { architectures: ['gaudi2'], typical: gaudi2, libraries: {} },
  { architectures: ['gaudi3'], typical: gaudi3, libraries: {} },
  { architectures: ['cpu-amx'], typical: cpuAmx, libraries: {} },
  { architectures: ['cpu'], typical: cpu, libraries: {} },
];
