import type { Attention, Experts, LatentAttention, LayerGroup, Recurrent } from '../../src/profile/model.ts';
import type { EngineOverhead, EngineRelease, EngineScheduling } from '../../src/profile/engine.ts';
import type { Parallelism } from '../../src/profile/scenario.ts';
import { singleDevice } from '../../src/profile/scenario.ts';
import { bareEngine, toyModel } from './toy.ts';

/** 10 heads of 100, each with its own keys and values. */
export const toyAttention: Attention = {
  kind: 'attention',
  heads: 10,
  keyValueHeads: 10,
  keySize: 100,
  valueSize: 100,
  chunked: false,
  gated: false,
  keyValue: 'own',
};

/** 4 heads over a latent of 80 + 20 elements. */
export const toyLatent: LatentAttention = {
  kind: 'latent-attention',
  heads: 4,
  keyValueRank: 80,
  nopeSize: 30,
  ropeSize: 20,
  valueSize: 30,
};

/** 3000 elements of projections and a state of 100 + 10 elements. */
export const toyRecurrent: Recurrent = {
  kind: 'recurrent',
  variant: 'mamba2',
  matrixParameters: 3000,
  stateElements: 100,
  convolutionElements: 10,
  recurrenceFlops: 500,
};

/** 8 experts of width 50, two for each token. */
export const toyExperts: Experts = {
  kind: 'experts',
  experts: 8,
  active: 2,
  width: 50,
  gated: true,
  sharedWidth: 0,
  denseWidth: 0,
  vectorParametersPerExpert: 0,
};

/** The toy model's layer with some parts replaced. */
export function toyLayer(changes: Partial<LayerGroup> = {}): LayerGroup {
  const [layer] = toyModel.layers;
  if (layer === undefined) throw new Error('the toy model has a layer');
  return { ...layer, ...changes };
}

export const ranks = (changes: Partial<Parallelism>): Parallelism => ({ ...singleDevice, ...changes });

/** The bare engine's release with other rules or costs. */
export function toyRelease(
  changes: Partial<Omit<EngineRelease, 'scheduling' | 'overhead'>> & {
    readonly scheduling?: Partial<EngineScheduling>;
    readonly overhead?: Partial<EngineOverhead>;
  } = {},
): EngineRelease {
  const [release] = bareEngine.releases;
  if (release === undefined) throw new Error('the bare engine has a release');
  const { scheduling, overhead, ...rest } = changes;
  return {
    ...release,
    ...rest,
    scheduling: { ...release.scheduling, ...scheduling },
    overhead: { ...release.overhead, ...overhead },
  };
}

/** A step of at most `value` tokens (or sequences) on any device. */
export const limit = (value: number): EngineScheduling['tokenBudget'] => [{ memory: 0, except: [], value }];
