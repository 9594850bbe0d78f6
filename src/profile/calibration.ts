/**
 * What somebody's own measurements say beyond public constants: an overlay that any deployment takes. Factors multiply
 * speeds (1 = as public constants have it), overheads replace the engine's. Only what the rows identified is present.
 */
export interface Calibration {
  readonly schema: 'twoclocks/calibration@1';
  /** What it was fitted to, in words. */
  readonly fittedTo: string;
  /** Profile names of what the rows ran on: the constants hold there. */
  readonly hardware: string;
  readonly engine: string;
  /** Rows that went into the fit. */
  readonly rows: number;
  readonly factors: {
    /** Of the share of peak FLOP/s that operators reach. */
    readonly compute?: number;
    /** Of the share of memory bandwidth. */
    readonly memory?: number;
    /** Of the latency of a collective: 2 is twice as slow. */
    readonly linkLatency?: number;
  };
  /** Seconds, in place of the engine release's. */
  readonly overhead: {
    readonly step?: number;
    readonly layer?: number;
    readonly sequence?: number;
    readonly request?: number;
  };
  /** Measured over predicted of its own rows, as the bounds of the middle 80 %. */
  readonly band: Readonly<Partial<Record<'ttft' | 'tpot' | 'e2e', { readonly low: number; readonly high: number }>>>;
  readonly notes: readonly string[];
}
