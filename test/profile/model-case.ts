import type { Experts, LayerGroup, Model } from '../../src/profile/model.ts';

/** Two layers of width 8: 2 heads of 4, 1 key-value head, a gated MLP of 16; 10 rows. */
export const smallLayer: LayerGroup = {
  count: 2,
  mixer: {
    kind: 'attention',
    heads: 2,
    keyValueHeads: 1,
    keySize: 4,
    valueSize: 4,
    chunked: false,
    gated: false,
    keyValue: 'own',
  },
  feedForward: { kind: 'dense', width: 16, gated: true },
  vectorParameters: 16,
  parallelBlocks: false,
};

export const smallModel: Model = {
  name: 'small',
  title: 'Small',
  aliases: [],
  family: 'llama',
  hiddenSize: 8,
  vocabulary: 10,
  embedding: { tied: false, lookupParameters: 0, projectionParameters: 0 },
  layers: [smallLayer],
  vectorParameters: 8,
  extras: { mtpParameters: 0, towerParameters: 0 },
  checkpoint: { layers: 'bf16' },
  sources: [{ source: 'made up for tests' }],
  notes: '',
};

/** 4 gated experts of width 6, 2 of them active. */
export const smallExperts: Experts = {
  kind: 'experts',
  experts: 4,
  active: 2,
  width: 6,
  gated: true,
  sharedWidth: 0,
  denseWidth: 0,
  vectorParametersPerExpert: 0,
};

export function withLayer(change: Partial<LayerGroup>, model: Partial<Model> = {}): Model {
  return { ...smallModel, ...model, layers: [{ ...smallLayer, ...change }] };
}
