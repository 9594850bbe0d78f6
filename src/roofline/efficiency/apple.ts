import type { Efficiency } from '../efficiency.ts';
import type { FamilyEfficiency } from './build.ts';
import { collective, outlined, variant } from './build.ts';
import { assumption, llamaBench, llamaCppM2Ultra, mlxLm } from './sources.ts';

/** Thunderbolt or Ethernet between machines; nothing inside one. */
const none = collective(50e-6, 0.7, 1, 50e-6, 0.7);

/**
 * Llama 3 8B F16 decodes at 0.82-0.87 of the bandwidth on M1 Pro and M3 Max and at 0.69 on M2 Ultra (two dies);
 * Q4_K_M prefills at 0.58 of the FP16 rate on M1 Max (2024).
 */
const metal: Efficiency = variant(
  outlined({
    compute: 0.75,
    computeWeightOnly: 0.65,
    memory: 0.87,
    memoryWeightOnly: 0.78,
    floor: 3.8e-6,
    sharpness: 2,
    prefillCompute: 0.4,
    halfLength: 100,
    decodeMemory: 0.7,
    latent: 'read-twice',
    collective: none,
    evidence: 'assumed',
    sources: [llamaBench, llamaCppM2Ultra],
  }),
  // llama-batched-bench on M2 Ultra: each further sequence costs as much as 4 rows of the matrix kernel, up to about
  // 15 of them; then a tile of 64 rows serves all.
  { smallBatch: { tileRows: 64, vectorCost: 4.2 } },
);

/** M4 Max, Qwen3 4B: BF16 prefills at 0.80 of the FP16 rate and decodes at 0.80 of the bandwidth, 4 bits at 0.73 and 0.63. */
const mlx: Efficiency = outlined({
  compute: 0.85,
  computeWeightOnly: 0.78,
  memory: 0.88,
  memoryWeightOnly: 0.85,
  floor: 5e-6,
  sharpness: 2,
  prefillCompute: 0.5,
  halfLength: 100,
  decodeMemory: 0.75,
  collective: none,
  evidence: 'assumed',
  sources: [mlxLm],
});

/** M5: matrix units inside the GPU cores; no public operator figures, so a smaller share of the larger peak. */
const tensor: Efficiency = outlined({
  compute: 0.6,
  computeWeightOnly: 0.55,
  memory: 0.87,
  memoryWeightOnly: 0.84,
  floor: 5e-6,
  sharpness: 2,
  prefillCompute: 0.35,
  halfLength: 200,
  decodeMemory: 0.75,
  collective: none,
  evidence: 'assumed',
  sources: [
    assumption('memory as M1-M4; of the matrix units, the share that first tensor cores reach elsewhere'),
    mlxLm,
  ],
});

export const apple: readonly FamilyEfficiency[] = [
  {
    architectures: ['apple', 'apple-m1', 'apple-m2', 'apple-m3', 'apple-m4'],
    typical: metal,
    libraries: { mlx },
  },
  { architectures: ['apple-tensor', 'apple-m5'], typical: tensor, libraries: {} },
];
