import { addPrefill, clearStep, newStep, finishStep } from '../../phase/step.ts';
import { resourceCount } from '../../roofline/resource.ts';
import { addStepSeconds } from '../../roofline/step-seconds.ts';
import { fixedVariables, spanVariables, type StepTable } from '../../roofline/step-table.ts';
import { attendedEntries, type Span } from '../../operator/span.ts';
import type { CompiledDeployment } from '../compiled.ts';
import { microBatch, pipelined } from '../static-batch.ts';
import type { DecodeSet } from './decode-set.ts';
import type { EngineRules } from './engine-rules.ts';
import type { SimulatedRequest } from './request.ts';

/** Tokens of a prompt that a step computes. */
export interface Prefill {
  readonly request: SimulatedRequest;
  readonly from: number;
  readonly to: number;
}

/** Entries at which the slope of decode attention is read off; large, so that rounding does not show. */
const farContext = 1e6;

/**
 * Seconds of an engine's steps, from the deployment's table. Decode attention is linear in the entries that it reads
 * and everything else in a decode step depends on the number of sequences alone, so a decode step is
 * base(n) + slope x entries, and any number of them an arithmetic series.
 */
export class StepClock {
  /** Seconds per KV entry read, by span, for one micro-batch of everything. */
  readonly slopes: Float64Array;
  /** Whether a decode step is linear in its entries; not where host launches and device race (eager engines). */
  readonly isLinear: boolean;
  /** Spans of the layers that decode reads, those of a draft included. */
  readonly spans: readonly Span[];
  /** Tokens that a sequence gains in a decode step: more than one where they are drafted. */
  readonly tokensPerStep: number;
  /** Of steps with decodes, and of steps without. */
  private readonly table: StepTable;
  private readonly prefillTable: StepTable;
  /** Whether a step with prefill is linear in what its decodes read. */
  private readonly remembers: boolean;
  private readonly width: number;
  private readonly streams: boolean;
  private readonly stages: number;
  private readonly passTokens: number;
  /** KV entries that the decodes of a step read, by span. */
  private readonly entries: Float64Array;
  private readonly step = newStep();
  private readonly parts = new Float64Array(resourceCount);
  /** Decode steps that read no KV, by sequences; and steps with the same piece of a prompt beside them. */
  private bases = new Float64Array(64);
  private mixedBases = new Float64Array(64);
  private knownFrom = -1;
  private knownTo = -1;
  private knownEnds = false;

  private readonly compiled: CompiledDeployment;

  constructor(compiled: CompiledDeployment, rules: EngineRules) {
    this.compiled = compiled;
    const { speculative } = compiled.table;
    this.table = speculative ?? compiled.table;
    this.prefillTable = compiled.table;
    this.spans = this.table.spans;
    this.tokensPerStep = speculative?.tokensPerStep ?? 1;
    this.width = speculative?.decodeWidth ?? 1;
    this.streams = rules.batching !== 'static';
    this.stages = rules.stages;
    this.passTokens = rules.passTokens;
    this.isLinear = this.table.launch === 0;
    // Where prompts are launched kernel by kernel, host and device race in every step that has one.
    this.remembers = this.isLinear && (this.table.prefillLaunch ?? 0) === 0;
    this.entries = new Float64Array(this.spans.length);
    this.slopes = Float64Array.from(this.spans, (_, span) => {
      this.entries.fill(1);
      this.entries[span] = farContext;
      const near = this.decodeStep(1);
      this.entries[span] = 2 * farContext;
      const far = this.decodeStep(1);
      return (far - near) / farContext;
    });
  }

  /** Share of the sequences that one micro-batch holds. */
  private share(sequences: number): number {
    return sequences === 0 ? 0 : microBatch(sequences, this.stages) / sequences;
  }

