import { numberFormat } from '../quantity/number-format.ts';
import type { NumberFormat } from '../quantity/stored-format.ts';
import type { Checkpoint, Model } from './model.ts';
import type { Deployment, PrecisionChoice } from './scenario.ts';

/** How the elements of one part of a model are stored. */
export interface StoredFormat {
  /** Name in `numberFormat`. */
  readonly name: string;
  /** Bits that an element really takes, scales and zero points included. */
  readonly bits: number;
}

/** Formats of every part of a deployed model, resolved from the checkpoint and what the user asked for. */
export interface Precision {
  readonly attention: StoredFormat;
  readonly feedForward: StoredFormat;
  readonly experts: StoredFormat;
  readonly sharedExperts: StoredFormat;
  readonly embedding: StoredFormat;
  readonly head: StoredFormat;
  /** Format that activations are multiplied in, where the weights allow it. */
  readonly activations: string;
  readonly keyValue: StoredFormat;
}

/**
 * A checkpoint's own formats hold unless the user names others; a format asked for converts the matrices of the
 * layers, and leaves embedding and head at what that format usually leaves them at (16 bits, or the types that the
 * GGUF recipes give them).
 */
export function resolvePrecision(model: Model, choice: PrecisionChoice): Precision {
  const { checkpoint } = model;
  const asked = choice.weights === undefined ? undefined : numberFormat(choice.weights);
  const layers = asked?.name ?? checkpoint.layers;
  const format = numberFormat(layers);
  const own: Checkpoint = asked === undefined ? checkpoint : converted(model, format);
  const activations = choice.activations ?? own.activations ?? format.defaultActivations;
  return {
    attention: stored(own.attention ?? own.layers),
    feedForward: stored(own.layers),
    experts: stored(own.experts ?? own.layers),
    sharedExperts: stored(own.sharedExperts ?? own.layers),
    embedding: own.embedding === undefined ? unconverted(format.name, format.embeddingBits) : stored(own.embedding),
    head: own.head === undefined ? unconverted(format.name, format.headBits) : stored(own.head),
    activations: numberFormat(activations).name,
    keyValue: stored(choice.keyValue ?? own.keyValue ?? sixteenBit(activations)),
  };
}

/**
 * Formats of a deployment: `resolvePrecision` with what the engine adds on its own.
 */
export function deploymentPrecision({ model, precision, release }: Deployment): Precision {
  const resolved = resolvePrecision(model, precision);
  const stated = precision.keyValue ?? (precision.weights === undefined ? model.checkpoint.keyValue : undefined);
  if (!release.memory.keyValueFollowsWeights || stated !== undefined) return resolved;
  const { arithmetic } = numberFormat(resolved.feedForward.name);
  const narrow = arithmetic === 'fp8' || arithmetic === 'fp4';
  return narrow ? { ...resolved, keyValue: stored('fp8') } : resolved;
}

/** A format that converts experts only says what the rest of a mixture-of-experts model takes: 16 bits, or another. */
const converted = (model: Model, format: NumberFormat): Checkpoint =>
  format.scope === 'experts' && model.layers.some(({ feedForward }) => feedForward.kind === 'experts')
    ? {
        layers: format.elsewhere ?? format.defaultActivations,
        experts: format.name,
        activations: format.defaultActivations,
      }
    : { layers: format.name };

const stored = (name: string): StoredFormat => {
  const format = numberFormat(name);
  return { name: format.name, bits: format.bits };
};

const unconverted = (layers: string, bits: number): StoredFormat => ({
  name: bits === 16 ? sixteenBit(layers) : layers,
  bits,
});

/** The KV cache keeps the model's 16-bit format unless told otherwise. */
const sixteenBit = (name: string): string => (name === 'fp16' || name === 'fp32' ? name : 'bf16');
