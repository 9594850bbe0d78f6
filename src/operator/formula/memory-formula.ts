import { convolutionStateBytes, recurrentStateBytes } from '../../profile/key-value-bytes.ts';
import { elements, expertElements, feedForwardMatrices, mixerMatrices } from '../../profile/layer-matrices.ts';
import type { Attention, LayerGroup, Mixer, Model, SparseSelector } from '../../profile/model.ts';
import type { Precision } from '../../profile/precision.ts';
import type { Parallelism } from '../../profile/scenario.ts';
import { shardLayer } from '../shard.ts';
import { type Formula, formula, shared, size } from './formula.ts';

/** A part of what a device holds, bytes. */
export interface MemoryFormula extends Formula {
  readonly part: string;
  readonly value: number;
  /** KV alone: tokens behind which it grows no further; 0 = does not grow at all; absent = grows with every token. */
  readonly window?: number;
}

/** Norms, biases, routers and scales stay in 16 bits. */
const vectorBytes = 2;

/** Weights on the fullest device by part: elements of a rank x bits / 8, spread over the stages. */
export function weightFormulas(model: Model, precision: Precision, parallelism: Parallelism): readonly MemoryFormula[] {
  const counts = { attention: 0, mlp: 0, experts: 0, shared: 0, vectors: 0 };
  for (const layer of model.layers) addLayer(counts, model.hiddenSize, layer, parallelism);
  const ofLayers = (part: string, count: number, bits: number): MemoryFormula => ({
    part,
    value: (count * bits) / 8 / parallelism.pipeline,
    ...formula`${size('elements of a rank', count)} * ${size('bits', bits)} / 8${overStages(parallelism)}`,
  });
  const { attention, mlp, experts, shared: sharedExperts, vectors } = counts;
  const around = model.embedding.projectionParameters + model.vectorParameters;
  return [
    ofLayers('attention and mixers', attention, precision.attention.bits),
    ofLayers('MLP', mlp, precision.feedForward.bits),
    ofLayers('routed experts', experts, precision.experts.bits),
    ofLayers('shared experts', sharedExperts, precision.sharedExperts.bits),
    ofLayers('norms, biases and routers', vectors, 8 * vectorBytes),
    endsFormula(model, precision, parallelism),
    {
      part: 'around the layers',
      value: around * vectorBytes,
      ...formula`${size('elements', around)} * ${vectorBytes}`,
    },
  ].filter(({ value }) => value > 0);
}

const overStages = ({ pipeline }: Parallelism): Formula =>
  pipeline === 1 ? { words: '', numbers: '' } : formula` / ${size('stages', pipeline)}`;

function addLayer(
  counts: Record<'attention' | 'mlp' | 'experts' | 'shared' | 'vectors', number>,
  hiddenSize: number,
  layer: LayerGroup,
  parallelism: Parallelism,
): void {
  const { mixer, feedForward } = shardLayer(layer, parallelism);
  counts.attention += layer.count * elements(mixerMatrices(hiddenSize, mixer));
  counts.vectors += layer.count * layer.vectorParameters;
  const matrices = feedForwardMatrices(hiddenSize, feedForward);
  if (feedForward.kind !== 'experts') {
    counts.mlp += layer.count * elements(matrices);
    return;
  }
  const local = feedForward.experts / parallelism.expert;
  const of = (...names: readonly string[]): number => elements(matrices.filter(({ name }) => names.includes(name)));
  counts.experts += layer.count * local * expertElements(hiddenSize, feedForward);
  counts.shared += layer.count * of('shared-expert');
  counts.mlp += layer.count * of('latent-down', 'latent-up', 'gate', 'up', 'down');
  counts.vectors += layer.count * (local * feedForward.vectorParametersPerExpert + of('router'));
}

/** One device holds both ends where there is a single stage; else the larger of them. */
function endsFormula(
  { hiddenSize, vocabulary, embedding }: Model,
  { embedding: stored, head }: Precision,
  { tensor, pipeline }: Parallelism,
): MemoryFormula {
  const elementsOf = vocabulary * hiddenSize;
  const table = formula`${size('vocabulary', vocabulary)} * ${size('hidden size', hiddenSize)}`;
  const ranks = size('TP', tensor);
  const lookups =
    embedding.lookupParameters === 0 ? table : formula`(${table} + ${size('look-ups', embedding.lookupParameters)})`;
  const first = {
    value: (((elementsOf + embedding.lookupParameters) / tensor) * stored.bits) / 8,
    ...formula`${lookups} / ${ranks} * ${size('bits', stored.bits)} / 8`,
  };
  const last = {
    value: ((elementsOf / tensor) * head.bits) / 8,
    ...formula`${table} / ${ranks} * ${size('bits', head.bits)} / 8`,
  };
  const part = 'embedding and head';
  if (embedding.tied) return { part, ...first };
  return pipeline === 1
    ? { part, value: first.value + last.value, ...formula`${first} + ${last}` }
    : { part, value: Math.max(first.value, last.value), ...formula`max(${first}, ${last})` };
}

