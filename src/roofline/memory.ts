import { shardLayer } from '../operator/shard.ts';
import { elements, expertElements, feedForwardMatrices, mixerMatrices } from '../profile/layer-matrices.ts';
import type { LayerGroup, Model } from '../profile/model.ts';
import { type KeyValueForm, keyValueForm } from '../profile/key-value-bytes.ts';
import { deploymentPrecision, type Precision } from '../profile/precision.ts';
import type { Deployment, Parallelism } from '../profile/scenario.ts';
import type { EngineLimits } from './engine-limits.ts';

/**
 * What macOS lets the GPU take of the unified memory by default: about three quarters
 * (Metal recommendedMaxWorkingSetSize on 64 GB and larger machines; llama.cpp discussion 4167).
 */
export const appleWorkingSetShare = 0.75;

/** Norms, biases, routers and scales stay in 16 bits. */
const vectorBytes = 2;

/** How a deployment fills one device, bytes. */
export interface DeviceMemory {
  /** What the device has. */
  readonly capacity: number;
  /** What engine and system leave for weights, workspace and KV. */
  readonly usable: number;
  readonly weights: number;
  readonly workspace: number;
  /** Framework, context, communication buffers. */
  readonly reserve: number;
  /** What is left for the KV cache; negative where the weights alone do not fit. */
  readonly keyValueCapacity: number;
  /** What one sequence keeps on a device, as a function of its tokens. */
  readonly keyValue: KeyValueForm;
}

/** Memory of the fullest device of a deployment. */
export function deviceMemory(deployment: Deployment, limits: EngineLimits): DeviceMemory {
  const { model, hardware, release, parallelism } = deployment;
  const precision = deploymentPrecision(deployment);
  const total = hardware.memory.reported ?? hardware.memory.capacity;
  const share = hardware.architecture.startsWith('apple') ? appleWorkingSetShare : 1;
  const weights = weightBytes(model, precision, parallelism);
  const workspace = workspaceBytes(model, parallelism, limits);
  const { fraction, basis, reserve } = release.memory;
  const capacity = total * share;
  const usable =
    basis === 'total'
      ? capacity * fraction
      : weights + workspace + reserve + fraction * (capacity - weights - workspace - reserve);
  return {
    capacity: total,
    usable,
    weights,
    workspace,
    reserve,
    keyValueCapacity: usable - weights - workspace - reserve,
    keyValue: shardedKeyValue(model, precision, parallelism),
  };
}

/** Bytes that sequences of `tokens` tokens keep on a device. */
export const sequenceBytes = ({ full, windowed, fixed }: KeyValueForm, tokens: number): number =>
  windowed.reduce((sum, { window, perToken }) => sum + perToken * Math.min(tokens, window), full * tokens + fixed);

/** Sequences of `tokens` tokens that fit on a device (of one attention group and stage) at once; 0 where none does. */
export const sequencesThatFit = (memory: DeviceMemory, tokens: number): number =>
  Math.max(0, Math.floor(memory.keyValueCapacity / sequenceBytes(memory.keyValue, tokens)));

/**
 * Weights on the fullest device. Layers are spread evenly over the pipeline stages; the first stage also holds the
 * input table, the last the head, and one device both where there is a single stage.
 */
export function weightBytes(model: Model, precision: Precision, parallelism: Parallelism): number {
  const layers = model.layers.reduce(
    (sum, layer) => sum + layer.count * layerBytes(model, layer, precision, parallelism),
    0,
  );
  const { hiddenSize, vocabulary, embedding } = model;
  const table = vocabulary * hiddenSize;
  const lookups = (((table + embedding.lookupParameters) / parallelism.tensor) * precision.embedding.bits) / 8;
  const around = embedding.projectionParameters * vectorBytes + model.vectorParameters * vectorBytes;
  const head = embedding.tied ? 0 : ((table / parallelism.tensor) * precision.head.bits) / 8;
  const ends = parallelism.pipeline === 1 ? lookups + head : Math.max(lookups, embedding.tied ? lookups : head);
  return layers / parallelism.pipeline + ends + around;
}

function layerBytes(model: Model, layer: LayerGroup, precision: Precision, parallelism: Parallelism): number {
  const shard = shardLayer(layer, parallelism);
  const mixers = (elements(mixerMatrices(model.hiddenSize, shard.mixer)) * precision.attention.bits) / 8;
  return (
    mixers + feedForwardBytes(model.hiddenSize, shard, precision, parallelism) + layer.vectorParameters * vectorBytes
  );
}

function feedForwardBytes(
  hiddenSize: number,
  { feedForward: block }: LayerGroup,
  precision: Precision,
  parallelism: Parallelism,
): number {
  const matrices = feedForwardMatrices(hiddenSize, block);
  if (block.kind !== 'experts') return (elements(matrices) * precision.feedForward.bits) / 8;
  const routed = (block.experts / parallelism.expert) * expertElements(hiddenSize, block);
  const of = (...names: readonly string[]): number => elements(matrices.filter(({ name }) => names.includes(name)));
  const vectors = (block.experts / parallelism.expert) * block.vectorParametersPerExpert + of('router');
  return (
    (routed * precision.experts.bits) / 8 +
    (of('shared-expert') * precision.sharedExperts.bits) / 8 +
    (of('latent-down', 'latent-up', 'gate', 'up', 'down') * precision.feedForward.bits) / 8 +
    vectors * vectorBytes
  );
}

/** A sequence's KV on one rank: heads are divided, at least one is kept, latents are whole on every rank. */
function shardedKeyValue(model: Model, precision: Precision, parallelism: Parallelism): KeyValueForm {
  const layers = model.layers.map((layer) => shardLayer(layer, parallelism));
  const form = keyValueForm({ ...model, layers }, precision.keyValue.bits / 8);
  const stages = parallelism.pipeline;
  return {
    full: form.full / stages,
    windowed: form.windowed.map(({ window, perToken }) => ({ window, perToken: perToken / stages })),
    fixed: form.fixed / stages,
  };
}

/**
 * Peak of activations that the engine sets aside: the widest layer over a full token budget, or the sampler's copies
 * of the logits for as many rows as may run, whichever is larger (they are not alive at once).
 */
function workspaceBytes(model: Model, parallelism: Parallelism, limits: EngineLimits): number {
  const widest = Math.max(
    ...model.layers.map((layer) => {
      const { mixer, feedForward } = shardLayer(layer, parallelism);
      const mixed = elements(mixerMatrices(model.hiddenSize, mixer)) / model.hiddenSize / 2;
      const width = feedForward.kind === 'dense' ? 3 * feedForward.width : 0;
      const visited =
        feedForward.kind === 'experts' ? feedForward.active * 3 * feedForward.width + 3 * feedForward.sharedWidth : 0;
      return Math.max(mixed, width, visited);
    }),
  );
  const tokens = Math.min(limits.tokenBudget, model.contextLimit ?? Infinity, workspaceTokens);
  const layerPeak = tokens * (widest + 4 * model.hiddenSize) * vectorBytes;
  const rows = Math.min(limits.maxSequences, tokens);
  return Math.max(layerPeak, rows * model.vocabulary * limits.bytesPerLogit);
}

/** Engines without a token budget run whole prompts; their workspace is taken for one of this many tokens. */
const workspaceTokens = 16384;
