import { elements, expertElements, feedForwardMatrices, mixerMatrices } from './layer-matrices.ts';
import type { LayerGroup, Model } from './model.ts';

/** Parameters of a language model by part; every figure is a count of elements, whatever their format. */
export interface ParameterCount {
  /** The language model as published (scope `lm`): embedding, layers, norms and head, a tied table once. */
  readonly total: number;
  /** What one token visits: `total` less the routed experts that it does not choose. */
  readonly active: number;
  /** Input table, learned positions, per-layer embeddings and projections around them. */
  readonly embedding: number;
  /** Output head; 0 where the input table serves as head. */
  readonly head: number;
  /** Token mixers of all layers: matrices only. */
  readonly mixers: number;
  /** Feed-forward blocks of all layers, routers, shared and routed experts included. */
  readonly feedForwards: number;
  /** Routed experts alone (a part of `feedForwards`). */
  readonly routedExperts: number;
  /** Norms, biases, sinks and router biases, of layers and model. */
  readonly vectors: number;
  /** Everything between embedding and final norm: mixers, feed-forward blocks and the layers' vectors. */
  readonly layers: number;
}

/** Active parameters as different publishers count them. */
export interface ActiveCount {
  readonly whole: number;
  /** Without the look-up of the input embedding (gpt-oss's "5.1B"). */
  readonly withoutEmbedding: number;
  /** Without embedding and head (MiniMax-Text-01's "45.9B"). */
  readonly layersOnly: number;
}

/** Parameters of a model, by the formulas of its layers' shapes. */
export function parameterCount(model: Model): ParameterCount {
  const { hiddenSize, vocabulary, embedding } = model;
  const table = vocabulary * hiddenSize;
  let mixers = 0;
  let feedForwards = 0;
  let routedExperts = 0;
  let idleExperts = 0;
  let layerVectors = 0;
  for (const layer of model.layers) {
    mixers += layer.count * elements(mixerMatrices(hiddenSize, layer.mixer));
    const routed = routedExpertCount(hiddenSize, layer);
    routedExperts += layer.count * routed.all;
    idleExperts += layer.count * routed.idle;
    feedForwards += layer.count * (elements(feedForwardMatrices(hiddenSize, layer.feedForward)) + routed.vectors);
    layerVectors += layer.count * (layer.vectorParameters + routerBias(layer));
  }
  const layers = mixers + feedForwards + layerVectors;
  const embedded = table + embedding.lookupParameters + embedding.projectionParameters;
  const head = embedding.tied ? 0 : table;
  const total = embedded + head + layers + model.vectorParameters;
  return {
    total,
    active: total - idleExperts,
    embedding: embedded,
    head,
    mixers,
    feedForwards,
    routedExperts,
    vectors: layerVectors + model.vectorParameters,
    layers,
  };
}

/** Active parameters under the three conventions in use. */
export function activeCount(model: Model): ActiveCount {
  const { active, embedding, head } = parameterCount(model);
  // A tied table still multiplies every token as the head.
  const kept = model.embedding.tied ? model.vocabulary * model.hiddenSize : 0;
  return { whole: active, withoutEmbedding: active - embedding + kept, layersOnly: active - embedding - head };
}

/** Parameters of one layer: matrices, vectors and router bias. */
export function layerParameters(hiddenSize: number, layer: Omit<LayerGroup, 'count'>): number {
  const { mixer, feedForward, vectorParameters } = layer;
  const experts = feedForward.kind === 'experts' ? feedForward.experts * feedForward.vectorParametersPerExpert : 0;
  const matrices = elements(mixerMatrices(hiddenSize, mixer)) + elements(feedForwardMatrices(hiddenSize, feedForward));
  return matrices + experts + vectorParameters + routerBias(layer);
}

/**
 * Parameters within a published scope: `lm`, then any of `+mtp` (multi-token-prediction layers; `+mtpnd` likewise,
 * for checkpoints whose MTP layer holds no copies of embedding and head), `+vision` (towers and projectors),
 * `+head` (a tied head that the checkpoint stores again) and `+noebias` (without the routers' selection biases).
 * @throws RangeError for another scope.
 */
export function publishedScopeCount(model: Model, scope: string): number {
  const [first, ...parts] = scope.split('+');
  if (first !== 'lm') throw new RangeError(unknownScope(scope));
  return parts.reduce((count, part) => count + scopePart(model, scope, part), parameterCount(model).total);
}

function scopePart(model: Model, scope: string, part: string): number {
  switch (part) {
    case 'mtp':
    case 'mtpnd':
      return model.extras.mtpParameters;
    case 'vision':
      return model.extras.towerParameters;
    case 'head':
      return model.embedding.tied ? model.vocabulary * model.hiddenSize : 0;
    case 'noebias':
      return -model.layers.reduce((sum, layer) => sum + layer.count * routerBias(layer), 0);
    default:
      throw new RangeError(unknownScope(scope));
  }
}

function unknownScope(scope: string): string {
  return `The scope '${scope}' is not known; expected 'lm' with any of '+mtp', '+mtpnd', '+vision', '+head', '+noebias'.`;
}

function routerBias({ feedForward }: Pick<LayerGroup, 'feedForward'>): number {
  return feedForward.kind === 'experts' && feedForward.routerBias === true ? feedForward.experts : 0;
}

function routedExpertCount(
  hiddenSize: number,
  { feedForward }: LayerGroup,
): { readonly all: number; readonly idle: number; readonly vectors: number } {
  if (feedForward.kind !== 'experts') return { all: 0, idle: 0, vectors: 0 };
  const { experts, active, vectorParametersPerExpert } = feedForward;
  const one = expertElements(hiddenSize, feedForward) + vectorParametersPerExpert;
  return { all: experts * one, idle: (experts - active) * one, vectors: experts * vectorParametersPerExpert };
}
