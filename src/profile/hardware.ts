import type { MatrixFormat } from '../quantity/matrix-format.ts';
import type { Citation } from './citation.ts';

/** How devices of one scale-up domain reach each other; decides what a collective costs. */
export type LinkTopology =
  /** Every pair at full rate through a switch (NVSwitch, UALink switch). */
  | 'switch'
  /** Every pair has its own direct link, and a rank uses all of them at once (xGMI, Gaudi RoCE, hybrid cube mesh). */
  | 'mesh'
  /** Nearest neighbours in a ring or torus (TPU ICI, NeuronLink, Tenstorrent Ethernet). */
  | 'torus'
  /** A bridge that joins pairs only; larger groups fall back to the host link. */
  | 'bridge'
  /** No link of its own: peers talk over the host link. */
  | 'none';

/**
 * One accelerator as its data sheet describes it, in SI units: bytes, bytes/s, FLOP/s, watts, seconds.
 * Peaks are dense; link rates are per direction and per device.
 */
export interface Hardware {
  readonly name: string;
  readonly title: string;
  /** Other names people write for this device. */
  readonly aliases: readonly string[];
  readonly vendor: string;
  /** Device family whose measured efficiencies apply: `hopper`, `cdna3`, `apple-m2` ... */
  readonly architecture: string;
  readonly released: number;
  readonly formFactor: string;
  readonly memory: {
    /** Marketed capacity, bytes. */
    readonly capacity: number;
    /** What the driver reports, bytes; used for the fit where known. */
    readonly reported?: number;
    /** Peak, bytes/s. */
    readonly bandwidth: number;
    readonly kind: string;
    /** True where CPU and accelerator share the memory, so that the whole of it is not free for the model. */
    readonly unified: boolean;
  };
  /** Dense matrix peaks with wide (FP32 or INT32) accumulation, FLOP/s (or OP/s for integers). */
  readonly matrix: Readonly<Partial<Record<MatrixFormat, number>>>;
  /** GeForce and kin: the doubled rate with FP16 accumulation, FLOP/s. Kernels that need FP32 sums cannot use it. */
  readonly matrixFp16Accumulate: Readonly<Partial<Record<MatrixFormat, number>>>;
  /** Shader FP32 rate, FLOP/s, where known. */
  readonly vectorFp32?: number;
  readonly link: {
    readonly kind: string;
    readonly topology: LinkTopology;
    /** bytes/s per direction and device; 0 where topology is `none`. */
    readonly bandwidth: number;
    /** Devices that the link joins, this one included. */
    readonly domain: number;
  };
  readonly host: {
    readonly kind: string;
    /** bytes/s per direction; 0 where there is no host link to cross (unified memory, CPUs). */
    readonly bandwidth: number;
  };
  /** Scale-out network, bytes/s per direction and device, where known. */
  readonly network?: { readonly bandwidth: number };
  readonly power: { readonly limit?: number };
  readonly units: { readonly count?: number; readonly kind: string; readonly boostClock?: number };
  readonly cache: { readonly lastLevel?: number };
  readonly confidence: 'high' | 'medium' | 'low';
  /** Fields for which no citable source was found. */
  readonly uncited: readonly string[];
  readonly sources: readonly Citation[];
  readonly notes: string;
}
