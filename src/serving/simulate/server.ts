import type { CompiledDeployment } from '../compiled.ts';
import { AdmissionOrder } from './admission-order.ts';
import { DecodeSet } from './decode-set.ts';
import { Deque } from './deque.ts';
import type { EngineRules } from './engine-rules.ts';
import { OutputEstimate } from './output-estimate.ts';
import { RequestBlocks } from './request-blocks.ts';
import type { SimulatedRequest } from './request.ts';
import { type Prefill, StepClock } from './step-clock.ts';
import { seriesSeconds, stepsToReach } from './step-series.ts';
import { TokenGaps } from './token-gaps.ts';
import { Turnstile } from './turnstile.ts';
import type { ServerEvents, ServerOptions } from './server-events.ts';

/**
 * One engine: a queue, a KV cache, and one step after another. Between two events the batch does not change, so a run
 * of decode steps is one activity whose end is a sum; an arrival cuts it short at the step that it can join.
 */
export class Server {
  /** When the current activity ends; Infinity while idle. */
  endsAt: number = Infinity;
  readonly waiting: Deque<SimulatedRequest> = new Deque();
  readonly blocks: RequestBlocks;
  readonly turnstile: Turnstile = new Turnstile();
  /** Requests that another engine has begun to hand over. */
  expected = 0;
  private readonly decoding: DecodeSet;
  private readonly clock: StepClock;
  private readonly rules: EngineRules;
  private readonly events: ServerEvents;
  private readonly gaps: TokenGaps;
  private readonly order = new AdmissionOrder();
  private readonly estimate = new OutputEstimate();
  private readonly handsOver: boolean;
  /** Admitted requests whose prompts are not computed yet, oldest first. */
  private open: SimulatedRequest[] = [];
  /** Complete; where the next step was planned before, their places are free one step later. */
  private leaving: SimulatedRequest[] = [];
  /** Complete, but their rows are computed until their static batch ends. */
  private padded: SimulatedRequest[] = [];

  /** The current activity: pieces of prompts, decode steps (the first of `firstStep` seconds, each next `growth` longer), its start. */
  private pieces: Prefill[] = [];
  private steps = 0;
  private firstStep = 0;
  private growth = 0;
  private startedAt = 0;
  /** Start of the last step so far; -Infinity after a pause. */
  private lastStart = -Infinity;
  private lastHadPrefill = false;

  constructor(compiled: CompiledDeployment, rules: EngineRules, events: ServerEvents, options: ServerOptions) {
    this.rules = rules;
    this.events = events;
    this.gaps = new TokenGaps(events);
    this.handsOver = options.handsOver;
    this.clock = new StepClock(compiled, rules);
    this.blocks = new RequestBlocks(compiled.memory, rules, options);
    this.decoding = new DecodeSet(this.clock.spans, rules.blockTokens, this.clock.tokensPerStep);
  }

  /** Requests that were sent here and are not complete. */
  get load(): number {
    return this.turnstile.inside + this.waiting.length + this.running + this.expected;
  }

  private get running(): number {
    return this.open.length + this.decoding.sequences + this.leaving.length;
  }

  /** A request reaches the queue. */
  arrive(request: SimulatedRequest, time: number): void {
    request.ready = time;
    if (!this.blocks.canEverHold(request)) {
      this.events.refused(request, time);
      return;
    }
    const wasEmpty = this.waiting.length === 0;
    this.waiting.push(request);
    if (this.endsAt === Infinity) {
      // Others may come at the same moment: the step is formed once they have.
      this.endsAt = time;
      this.lastStart = -Infinity;
    } else if (
      wasEmpty &&
      this.steps > 1 &&
      this.rules.batching !== 'static' &&
      this.running < this.rules.maxSequences
    ) {
      this.cutShort(time);
    }
  }

  /** Ends the current activity and begins the next. */
  proceed(): void {
    const time = this.endsAt;
    this.settle(time);
    const { schedulesAhead } = this.rules;
    if (!schedulesAhead) this.releaseLeaving();
    this.plan(time, schedulesAhead && this.lastStart > -Infinity ? this.lastStart : time);
  }

