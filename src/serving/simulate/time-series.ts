/** What happened in one stretch of time; integrals are of a number over time. */
export interface SeriesBin {
  arrivals: number;
  completions: number;
  refusals: number;
  outputTokens: number;
  firstTokens: number;
  ttftSum: number;
  busySeconds: number;
  runningSeconds: number;
  waitingSeconds: number;
  heldSeconds: number;
}

const emptyBin = (): SeriesBin => ({
  arrivals: 0,
  completions: 0,
  refusals: 0,
  outputTokens: 0,
  firstTokens: 0,
  ttftSum: 0,
  busySeconds: 0,
  runningSeconds: 0,
  waitingSeconds: 0,
  heldSeconds: 0,
});

const fields = [
  'arrivals',
  'completions',
  'refusals',
  'outputTokens',
  'firstTokens',
  'ttftSum',
  'busySeconds',
  'runningSeconds',
  'waitingSeconds',
  'heldSeconds',
] as const satisfies readonly (keyof SeriesBin)[];

/** Bins at most; where a run goes on beyond them, each two become one. */
const mostBins = 240;

/** A run over time in a bounded number of bins, whose width doubles as the run goes on. */
export class TimeSeries {
  readonly bins: SeriesBin[] = [];
  /** Seconds of a bin. */
  width: number = 1 / 64;

  /** The bin of a moment. */
  at(time: number): SeriesBin {
    let index = Math.max(0, Math.floor(time / this.width));
    while (index >= mostBins) {
      this.merge();
      index = Math.floor(time / this.width);
    }
    while (this.bins.length <= index) this.bins.push(emptyBin());
    return this.bins[index] ?? emptyBin();
  }

  /** Numbers that held from `start` to `end`, and tokens that came evenly over that time. */
  span(start: number, end: number, running: number, waiting: number, held: number): void {
    this.at(end);
    let from = start;
    while (from < end) {
      const bin = this.at(from);
      const next = Math.min(end, (Math.floor(from / this.width) + 1) * this.width);
      // A moment on the edge may round to no step forward.
      const to = next > from ? next : end;
      const seconds = to - from;
      bin.busySeconds += seconds;
      bin.runningSeconds += seconds * running;
      bin.waitingSeconds += seconds * waiting;
      bin.heldSeconds += seconds * held;
      from = to;
    }
  }

  private merge(): void {
    const { bins } = this;
    for (let index = 0; 2 * index < bins.length; index++) {
      const first = bins[2 * index] ?? emptyBin();
      const second = bins[2 * index + 1];
      if (second !== undefined) for (const field of fields) first[field] += second[field];
      bins[index] = first;
    }
    bins.length = Math.ceil(bins.length / 2);
    this.width *= 2;
  }
}
