import type { Efficiency } from '../efficiency.ts';
import type { FamilyEfficiency, Outline } from './build.ts';
import { collective, outlined } from './build.ts';
import { assumption, neuronTables, ttMetal } from './sources.ts';

const torus = collective(4e-6, 0.8, 0.8, 12e-6, 0.4);
const hostOnly = collective(10e-6, 0.5, 1, 10e-6, 0.4);

/** Where only the memory system and the compiler's habits are known. */
const plain: Omit<Outline, 'sources'> = {
  compute: 0.55,
  memory: 0.7,
  memoryWeightOnly: 0.6,
  floor: 6e-6,
  sharpness: 2,
  prefillCompute: 0.3,
  halfLength: 500,
  decodeMemory: 0.65,
  collective: hostOnly,
  evidence: 'assumed',
};

const tpu: Efficiency = outlined({
  ...plain,
  compute: 0.65,
  compute8: 0.6,
  memory: 0.8,
  memoryWeightOnly: 0.65,
  floor: 3e-6,
  prefillCompute: 0.4,
  decodeMemory: 0.7,
  collective: torus,
  sources: [
    assumption('XLA: whole steps are one program, so kernels cost little; matrix share as reported for training'),
  ],
});

/** 70B on 12 Inferentia2: weights at full bandwidth are 14 of 33 ms; on 16 Trainium 11 of 25. */
const neuron: Efficiency = outlined({
  ...plain,
  compute: 0.24,
  computeWeightOnly: 0.25,
  memory: 0.65,
  memoryWeightOnly: 0.5,
  floor: 5e-6,
  prefillCompute: 0.08,
  decodeMemory: 0.6,
  collective: collective(8e-6, 0.6, 0.8, 15e-6, 0.4),
  sources: [neuronTables],
});

const qualcomm: Efficiency = outlined({
  ...plain,
  compute: 0.45,
  compute8: 0.4,
  sources: [assumption('LPDDR4X memory as other LPDDR devices; compute share of compiled graphs')],
});

const ascend: Efficiency = outlined({
  ...plain,
  compute: 0.65,
  compute8: 0.55,
  floor: 8e-6,
  collective: collective(8e-6, 0.65, 0.7, 12e-6, 0.4),
  sources: [assumption('as A100 with higher floors: kernels are launched one by one from the host graph')],
});

/** Weights stay in SRAM and the schedule is fixed at compile time: what is lost are pipeline bubbles. */
const groq: Efficiency = outlined({
  ...plain,
  compute: 0.6,
  memory: 0.6,
  memoryWeightOnly: 0.6,
  floor: 1e-6,
  halfLength: 50,
  decodeMemory: 0.6,
  collective: collective(1e-6, 0.8, 1, 5e-6, 0.4),
  sources: [assumption('deterministic pipeline over many chips; no public operator figures')],
});

/** n150, Llama 3.1 8B in BFP8 and BFP4: 26 tokens/s a user at batch 32 is 0.55-0.75 of the bandwidth. */
const tenstorrent: Efficiency = outlined({
  ...plain,
  compute: 0.45,
  compute8: 0.45,
  memory: 0.65,
  memoryWeightOnly: 0.65,
  floor: 8e-6,
  prefillCompute: 0.25,
  decodeMemory: 0.55,
  collective: collective(10e-6, 0.6, 0.8, 15e-6, 0.4),
  sources: [ttMetal],
});

const npu: Efficiency = outlined({
  ...plain,
  compute: 0.35,
  compute8: 0.35,
  memory: 0.6,
  memoryWeightOnly: 0.5,
  floor: 15e-6,
  prefillCompute: 0.15,
  decodeMemory: 0.5,
  sources: [assumption('client NPUs share the memory of the host and run compiled graphs')],
});

export const accelerators: readonly FamilyEfficiency[] = [
  { architectures: ['tpu'], typical: tpu, libraries: {} },
  { architectures: ['neuron'], typical: neuron, libraries: {} },
  { architectures: ['qualcomm-ai100'], typical: qualcomm, libraries: {} },
  { architectures: ['ascend'], typical: ascend, libraries: {} },
  { architectures: ['groq', 'cerebras'], typical: groq, libraries: {} },
  { architectures: ['tenstorrent'], typical: tenstorrent, libraries: {} },
  { architectures: ['npu'], typical: npu, libraries: {} },
];
