import { GgufError } from './gguf-error.ts';
import type { GgufTensor } from './gguf-header.ts';
import * as messages from './messages.ts';

/** Parts of a model whose formats a checkpoint tells apart. */
export type WeightClass = 'attention' | 'layers' | 'experts' | 'sharedExperts' | 'embedding' | 'head' | 'other';

/** A tensor of known use. */
export interface Placed {
  readonly tensor: GgufTensor;
  readonly weightClass: WeightClass;
}

/**
 * The tensors of one layer (or of none) on a shelf: what is understood is taken off, so that what is left can be
 * counted and named instead of guessed.
 */
export interface TensorShelf {
  /** Layer, or -1 for tensors outside the layers. */
  readonly layer: number;
  readonly has: (name: string) => boolean;
  /** Takes a tensor by its name without the `blk.N.` prefix; undefined where there is none. */
  readonly take: (name: string, weightClass: WeightClass) => GgufTensor | undefined;
  /** @throws GgufError where there is none */
  readonly need: (name: string, weightClass: WeightClass) => GgufTensor;
  /** Takes every tensor whose short name passes. */
  readonly takeAll: (test: (name: string) => boolean, weightClass: WeightClass) => readonly GgufTensor[];
  readonly left: () => readonly GgufTensor[];
  readonly placed: () => readonly Placed[];
}

export function tensorShelf(layer: number, tensors: ReadonlyMap<string, GgufTensor>, where: string): TensorShelf {
  const left = new Map(tensors);
  const placed: Placed[] = [];
  const take = (name: string, weightClass: WeightClass): GgufTensor | undefined => {
    const tensor = left.get(name);
    if (tensor === undefined) return undefined;
    left.delete(name);
    placed.push({ tensor, weightClass });
    return tensor;
  };
  return {
    layer,
    has: (name) => tensors.has(name),
    take,
    need(name, weightClass) {
      const tensor = take(name, weightClass);
      if (tensor === undefined)
        throw new GgufError(messages.missingTensor(where, layer < 0 ? name : `blk.${layer}.${name}`));
      return tensor;
    },
    takeAll: (test, weightClass) => [...left.keys()].filter(test).flatMap((name) => take(name, weightClass) ?? []),
    left: () => [...left.values()],
    placed: () => placed,
  };
}

/** Inputs of a matrix, or elements of a row of any tensor. */
export function inputs({ dimensions }: GgufTensor): number {
  return dimensions[0] ?? 1;
}

/** Outputs of a matrix; 1 for a vector. */
export function outputs({ dimensions }: GgufTensor): number {
  return dimensions[1] ?? 1;
}

/** Elements in a list of tensors. */
export function elementsOf(tensors: readonly GgufTensor[]): number {
  return tensors.reduce((sum, { elements }) => sum + elements, 0);
}

/** @throws GgufError unless the tensor has exactly these dimensions, ones at the end aside */
export function expectShape(tensor: GgufTensor, expected: readonly number[], where: string): void {
  const { dimensions } = tensor;
  const length = Math.max(dimensions.length, expected.length);
  for (let axis = 0; axis < length; axis++) {
    if ((dimensions[axis] ?? 1) !== (expected[axis] ?? 1)) {
      throw new GgufError(messages.shapeMismatch(where, tensor.name, dimensions, `[${expected.join(', ')}]`));
    }
  }
}

/** A quotient that has to be a whole number of at least 1. @throws GgufError naming the tensor and `what` otherwise */
export function wholeShare(tensor: GgufTensor, total: number, parts: number, what: string, where: string): number {
  const share = total / parts;
  if (!Number.isSafeInteger(share) || share < 1) {
    throw new GgufError(messages.shapeMismatch(where, tensor.name, tensor.dimensions, what));
  }
  return share;
}

/** Vectors: norms, biases, scales, sinks, depthwise convolutions and whatever else has but one axis longer than 1. */
export function isVector({ name, dimensions }: GgufTensor): boolean {
  if (dimensions.filter((size) => size > 1).length <= 1) return true;
  return /norm|_ape\.weight$|\.bias$|scale$|\.(ssm_(a|d|conv1d(_[qkv])?)|shortconv\.conv)(\.weight)?$/u.test(name);
}

/** Tables that no training touched: rotation frequencies and token maps. Bytes, but no parameters. */
export function isTable({ name, type }: GgufTensor): boolean {
  return (
    type.kind === 'integer' || /(^|\.)(rope_freqs|rope_factors_(long|short)|attn_rot_embd)(\.weight)?$/u.test(name)
  );
}
