import type { ArrivalSource } from './arrivals.ts';
import { noParts, SimulatedRequest } from './request.ts';
import type { TracedRequest } from '../../profile/traced-request.ts';

/** The requests of a trace, given bit by bit as it is read, so that only what is under way is held. */
export class TraceSource implements ArrivalSource {
  readonly expected: number;
  private rows: readonly TracedRequest[] = [];
  private at = 0;
  private id = 0;
  private isOver = false;

  /** `expected`: rows of the whole trace, where known, for the bar that shows progress. */
  constructor(expected: number = Infinity) {
    this.expected = expected;
  }

  /** The next rows; call when `isHungry`. */
  feed(rows: readonly TracedRequest[]): void {
    this.rows = this.at < this.rows.length ? [...this.rows.slice(this.at), ...rows] : rows;
    this.at = 0;
  }

  /** There are no more rows. */
  end(): void {
    this.isOver = true;
  }

  next(): number {
    return this.rows[this.at]?.arrival ?? Infinity;
  }

  take(): SimulatedRequest {
    const row = this.rows[this.at];
    if (row === undefined) throw new RangeError('no row of the trace is left');
    this.at += 1;
    const request = new SimulatedRequest(this.id, row.arrival, row.prompt, row.output, 0, row.parts ?? noParts, -1, 0);
    this.id += 1;
    return request;
  }

  answered(): void {}

  isHungry(): boolean {
    return !this.isOver && this.at >= this.rows.length;
  }
}