  /** Seconds of the next decode step of a set. */
  decodeSeconds(set: DecodeSet): number {
    const { sequences } = set;
    if (!this.isLinear) {
      this.readEntries(set);
      return this.decodeStep(sequences);
    }
    return this.base(sequences) + this.readingSeconds(set);
  }

  /** Seconds by which each decode step of a set is longer than the one before. */
  decodeGrowth(set: DecodeSet): number {
    const share = this.share(set.sequences);
    let seconds = 0;
    for (let span = 0; span < this.slopes.length; span++) {
      const stride = this.spans[span]?.stride ?? 1;
      const entries = (this.tokensPerStep * (set.growingSequences[span] ?? 0)) / stride;
      seconds += (this.slopes[span] ?? 0) * share * entries;
    }
    return seconds;
  }

  /** Seconds of a step with prefill, and the next decode step of `set` beside it where there is one. */
  mixedSeconds(set: DecodeSet | undefined, prefills: readonly Prefill[]): number {
    if (this.passTokens < Infinity) return this.passes(set, prefills);
    const [first] = prefills;
    if (first === undefined || prefills.length > 1 || set === undefined || !this.remembers)
      return this.wholeStep(set, prefills);
    // Prompts alike come one after another: what such a step costs without the decodes' KV is remembered.
    const { from, to, request } = first;
    const ends = to === request.target;
    if (from !== this.knownFrom || to !== this.knownTo || ends !== this.knownEnds) {
      this.knownFrom = from;
      this.knownTo = to;
      this.knownEnds = ends;
      this.mixedBases.fill(0);
    }
    const reading = this.readingSeconds(set);
    const known = this.mixedBases[set.sequences];
    if (known !== undefined && known > 0) return known + reading;
    const seconds = this.wholeStep(set, prefills);
    this.mixedBases = withRoom(this.mixedBases, set.sequences);
    this.mixedBases[set.sequences] = seconds - reading;
    return seconds;
  }

  private wholeStep(set: DecodeSet | undefined, prefills: readonly Prefill[]): number {
    const { step } = this;
    if (this.table.decodesLastToken === true) return this.prefillThenDecode(set, prefills);
    const table = set === undefined ? this.prefillTable : this.table;
    clearStep(table, step);
    if (set !== undefined && set.sequences > 0) {
      this.readEntries(set);
      this.addDecodes(set.sequences);
    }
    // Prompts spread over the micro-batches of a pipeline; a lone one is in one of them.
    const share = Math.max(1, prefills.length / this.stages) / Math.max(1, prefills.length);
    for (const { request, from, to } of prefills) {
      addPrefill(table, step, share, from, to, to === request.target ? share : 0);
    }
    finishStep(table, step);
    return addStepSeconds(table, step, this.parts);
  }

  /** The prompts' step, and behind it a decode step of those that decode and those whose prompt is complete. */
  private prefillThenDecode(set: DecodeSet | undefined, prefills: readonly Prefill[]): number {
    const { step, table } = this;
    clearStep(table, step);
    for (const { from, to } of prefills) addPrefill(table, step, 1, from, to, 0);
    finishStep(table, step);
    const prefill = addStepSeconds(table, step, this.parts);
    const complete = prefills.filter(({ request, to }) => to === request.target);
    if (set === undefined) this.entries.fill(0);
    else this.readEntries(set);
    for (const [index, span] of this.spans.entries()) {
      const entries = complete.reduce((sum, { to }) => sum + attendedEntries(span, to), 0);
      this.entries[index] = (this.entries[index] ?? 0) + entries;
    }
    return prefill + this.decodeStep((set?.sequences ?? 0) + complete.length);
  }

  /** Seconds of a decode step that go to reading KV. */
  private readingSeconds(set: DecodeSet): number {
    const share = this.share(set.sequences);
    let seconds = 0;
    for (let span = 0; span < this.slopes.length; span++)
      seconds += (this.slopes[span] ?? 0) * share * set.entries(span);
    return seconds;
  }