/** KV of a token (or the state of a sequence) on one rank, by group of layers. */
export function keyValueFormulas(
  model: Model,
  precision: Precision,
  parallelism: Parallelism,
): readonly MemoryFormula[] {
  return model.layers.flatMap((layer) => {
    const { mixer } = shardLayer(layer, parallelism);
    const bits = precision.keyValue.bits;
    return cachesOf(layer.mixer, mixer).map(({ part, entry, elements: count, window, bytes }) => ({
      part,
      ...(bytes === true
        ? {
            value: (layer.count * count) / parallelism.pipeline,
            ...formula`${size('layers', layer.count)} * ${entry}${overStages(parallelism)}`,
          }
        : {
            value: (layer.count * count * bits) / 8 / parallelism.pipeline,
            ...formula`${size('layers', layer.count)} * ${entry} * ${size('bits', bits)} / 8${overStages(parallelism)}`,
          }),
      ...(window === undefined ? {} : { window }),
    }));
  });
}

interface Cache {
  readonly part: string;
  readonly entry: Formula;
  /** Elements of an entry; bytes where `bytes`. */
  readonly elements: number;
  readonly window?: number;
  readonly bytes?: true;
}

function cachesOf(whole: Mixer, shard: Mixer): readonly Cache[] {
  if (whole.kind === 'attention' && shard.kind === 'attention') return attentionCaches(whole, shard);
  if (whole.kind === 'latent-attention') {
    const { keyValueRank, ropeSize, sparse } = whole;
    const entry = formula`(${size('KV rank', keyValueRank)} + ${size('rope size', ropeSize)}${selectorKey(sparse)})`;
    return [{ part: 'latent attention', entry, elements: keyValueRank + ropeSize + selectorSize(sparse) }];
  }
  if (whole.kind !== 'recurrent' || shard.kind !== 'recurrent') return [];
  const state = shared('state elements', whole.stateElements, shard.stateElements);
  const tail = shared('convolution elements', whole.convolutionElements, shard.convolutionElements);
  const entry = formula`(${state} * ${recurrentStateBytes} + ${tail} * ${convolutionStateBytes})`;
  const elementBytes = shard.stateElements * recurrentStateBytes + shard.convolutionElements * convolutionStateBytes;
  return [{ part: 'state', entry, elements: elementBytes, window: 0, bytes: true }];
}

function attentionCaches(whole: Attention, shard: Attention): readonly Cache[] {
  if (whole.keyValue === 'shared') return [];
  const { keySize, valueSize, window, compressed, sparse } = whole;
  const heads = shared('KV heads', whole.keyValueHeads, shard.keyValueHeads);
  const key = size('key size', keySize);
  const one = shard.keyValueHeads * keySize;
  if (compressed === undefined) {
    const entry = formula`(${heads} * (${key} + ${size('value size', valueSize)})${selectorKey(sparse)})`;
    const count = one + shard.keyValueHeads * valueSize + selectorSize(sparse);
    return [{ part: 'attention', entry, elements: count, ...(window === undefined ? {} : { window }) }];
  }
  const { tokensPerEntry, localWindow } = compressed;
  const local = { part: 'local window', entry: formula`${heads} * ${key}`, elements: one, window: localWindow };
  if (tokensPerEntry === 0) return [local];
  const entry = formula`(${heads} * ${key}${selectorKey(sparse)}) / ${size('tokens of an entry', tokensPerEntry)}`;
  return [{ part: 'compressed entries', entry, elements: (one + selectorSize(sparse)) / tokensPerEntry }, local];
}

const selectorSize = (sparse: SparseSelector | undefined): number =>
  sparse === undefined || sparse.heads === 0 ? 0 : sparse.headSize;

const selectorKey = (sparse: SparseSelector | undefined): Formula =>
  selectorSize(sparse) === 0 ? { words: '', numbers: '' } : formula` + ${size('selector key', selectorSize(sparse))}`;
