import type { Engine } from '../../src/profile/engine.ts';
import type { Hardware } from '../../src/profile/hardware.ts';
import type { Model } from '../../src/profile/model.ts';
import { type Deployment, type Scenario, singleDevice } from '../../src/profile/scenario.ts';
import type { Workload } from '../../src/profile/workload.ts';

/** Round numbers that can be summed in the head: 1 TFLOP/s, 1 TB/s, 100 GB, 100 GB/s links. */
export const toyHardware: Hardware = {
  name: 'toy',
  title: 'Toy device',
  aliases: [],
  vendor: 'Toy',
  architecture: 'hopper',
  released: 2026,
  formFactor: 'board',
  memory: { capacity: 100e9, bandwidth: 1e12, kind: 'HBM', unified: false },
  matrix: { fp16: 1e12, bf16: 1e12, fp8: 2e12, int8: 2e12 },
  matrixFp16Accumulate: {},
  link: { kind: 'toylink', topology: 'switch', bandwidth: 100e9, domain: 8 },
  host: { kind: 'PCIe', bandwidth: 10e9 },
  power: { limit: 100 },
  units: { kind: 'core' },
  cache: {},
  confidence: 'high',
  uncited: [],
  sources: [],
  notes: '',
};

/**
 * One layer, hidden size 1000, 10 heads of 100 (KV heads alike), MLP 4000 not gated, vocabulary 1000, untied.
 * Attention 4 x 1000 x 1000 = 4e6, MLP 2 x 1000 x 4000 = 8e6, head 1e6, input table 1e6.
 */
export const toyModel: Model = {
  name: 'toy-13m',
  title: 'Toy 13M',
  aliases: [],
  family: 'toy',
  hiddenSize: 1000,
  vocabulary: 1000,
  embedding: { tied: false, lookupParameters: 0, projectionParameters: 0 },
  layers: [
    {
      count: 1,
      mixer: {
        kind: 'attention',
        heads: 10,
        keyValueHeads: 10,
        keySize: 100,
        valueSize: 100,
        chunked: false,
        gated: false,
        keyValue: 'own',
      },
      feedForward: { kind: 'dense', width: 4000, gated: false },
      vectorParameters: 0,
      parallelBlocks: false,
    },
  ],
  vectorParameters: 0,
  extras: { mtpParameters: 0, towerParameters: 0 },
  checkpoint: { layers: 'bf16' },
  sources: [],
  notes: '',
};

/** No engine: no overhead, no limits, all memory. */
export const bareEngine: Engine = {
  name: 'none',
  title: 'bare hardware',
  aliases: [],
  kernels: 'none',
  releases: [
    {
      version: '1',
      since: '2026-01-01',
      scheduling: {
        policy: 'mixed',
        tokenBudget: [],
        maxSequences: [],
        kvBlockTokens: 1,
        prefixCache: true,
        schedulesAhead: false,
        graphs: true,
        fusedAttention: true,
        fusedKernels: true,
      },
      memory: {
        fraction: 1,
        basis: 'total',
        reserve: 0,
        bytesPerLogit: 0,
        keyValueFollowsWeights: false,
        reservesOutput: false,
      },
      overhead: { step: 0, layer: 0, sequence: 0, stream: 0, request: 0, launch: 0, citations: [] },
    },
  ],
  sources: [],
  notes: '',
};

export const toyDeployment = (changes: Partial<Deployment> = {}): Deployment => {
  const engine = changes.engine ?? bareEngine;
  const [release] = engine.releases;
  if (release === undefined) throw new Error('an engine needs a release');
  return {
    model: toyModel,
    hardware: toyHardware,
    engine,
    release,
    precision: {},
    parallelism: singleDevice,
    ...changes,
  };
};

export const toyWorkload = (changes: Partial<Workload> = {}): Workload => ({
  prompt: 100,
  output: 10,
  cached: 0,
  load: { kind: 'batch', size: 1 },
  ...changes,
});

export const toyScenario = (changes: Partial<Scenario> = {}): Scenario => ({
  deployment: toyDeployment(),
  workload: toyWorkload(),
  grade: 'ideal',
  ...changes,
});