  /** Ends a run of steps so that whoever arrived now can be admitted as soon as the engine would. */
  private cutShort(time: number): void {
    const least = stepsToReach(this.firstStep, this.growth, time - this.startedAt);
    const steps = Math.max(1, least + (this.rules.schedulesAhead ? 1 : 0));
    if (steps >= this.steps) return;
    this.steps = steps;
    this.endsAt = this.startedAt + seriesSeconds(this.firstStep, this.growth, steps);
  }

  /** Makes what the current activity computed count. */
  private settle(time: number): void {
    const { pieces, steps, startedAt, decoding, events } = this;
    if (steps === 0 && pieces.length === 0) return;
    this.lastStart = steps > 1 ? startedAt + seriesSeconds(this.firstStep, this.growth, steps - 1) : startedAt;
    this.lastHadPrefill = pieces.length > 0;
    const decoded = steps > 0 ? decoding.sequences : 0;
    const prefilled = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
    const tokens = decoded * steps * this.clock.tokensPerStep + prefilled;
    events.busy(startedAt, time, this.running, this.waiting.length, this.blocks.cache.held, tokens);
    if (decoded > 0) {
      this.gaps.decoded(decoded - this.padded.length, startedAt, steps, this.firstStep, this.growth, time);
      // The blocks of the first step were taken when it began.
      if (steps > 1 && this.blocks.grows)
        this.blocks.cache.take(decoding.blocksWanted(steps) - decoding.blocksWanted(1));
      decoding.advance(steps);
      this.estimate.passed(steps);
      for (let request = decoding.popFinished(); request !== undefined; request = decoding.popFinished()) {
        this.finish(request, time);
      }
    }
    for (const { request, to } of pieces) {
      request.computed = to;
      if (this.handsOver) events.computed(request, to, time);
      if (to === request.target) this.prefilled(request, time);
    }
    if (pieces.length > 0) this.open = this.open.filter(({ state }) => state === 'prefill');
    if (this.padded.length > 0 && this.padded.length === decoding.sequences) this.closeBatch();
    this.pieces = [];
    this.steps = 0;
  }

  private prefilled(request: SimulatedRequest, time: number): void {
    request.generated += 1;
    if (this.handsOver) {
      this.leave(request, time);
      return;
    }
    if (request.firstToken < 0) {
      request.firstToken = time;
      this.events.first(request, time);
    } else {
      this.events.gaps(1, time - request.lastToken);
    }
    request.lastToken = time;
    if (request.generated >= request.output) this.complete(request, time);
    else this.startDecoding(request);
  }

  private startDecoding(request: SimulatedRequest): void {
    this.decoding.add(request, request.target + 1, this.clock.stepsFor(request.output - request.generated));
    this.gaps.join(request);
  }

  private finish(request: SimulatedRequest, time: number): void {
    request.generated = request.output;
    if (this.rules.batching !== 'static') {
      this.decoding.remove(request);
      this.complete(request, time);
      return;
    }
    this.padded.push(request);
    request.state = 'done';
    request.lastToken = time;
    this.events.finished(request, time);
  }

  private complete(request: SimulatedRequest, time: number): void {
    this.leave(request, time);
    this.events.finished(request, time);
  }

  private leave(request: SimulatedRequest, time: number): void {
    request.state = 'done';
    request.lastToken = time;
    this.leaving.push(request);
  }

  private closeBatch(): void {
    for (const request of this.padded) {
      this.decoding.remove(request);
      this.leaving.push(request);
    }
    this.padded = [];
  }

  private releaseLeaving(): boolean {
    if (this.leaving.length === 0) return false;
    for (const request of this.leaving) this.blocks.release(request, request.prompt + request.generated - 1, true);
    this.leaving = [];
    return true;
  }

