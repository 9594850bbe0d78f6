import type { Span } from '../../operator/span.ts';
import { Heap } from './heap.ts';
import type { SimulatedRequest } from './request.ts';

/** When a window of a request is full, as of its n-th admission. */
interface Fill {
  readonly request: SimulatedRequest;
  readonly admission: number;
}

/**
 * The requests that decode on one engine, as sums: how many, what they attend to, which blocks they will want, who is
 * complete next. All of them gain one token a step, so a request is described by numbers that do not change between
 * events, relative to `count`, the decode steps so far; any number of steps passes in one sum.
 */
export class DecodeSet {
  /** Decode steps since the start. */
  count = 0;
  sequences = 0;
  /** Per span: contexts of those whose window is not full, summed; how many; and how many have a full one. */
  readonly growing: Float64Array;
  readonly growingSequences: Float64Array;
  readonly full: Float64Array;
  private readonly spans: readonly Span[];
  /** Context at which a span's entries stop growing. */
  private readonly ramps: Float64Array;
  /** Requests by (context - count) modulo the block size: those of one class want a block in the same step. */
  private readonly phases: Int32Array;
  private readonly finishes = new Heap<SimulatedRequest>();
  /** Per span, when a request's window is full: a decode count. */
  private readonly fills: readonly Heap<Fill>[];
  /** Sum of `finishAt`, for how much is left to generate. */
  private finishSum = 0;

  /** Tokens that each gains in a step; with more than one, KV has to be reserved, as blocks are not counted by the token. */
  private readonly tokensPerStep: number;

  constructor(spans: readonly Span[], blockTokens: number, tokensPerStep: number) {
    this.spans = spans;
    this.tokensPerStep = tokensPerStep;
    this.growing = new Float64Array(spans.length);
    this.growingSequences = new Float64Array(spans.length);
    this.full = new Float64Array(spans.length);
    this.ramps = Float64Array.from(spans, ({ window, stride }) => Math.floor(window * stride));
    this.phases = new Int32Array(blockTokens);
    this.fills = spans.map(() => new Heap<Fill>());
  }

  /** `context`: tokens attended to by its next decode step, the new one included; `left`: decode steps still to go. */
  add(request: SimulatedRequest, context: number, left: number): void {
    const { count, ramps } = this;
    request.state = 'decode';
    request.contextOffset = context - count * this.tokensPerStep;
    request.finishAt = count + left;
    this.sequences += 1;
    this.finishSum += request.finishAt;
    this.finishes.push(request.finishAt, request);
    this.countPhase(request, 1);
    for (let span = 0; span < ramps.length; span++) {
      const ramp = ramps[span] ?? Infinity;
      if (context >= ramp + 1 - 1e-9) {
        this.full[span] = (this.full[span] ?? 0) + 1;
      } else {
        this.growing[span] = (this.growing[span] ?? 0) + context;
        this.growingSequences[span] = (this.growingSequences[span] ?? 0) + 1;
        if (ramp < Infinity) {
          this.fills[span]?.push(this.fillCount(ramp, request), { request, admission: request.admissions });
        }
      }
    }
  }

  /** Takes a request out, complete or not. */
  remove(request: SimulatedRequest): void {
    const { ramps } = this;
    const context = this.contextOf(request);
    this.sequences -= 1;
    this.finishSum -= request.finishAt;
    this.countPhase(request, -1);
    for (let span = 0; span < ramps.length; span++) {
      if (context >= (ramps[span] ?? Infinity) + 1 - 1e-9) {
        this.full[span] = (this.full[span] ?? 0) - 1;
      } else {
        this.growing[span] = (this.growing[span] ?? 0) - context;
        this.growingSequences[span] = (this.growingSequences[span] ?? 0) - 1;
      }
    }
  }

  /** Passes so many steps; no window may fill up before the last of them. */
  advance(steps: number): void {
    this.count += steps;
    for (let span = 0; span < this.ramps.length; span++) {
      const tokens = steps * this.tokensPerStep;
      this.growing[span] = (this.growing[span] ?? 0) + tokens * (this.growingSequences[span] ?? 0);
      const fills = this.fills[span];
      if (fills === undefined) continue;
      while (fills.firstKey() <= this.count) {
        const fill = fills.pop();
        // Entries of requests that left, or came again since, are stale.
        if (fill?.request.state !== 'decode' || fill.admission !== fill.request.admissions) continue;
        this.growing[span] = (this.growing[span] ?? 0) - this.contextOf(fill.request);
        this.growingSequences[span] = (this.growingSequences[span] ?? 0) - 1;
        this.full[span] = (this.full[span] ?? 0) + 1;
      }
    }
  }

  /** Decode steps until the next request is complete or a window is full. */
  stepsToNextEvent(): number {
    let next = this.nextFinish();
    for (const fills of this.fills) next = Math.min(next, fills.firstKey());
    return next - this.count;
  }

  /** The next request that is complete at this count, not yet taken out of the sums. */
  popFinished(): SimulatedRequest | undefined {
    if (this.nextFinish() > this.count) return undefined;
    return this.finishes.pop();
  }

  /** KV entries that the next decode step reads over a span, summed over requests. */
  entries(span: number): number {
    const { window = Infinity, stride = 1 } = this.spans[span] ?? {};
    const full = this.full[span] ?? 0;
    return (this.growing[span] ?? 0) / stride + (full === 0 ? 0 : full * window);
  }

  /** Blocks that the next so many steps want. */
  blocksWanted(steps: number): number {
    const size = this.phases.length;
    const cycles = Math.floor(steps / size);
    let wanted = cycles * this.sequences;
    for (let step = cycles * size; step < steps; step++) wanted += this.wantedAt(step);
    return wanted;
  }

  /** The most steps, up to `most`, that so many blocks last for. */
  stepsWithin(blocks: number, most: number): number {
    const size = this.phases.length;
    if (this.sequences === 0 || this.sequences * Math.ceil(most / size) <= blocks) return most;
    const cycles = Math.floor(blocks / this.sequences);
    let steps = cycles * size;
    let left = blocks - cycles * this.sequences;
    while (steps < most) {
      left -= this.wantedAt(steps);
      if (left < 0) return steps;
      steps += 1;
    }
    return most;
  }

  /** Tokens still to be generated by all. */
  get tokensLeft(): number {
    return (this.finishSum - this.sequences * this.count) * this.tokensPerStep;
  }

  private nextFinish(): number {
    const { finishes } = this;
    for (;;) {
      const request = finishes.first();
      if (request === undefined) return Infinity;
      const key = finishes.firstKey();
      if (request.state === 'decode' && request.finishAt === key) return key;
      finishes.pop();
    }
  }

  private contextOf(request: SimulatedRequest): number {
    return request.contextOffset + this.count * this.tokensPerStep;
  }

  /** The decode count at which a request's context is beyond a window. */
  private fillCount(ramp: number, request: SimulatedRequest): number {
    return Math.ceil((ramp + 1 - request.contextOffset) / this.tokensPerStep - 1e-9);
  }

  /** Requests that want a block `ahead` steps from now: those whose new token is the first of a block. */
  private wantedAt(ahead: number): number {
    const size = this.phases.length;
    return this.phases[modulo(1 - this.count - ahead, size)] ?? 0;
  }

  private countPhase(request: SimulatedRequest, by: number): void {
    const at = modulo(Math.round(request.contextOffset), this.phases.length);
    this.phases[at] = (this.phases[at] ?? 0) + by;
  }
}

const modulo = (value: number, size: number): number => ((value % size) + size) % size;
