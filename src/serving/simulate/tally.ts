import { LogHistogram } from './log-histogram.ts';
import type { SimulatedRequest } from './request.ts';
import type { ServerEvents } from './server-events.ts';
import { TimeSeries } from './time-series.ts';

/** Bytes kept per request: six numbers. */
const firstRoom = 1024;

/** What is kept of a run: a few numbers a request, in the order of sending, and sums over time. */
export class Tally {
  /** Requests sent, answered and turned away so far. */
  sent = 0;
  finished = 0;
  refused = 0;
  preemptions = 0;
  preemptedRequests = 0;
  promptTokens = 0;
  hitTokens = 0;
  /** Seconds by request; NaN where it is not answered (or has no second token). */
  ttft: Float64Array = new Float64Array(firstRoom);
  tpot: Float64Array = new Float64Array(firstRoom);
  e2e: Float64Array = new Float64Array(firstRoom);
  wait: Float64Array = new Float64Array(firstRoom);
  sentAt: Float64Array = new Float64Array(firstRoom);
  prompts: Int32Array = new Int32Array(firstRoom);
  outputs: Int32Array = new Int32Array(firstRoom);
  readonly gaps: LogHistogram = new LogHistogram();
  readonly series: TimeSeries = new TimeSeries();
  lastFinish = 0;
  busySeconds = 0;
  runningSeconds = 0;
  heldSeconds = 0;
  mostRunning = 0;
  mostHeld = 0;
  computedTokens = 0;
  /** Integral of the number of requests in the system, by counting arrivals and departures. */
  private presentSeconds = 0;
  private present = 0;
  private countedUntil = 0;

  /** A client sent a request. */
  arrived(request: SimulatedRequest): void {
    const { id, sent } = request;
    if (id >= this.ttft.length) this.grow(2 * id);
    this.ttft[id] = Number.NaN;
    this.tpot[id] = Number.NaN;
    this.e2e[id] = Number.NaN;
    this.wait[id] = Number.NaN;
    this.sentAt[id] = sent;
    this.prompts[id] = request.prompt;
    this.outputs[id] = request.output;
    this.sent += 1;
    this.series.at(sent).arrivals += 1;
    this.countPresent(sent, 1);
  }

  /** Events of an engine that answers clients. */
  first(request: SimulatedRequest, time: number): void {
    const { id, sent } = request;
    const seconds = time - sent;
    this.ttft[id] = seconds;
    this.wait[id] = request.waited + request.admitted - request.ready;
    this.promptTokens += request.prompt;
    this.hitTokens += request.hits;
    const bin = this.series.at(time);
    bin.firstTokens += 1;
    bin.ttftSum += seconds;
  }

  finish(request: SimulatedRequest, time: number): void {
    const { id, sent, output } = request;
    const whole = time - sent;
    this.e2e[id] = whole;
    if (output > 1) this.tpot[id] = (whole - (this.ttft[id] ?? 0)) / (output - 1);
    this.finished += 1;
    if (request.preemptions > 0) this.preemptedRequests += 1;
    this.lastFinish = Math.max(this.lastFinish, time);
    const bin = this.series.at(time);
    bin.completions += 1;
    bin.outputTokens += output;
    this.countPresent(time, -1);
  }

  refuse(time: number): void {
    this.refused += 1;
    this.series.at(time).refusals += 1;
    this.countPresent(time, -1);
  }

  busy(start: number, end: number, running: number, waiting: number, held: number, tokens: number): void {
    const seconds = end - start;
    this.busySeconds += seconds;
    this.runningSeconds += seconds * running;
    this.heldSeconds += seconds * held;
    if (running > this.mostRunning) this.mostRunning = running;
    if (held > this.mostHeld) this.mostHeld = held;
    this.computedTokens += tokens;
    this.series.span(start, end, running, waiting, held);
  }

  /** An engine that computes prompts for others was busy. */
  busyElsewhere(start: number, end: number): void {
    this.busySeconds += end - start;
  }

  /** Brings the integral of those present up to a moment; a change may be told of a little late. */
  countPresent(time: number, change: number): void {
    if (time > this.countedUntil) {
      this.presentSeconds += this.present * (time - this.countedUntil);
      this.countedUntil = time;
    }
    this.presentSeconds += change * (this.countedUntil - time);
    this.present += change;
  }

  /** Integral of those present up to a moment; changes nothing, so that a run can be looked at on its way. */
  presentUntil(time: number): number {
    return this.presentSeconds + this.present * Math.max(0, time - this.countedUntil);
  }

  private grow(room: number): void {
    const larger = (old: Float64Array): Float64Array => {
      const grown = new Float64Array(room);
      grown.set(old);
      return grown;
    };
    this.ttft = larger(this.ttft);
    this.tpot = larger(this.tpot);
    this.e2e = larger(this.e2e);
    this.wait = larger(this.wait);
    this.sentAt = larger(this.sentAt);
    const prompts = new Int32Array(room);
    prompts.set(this.prompts);
    this.prompts = prompts;
    const outputs = new Int32Array(room);
    outputs.set(this.outputs);
    this.outputs = outputs;
  }
}

/** The events of an engine, told to a tally; `finished` goes where the caller wants. */
export const tallied = (tally: Tally, more: Pick<ServerEvents, 'finished' | 'refused'>): ServerEvents => ({
  first: (request, time) => tally.first(request, time),
  finished: more.finished,
  refused: more.refused,
  gaps: (count, seconds) => tally.gaps.add(count, seconds),
  gapSeries: (count, steps, seconds, growth) => tally.gaps.addSeries(count, steps, seconds, growth),
  busy: (start, end, running, waiting, held, tokens) => tally.busy(start, end, running, waiting, held, tokens),
  preempted: () => {
    tally.preemptions += 1;
  },
  computed: () => {},
});