  /** Forms the next step, of requests that came until `horizon`, and starts it. */
  private plan(time: number, horizon: number): void {
    const { rules, decoding, waiting } = this;
    let isCalm = true;
    if (rules.batching === 'static') {
      if (this.running === 0) this.planBatch();
    } else {
      const decodesFirst = rules.batching === 'mixed';
      // Running requests come first: where they lack a block somebody gives way, and nobody is admitted in this step.
      if (decodesFirst) isCalm = this.growBlocks();
      const rests = rules.alternates && this.lastHadPrefill && decoding.sequences > 0;
      if (!rests) this.planPrefills(time, horizon, isCalm);
      if (!decodesFirst && this.pieces.length === 0) isCalm = this.growBlocks();
    }
    const released = this.releaseLeaving();
    if (this.pieces.length > 0 || decoding.sequences > 0) {
      // Whether those who wait may be admitted at the next step although nobody leaves before.
      const rested = rules.alternates && this.lastHadPrefill;
      const soon = released || !isCalm || (waiting.first()?.ready ?? 0) > horizon || rested || this.mayGoAlone();
      this.begin(time, (waiting.length > 0 && soon) || (this.open.length > 0 && rested));
    } else if (waiting.length > 0 && (released || horizon < time || !isCalm)) {
      // Nothing runs, so nothing was planned ahead: look again, with what is there now.
      this.lastStart = -Infinity;
      this.plan(time, time);
    } else {
      this.endsAt = Infinity;
      this.lastHadPrefill = false;
    }
  }

  private begin(time: number, isShort: boolean): void {
    const { clock, decoding, rules, pieces } = this;
    this.startedAt = time;
    if (pieces.length > 0) {
      const beside = rules.batching === 'mixed' && decoding.sequences > 0;
      this.steps = beside ? 1 : 0;
      this.growth = 0;
      this.firstStep = clock.mixedSeconds(beside ? decoding : undefined, pieces);
      for (const { request } of pieces) if (request.admitted < 0) request.admitted = time;
    } else {
      this.firstStep = clock.decodeSeconds(decoding);
      this.growth = clock.decodeGrowth(decoding);
      this.steps = isShort || !clock.isLinear ? 1 : this.longestRun();
    }
    this.endsAt = time + seriesSeconds(this.firstStep, this.growth, Math.max(1, this.steps));
  }

  /** Decode steps until somebody is complete, a window is full, or memory runs out. */
  private longestRun(): number {
    const { decoding, blocks } = this;
    const most = Math.max(1, decoding.stepsToNextEvent());
    if (!blocks.grows) return most;
    // Those of the first step are taken already.
    return Math.max(1, decoding.stepsWithin(blocks.cache.available + decoding.blocksWanted(1), most));
  }

  /** Takes the blocks of the next decode step; where there are none, requests give way. False where one had to. */
  private growBlocks(): boolean {
    const { decoding, blocks } = this;
    if (!blocks.grows || decoding.sequences === 0) return true;
    let isCalm = true;
    while (decoding.blocksWanted(1) > blocks.cache.available) {
      isCalm = false;
      if (!this.preempt()) break;
    }
    blocks.cache.take(decoding.blocksWanted(1));
    return isCalm;
  }

  /** Somebody gives way: its KV is dropped, and it goes to the head of the queue to be computed again. */
  private preempt(): boolean {
    const { decoding, order } = this;
    const request = this.rules.victim === 'newest' ? order.takeNewest() : this.estimate.victim(order, decoding.count);
    if (request === undefined) return false;
    if (request.state === 'decode') {
      request.generated = request.output - (request.finishAt - decoding.count);
      this.gaps.leave(request);
      decoding.remove(request);
      this.blocks.release(request, request.prompt + request.generated - 1, false);
    } else {
      this.open = this.open.filter((each) => each !== request);
      this.blocks.release(request, request.target, false);
    }
    request.state = 'waiting';
    request.computed = 0;
    request.handedOver = false;
    request.target = request.prompt + request.generated;
    request.preemptions += 1;
    this.events.preempted(request);
    this.waiting.pushFront(request);
    return true;
  }

