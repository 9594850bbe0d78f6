import type { Calibration } from './calibration.ts';
import type { Engine, EngineRelease } from './engine.ts';
import type { Hardware } from './hardware.ts';
import type { Model } from './model.ts';
import type { Sampling } from './sampling.ts';
import type { Workload } from './workload.ts';

/** Which knowledge a prediction rests on: textbook roofline, public efficiency curves, or the user's own rows. */
export type Grade = 'ideal' | 'typical' | 'calibrated';

/** Formats asked for, names of `numberFormat`; absent = what the checkpoint says. */
export interface PrecisionChoice {
  readonly weights?: string;
  readonly activations?: string;
  readonly keyValue?: string;
}

/**
 * How one deployment is spread over devices. `tensor` ranks share every matrix, `pipeline` stages share the layers,
 * `data` groups each hold the attention and share the experts (with `expert` > 1), `replicas` are independent copies.
 */
export interface Parallelism {
  readonly tensor: number;
  readonly pipeline: number;
  readonly data: number;
  readonly expert: number;
  readonly replicas: number;
}

/** A draft proposes tokens, and the model checks them all in one pass. */
export interface Speculation {
  readonly method: 'eagle' | 'mtp' | 'draft' | 'ngram';
  /** Tokens drafted a step. */
  readonly tokens: number;
  /** Chance that a drafted token is kept, those before it kept. */
  readonly acceptance: number;
  /** The model that drafts, for method `draft` without a `cost`. */
  readonly draft?: Model;
  /** Seconds of one drafted token over those of a plain decode step; absent = from the shape of the draft. */
  readonly cost?: number;
}

/**
 * How a request finds its replica: each in turn, the one with the fewest requests, the one that holds most of its prompt,
 * or any.
 */
export type Router = (typeof routers)[number];

export const routers = ['round-robin', 'least-loaded', 'prefix-aware', 'random'] as const;

/** What serves where nobody chose: the one with the fewest requests. */
export const usualRouter: Router = 'least-loaded';

/** Groups of devices that only prefill and groups that only decode; the KV cache crosses a link in between. */
export interface Disaggregation {
  readonly prefill: number;
  readonly decode: number;
  /** A link of the device, or any other by its rate, bytes/s per device. */
  readonly link: 'own' | 'host' | 'network' | { readonly name: string; readonly bandwidth: number };
}

export interface Deployment {
  readonly model: Model;
  readonly hardware: Hardware;
  readonly engine: Engine;
  readonly release: EngineRelease;
  readonly precision: PrecisionChoice;
  readonly parallelism: Parallelism;
  /** Drafted tokens checked several at a time; absent = one token a step. */
  readonly speculation?: Speculation;
  /** Prefill and decode on groups of their own; `replicas` counts both kinds. */
  readonly disaggregation?: Disaggregation;
  /** How requests at an arrival rate find their replica; absent = `usualRouter`. */
  readonly router?: Router;
  /** How requests choose their tokens; absent = as `samplingOf` finds. */
  readonly sampling?: Sampling;
  /** Shares of weights and KV that stay in host memory and cross the host link in every step. */
  readonly offload?: { readonly weights?: number; readonly keyValue?: number };
  /** Shares of peak to use in place of the ideal's 1, for a textbook sum with a stated utilisation. */
  readonly utilisation?: { readonly compute?: number; readonly memory?: number };
  /** What the user's own rows say beyond public constants; the ideal takes no notice of it. */
  readonly calibration?: Calibration;
}

export interface Scenario {
  readonly deployment: Deployment;
  readonly workload: Workload;
  readonly grade: Grade;
}

/** One device holds everything. */
export const singleDevice: Parallelism = Object.freeze({ tensor: 1, pipeline: 1, data: 1, expert: 1, replicas: 1 });

/** Devices in all: one per tensor rank of each stage, group and replica. */
export const deviceCount = (parallelism: Parallelism): number =>
  parallelism.tensor * parallelism.pipeline * parallelism.data * parallelism.replicas;
