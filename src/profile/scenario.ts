import type { Engine, EngineRelease } from './engine.ts';
import type { Hardware } from './hardware.ts';
import type { Model } from './model.ts';
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

export interface Deployment {
  readonly model: Model;
  readonly hardware: Hardware;
  readonly engine: Engine;
  readonly release: EngineRelease;
  readonly precision: PrecisionChoice;
  readonly parallelism: Parallelism;
  /** Shares of peak to use in place of the ideal's 1, for a textbook sum with a stated utilisation. */
  readonly utilisation?: { readonly compute?: number; readonly memory?: number };
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