  /** A static batch: whoever waits, as many as fit; short prompts are padded, so all cost as much as the longest. */
  private planBatch(): void {
    const { waiting, rules, pieces } = this;
    const batch: SimulatedRequest[] = [];
    while (batch.length < rules.maxSequences) {
      const request = waiting.first();
      if (request === undefined || !this.admit(request)) break;
      waiting.shift();
      batch.push(request);
      this.open.push(request);
    }
    const longest = Math.max(0, ...batch.map(({ prompt }) => prompt));
    for (const request of batch) {
      request.target = longest;
      pieces.push({ request, from: request.computed, to: longest });
    }
  }

  private planPrefills(time: number, horizon: number, mayAdmit: boolean): void {
    const { rules, waiting, pieces } = this;
    let budget = rules.tokenBudget - (rules.batching === 'mixed' ? this.decoding.sequences : 0);
    for (const request of this.open) {
      if (budget <= 0) return;
      budget -= this.compute(request, budget);
    }
    if (!mayAdmit) return;
    while (budget > 0 && pieces.length < rules.maxPrefills && this.running < rules.maxSequences) {
      const request = waiting.first();
      if (request === undefined || request.ready > horizon) return;
      if (!rules.chunked && !this.fitsWhole(request, budget)) return;
      if (!this.admit(request)) return;
      waiting.shift();
      if (request.handedOver && !rules.beginsWithLast) {
        this.takeOver(request, time);
      } else {
        this.open.push(request);
        budget -= this.compute(request, budget);
      }
    }
  }

  /** Puts what a step can compute of a prompt into the next one. Returns its tokens. */
  private compute(request: SimulatedRequest, budget: number): number {
    const { chunked, chunkTokens } = this.rules;
    const from = request.computed;
    const to = chunked ? Math.min(request.target, from + Math.min(budget, chunkTokens)) : request.target;
    this.pieces.push({ request, from, to });
    return to - from;
  }

  /** A prompt that is not cut waits for a step with room for it; one longer than any step has room for goes alone. */
  private fitsWhole(request: SimulatedRequest, budget: number): boolean {
    const fresh = request.target - this.blocks.hitTokens(request);
    return fresh <= budget || (this.pieces.length === 0 && fresh > this.rules.tokenBudget);
  }

  /** Whether who waits for room in a step has it to itself as soon as what it found cached is lost. */
  private mayGoAlone(): boolean {
    const request = this.waiting.first();
    const { chunked, tokenBudget, maxSequences } = this.rules;
    if (chunked || request === undefined || this.running >= maxSequences) return false;
    return request.target > tokenBudget && this.blocks.hitTokens(request) > 0;
  }

  /** Gives a request its blocks, if there are enough. */
  private admit(request: SimulatedRequest): boolean {
    const { blocks, rules, decoding } = this;
    const hits = blocks.hitTokens(request);
    const { needed, available } = blocks.missing(request);
    if (needed > available) return false;
    if (rules.admission === 'estimate' && this.running > 0) {
      const promised = this.handsOver
        ? this.open.length
        : decoding.tokensLeft + this.open.reduce((sum, { output }) => sum + output, 0);
      const tokens =
        request.target -
        hits +
        rules.blockTokens +
        this.estimate.wanted(this.handsOver ? 1 : request.output - request.generated, promised);
      if (tokens >= available * rules.blockTokens) return false;
    }
    blocks.hold(request);
    request.computed = hits;
    if (request.admissions === 0) request.hits = hits;
    request.admissions += 1;
    request.state = 'prefill';
    if (rules.admission !== 'whole') this.order.push(request, this.running);
    return true;
  }

  /** A prompt that was computed elsewhere begins to decode: its first token is seen now. */
  private takeOver(request: SimulatedRequest, time: number): void {
    request.admitted = time;
    request.firstToken = time;
    request.lastToken = time;
    request.generated = 1;
    this.events.first(request, time);
    if (request.output <= 1) this.complete(request, time);
    else this.startDecoding(request);
  }
}