  /** A step in passes of limited length, as llama.cpp cuts it: decodes first, then prompts, each pass on its own. */
  private passes(set: DecodeSet | undefined, prefills: readonly Prefill[]): number {
    const { step, passTokens } = this;
    const table = set === undefined ? this.prefillTable : this.table;
    let seconds = 0;
    let passes = 0;
    let room = passTokens;
    const close = (): void => {
      finishStep(table, step);
      seconds += addStepSeconds(table, step, this.parts);
      passes += 1;
      clearStep(table, step);
      room = passTokens;
    };
    clearStep(table, step);
    if (set !== undefined && set.sequences > 0) {
      this.readEntries(set);
      this.addDecodes(set.sequences);
      room -= set.sequences * this.width;
    }
    for (const { request, from, to } of prefills) {
      let at = from;
      while (at < to) {
        if (room <= 0) close();
        const end = Math.min(to, at + room);
        addPrefill(table, step, 1, at, end, end === request.target ? 1 : 0);
        room -= end - at;
        at = end;
      }
    }
    close();
    // Passes follow each other through a pipeline. The host's cost of a step comes once, not once a pass.
    return (seconds - (passes - 1) * table.perStep) * pipelined(this.compiled, passes);
  }

  /** Seconds of a decode step that reads no KV, remembered by the number of sequences. */
  private base(sequences: number): number {
    const known = this.bases[sequences];
    if (known !== undefined && known > 0) return known;
    this.entries.fill(sequences);
    let seconds = this.decodeStep(sequences);
    const share = this.share(sequences);
    for (let span = 0; span < this.slopes.length; span++) seconds -= (this.slopes[span] ?? 0) * share * sequences;
    this.bases = withRoom(this.bases, sequences);
    this.bases[sequences] = seconds;
    return seconds;
  }

  /** A decode step that reads `entries`. */
  private decodeStep(sequences: number): number {
    const { table, step } = this;
    clearStep(table, step);
    if (sequences > 0) this.addDecodes(sequences);
    finishStep(table, step);
    return addStepSeconds(table, step, this.parts);
  }

  private readEntries(set: DecodeSet): void {
    for (let span = 0; span < this.entries.length; span++) this.entries[span] = set.entries(span);
  }

  /** As addDecode of phase/step.ts, with the entries of all sequences given as a sum. */
  private addDecodes(sequences: number): void {
    const { step, entries } = this;
    const share = this.share(sequences);
    const decodes = sequences * share;
    for (const at of wideVariables) step[at] = (step[at] ?? 0) + decodes * this.width;
    for (const at of plainVariables) step[at] = (step[at] ?? 0) + decodes;
    if (this.streams) step[streamedAt] = (step[streamedAt] ?? 0) + decodes;
    for (let span = 0; span < entries.length; span++) {
      const at = fixedVariables.length + span * spanVariables + 2;
      step[at] = (step[at] ?? 0) + (entries[span] ?? 0) * share;
    }
  }

  /** Decode steps that so many tokens take. */
  stepsFor(tokens: number): number {
    return this.tokensPerStep === 1 ? tokens : Math.ceil(tokens / this.tokensPerStep - 1e-9);
  }
}

/** Where a decoding sequence counts: once for each token that it sends through the model, or once. */
const wideVariables: readonly number[] = [fixedVariables.indexOf('tokens'), fixedVariables.indexOf('rows')];
const plainVariables: readonly number[] = [
  fixedVariables.indexOf('sequences'),
  fixedVariables.indexOf('decodeSequences'),
];
const streamedAt = fixedVariables.indexOf('streamed');

/** Numbers with a place for `index`. */
function withRoom(numbers: Float64Array<ArrayBuffer>, index: number): Float64Array<ArrayBuffer> {
  if (index < numbers.length) return numbers;
  const larger = new Float64Array(2 * index);
  larger.set(numbers);
  return larger;
}
