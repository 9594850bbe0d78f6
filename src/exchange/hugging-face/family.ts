import type { FeedForward, LayerGroup, Mixer } from '../../profile/model.ts';
import type { Fields } from './fields.ts';

/** One layer before equal neighbours are grouped. */
export type Layer = Omit<LayerGroup, 'count'>;

/** A mixer with the vectors (biases, norms, sinks) that belong to it. */
export interface MixerPart {
  readonly mixer: Mixer;
  readonly vectors: number;
}

/** A feed-forward block with its vectors. */
export interface BlockPart {
  readonly feedForward: FeedForward;
  readonly vectors: number;
}

/** What a family makes of a configuration, the parts that all families share aside. */
export interface Anatomy {
  readonly layers: readonly Layer[];
  /** Final norm, head bias, embedding norm. */
  readonly vectors: number;
  readonly lookupParameters: number;
  readonly projectionParameters: number;
  readonly mtpParameters: number;
  /** Where one model type covers several layouts: whether head and embedding share a table. */
  readonly tied?: boolean;
  readonly notes: readonly string[];
}

/** How one or several model types of the library are read. */
export interface Family {
  /** Values of `model_type`. */
  readonly types: readonly string[];
  /** Classes in `architectures` that stand in for a missing `model_type`. */
  readonly architectures?: readonly string[];
  /** Whether head and embedding share a table where the file does not say; `never`: separate whatever it says. */
  readonly tied: boolean | 'never';
  /** Values of the configuration class for keys that published files leave out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly build: (fields: Fields) => Anatomy;
}
