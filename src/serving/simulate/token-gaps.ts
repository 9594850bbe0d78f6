import type { SimulatedRequest } from './request.ts';

/** Receives gaps between tokens. */
export interface GapSink {
  /** `count` tokens came `seconds` after the ones before them. */
  readonly gaps: (count: number, seconds: number) => void;
  /** `steps` steps passed; each gave `count` tokens, the first after `seconds`, each next one after `growth` more. */
  readonly gapSeries: (count: number, steps: number, seconds: number, growth: number) => void;
}

/**
 * Gaps between the tokens of requests that decode together. Nearly all of them had their last token at the end of the
 * decode step before, so they are counted as one; only newcomers have a moment of their own.
 */
export class TokenGaps {
  /** End of the last decode step. */
  private lastDecode = 0;
  private newcomers: SimulatedRequest[] = [];
  private readonly sink: GapSink;

  constructor(sink: GapSink) {
    this.sink = sink;
  }

  /** A request joins; `lastToken` is when it had its first. */
  join(request: SimulatedRequest): void {
    this.newcomers.push(request);
  }

  /** A request gives way: from now on it carries the moment of its last token itself. */
  leave(request: SimulatedRequest): void {
    if (this.newcomers.includes(request)) this.newcomers = this.newcomers.filter((each) => each !== request);
    else request.lastToken = this.lastDecode;
  }

  /** `steps` decode steps of `sequences` requests from `start`, the first of `first` seconds, each next `growth` longer. */
  decoded(sequences: number, start: number, steps: number, first: number, growth: number, end: number): void {
    const firstEnd = start + first;
    let others = sequences;
    for (const { lastToken } of this.newcomers) {
      if (lastToken === this.lastDecode) continue;
      this.sink.gaps(1, firstEnd - lastToken);
      others -= 1;
    }
    if (this.newcomers.length > 0) this.newcomers = [];
    if (others > 0) this.sink.gaps(others, firstEnd - this.lastDecode);
    if (steps > 1 && sequences > 0) this.sink.gapSeries(sequences, steps - 1, first + growth, growth);
    this.lastDecode = end;
  }
}
