import type { LayerGroup } from '../../profile/model.ts';
import { feedForwardOfBlock } from './feed-forward-of-block.ts';
import { GgufError } from './gguf-error.ts';
import type { GgufTensor } from './gguf-header.ts';
import type { GgufKeys } from './gguf-keys.ts';
import * as messages from './messages.ts';
import { mixerOfBlock } from './mixer-of-block.ts';
import { elementsOf, isTable, isVector, type TensorShelf } from './tensor-shelf.ts';
import { reachOfLayers } from './windows.ts';

/** As many as an order of layers may spell out in a profile. */
const mostLayers = 2000;

/** Matrices that every token multiplies beside mixer and feed-forward: per-layer inputs, LAuReL, AltUp (Gemma 3n and 4). */
const layerProjections = /^(inp_gate|proj|laurel_[lr]|altup_(router|correct_coef|predict_coef))\.weight$/u;

/** The layers of a model and what was found beside them. */
export interface LayerStack {
  readonly layers: readonly LayerGroup[];
  readonly shelves: readonly TensorShelf[];
  readonly projections: readonly GgufTensor[];
  readonly prediction: readonly GgufTensor[];
  readonly predictionLayers: number;
  readonly unknown: readonly GgufTensor[];
  /** K and V matrices of layers that reuse an earlier layer's. */
  readonly unused: readonly GgufTensor[];
  readonly unusedLayers: number;
  readonly unclearWindow?: number;
}

/**
 * Layers in order, equal neighbours joined; layers of multi-token prediction apart.
 * @throws GgufError where a layer is missing or has no form
 */
export function layerStack(
  blocks: ReadonlyMap<number, TensorShelf>,
  keys: GgufKeys,
  hiddenSize: number,
  where: string,
): LayerStack {
  const predicted = keys.optional('nextn_predict_layers') ?? 0;
  const stated = keys.required('block_count');
  const isPrediction = (shelf: TensorShelf): boolean => shelf.layer >= stated - predicted || hasPredictionHead(shelf);
  const plain = [...blocks.values()].filter((shelf) => !isPrediction(shelf));
  expectBlocks(plain, blocks, stated, predicted, where);
  if (plain.length > mostLayers) throw new GgufError(messages.tooManyLayers(where, plain.length, mostLayers));
  const { reach, unclear } = reachOfLayers(keys);
  const firstShared = plain.length - (keys.optional('attention.shared_kv_layers') ?? 0);
  const groups: LayerGroup[] = [];
  const projections: GgufTensor[] = [];
  const unknown: GgufTensor[] = [];
  const unused: GgufTensor[] = [];
  let unusedLayers = 0;
  for (const shelf of plain) {
    const sharesKeyValue = shelf.layer >= firstShared;
    const context = { keys, hiddenSize, reach: reach(shelf.layer), sharesKeyValue, where };
    const mixer = mixerOfBlock(shelf, context);
    const feedForward = feedForwardOfBlock(shelf, context);
    projections.push(...shelf.takeAll((name) => layerProjections.test(name), 'layers'));
    const idle = sharesKeyValue ? idleKeyValue(shelf) : [];
    unused.push(...idle);
    unusedLayers += idle.length > 0 ? 1 : 0;
    const rest = shelf.left().filter((tensor) => !isTable(tensor));
    unknown.push(...rest.filter((tensor) => !isVector(tensor)));
    const vectorParameters = elementsOf(rest) + convolutions(shelf);
    const parallelBlocks = mixer.kind !== 'none' && feedForward.kind !== 'none' && isParallel(shelf, keys);
    append(groups, { count: 1, mixer, feedForward, vectorParameters, parallelBlocks });
  }
  const prediction = [...blocks.values()].filter((shelf) => isPrediction(shelf));
  return {
    layers: groups,
    shelves: plain,
    projections,
    prediction: prediction.flatMap((shelf) => shelf.left().filter((tensor) => !isTable(tensor))),
    predictionLayers: prediction.length,
    unknown,
    unused,
    unusedLayers,
    ...(unclear === undefined ? {} : { unclearWindow: unclear }),
  };
}

function expectBlocks(
  plain: readonly TensorShelf[],
  blocks: ReadonlyMap<number, TensorShelf>,
  stated: number,
  predicted: number,
  where: string,
): void {
  // Walks the tensors, not the promised count, which may be anything.
  plain.forEach(({ layer }, index) => {
    if (layer !== index) throw new GgufError(messages.missingBlocks(where, stated, index));
  });
  const found = [...blocks.keys()].at(-1) ?? -1;
  if (plain.length === 0 || (plain.length < stated - predicted && found + 1 < stated - predicted)) {
    throw new GgufError(messages.missingBlocks(where, stated, plain.length));
  }
}

function append(groups: LayerGroup[], layer: LayerGroup): void {
  const last = groups.at(-1);
  if (last !== undefined && JSON.stringify({ ...last, count: 1 }) === JSON.stringify(layer)) {
    groups[groups.length - 1] = { ...last, count: last.count + 1 };
  } else {
    groups.push(layer);
  }
}

function hasPredictionHead(shelf: TensorShelf): boolean {
  return shelf.left().some(({ name }) => /^blk\.\d+\.nextn\./u.test(name));
}

function idleKeyValue(shelf: TensorShelf): readonly GgufTensor[] {
  return shelf
    .placed()
    .filter(({ tensor }) => /\.attn_[kv]\.weight$/u.test(tensor.name))
    .map(({ tensor }) => tensor);
}

/** Depthwise convolutions of recurrent layers, taken for their shape: no matrix product touches them. */
function convolutions(shelf: TensorShelf): number {
  return elementsOf(
    shelf
      .placed()
      .filter(({ tensor }) => /\.(ssm_conv1d(_[qkv])?|shortconv\.conv)\.weight$/u.test(tensor.name))
      .map(({ tensor }) => tensor),
  );
}

/** One norm before both blocks (Falcon, Phi-2, Command R, StableLM 2 12B), or the flag of GPT-NeoX. */
function isParallel(shelf: TensorShelf, keys: GgufKeys): boolean {
  if (keys.flag('use_parallel_residual')) return true;
  const second = ['ffn_norm', 'post_attention_norm', 'post_ffw_norm', 'attn_output_norm'];
  return shelf.has('attn_norm.weight') && !second.some((name) => shelf.has(`${name}.weight`));
}
