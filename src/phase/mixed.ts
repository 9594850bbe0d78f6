import { resourceIndex } from '../roofline/resource.ts';
import { addStepSeconds } from '../roofline/step-seconds.ts';
import type { StepTable } from '../roofline/step-table.ts';
import { addDecodeSeconds, lastContext } from './decode.ts';
import { addDecode, addMeanChunk, clearStep, newStep, finishStep } from './step.ts';

const step = newStep();

const { overhead: overheadAt } = resourceIndex;

/** What prefill brings into a step: `sequences` prompts of which the mean of `cuts` equal chunks is computed. */
export interface PrefillChunk {
  readonly sequences: number;
  readonly cached: number;
  readonly cuts: number;
}

/**
 * A step that decodes `decoding` sequences (mean context over an answer of `output` tokens after `prompt`) and
 * prefills a chunk at the same time, as engines with chunked prefill do: the weights are read once for both.
 */
export function addMixedSeconds(
  table: StepTable,
  decoding: number,
  prompt: number,
  output: number,
  chunk: PrefillChunk,
  parts: Float64Array,
  factor = 1,
): number {
  const { speculative } = table;
  if (speculative === undefined || decoding === 0) {
    return addOneStep(table, decoding, prompt, output, table, chunk, parts, factor);
  }
  // Below one sequence in the mean, some of the steps decode none, and nothing is drafted in them.
  const decodes = Math.min(1, decoding);
  const alone = decodes < 1 ? addOneStep(table, 0, prompt, output, table, chunk, parts, factor * (1 - decodes)) : 0;
  return alone + addOneStep(speculative, decoding / decodes, prompt, output, table, chunk, parts, factor * decodes);
}

function addOneStep(
  used: StepTable,
  decoding: number,
  prompt: number,
  output: number,
  table: StepTable,
  chunk: PrefillChunk,
  parts: Float64Array,
  factor: number,
): number {
  if (table.decodesLastToken === true) return addTwoSteps(table, decoding, prompt, output, chunk, parts, factor);
  const { passTokens = Infinity } = table;
  const passes = Math.ceil((decoding + chunkTokens(chunk, prompt)) / passTokens - rounding);
  return passes > 1
    ? addPasses(used, decoding, prompt, output, table, chunk, parts, factor, passes)
    : addPass(used, decoding, prompt, output, table, chunk, parts, factor);
}

function addPass(
  used: StepTable,
  decoding: number,
  prompt: number,
  output: number,
  table: StepTable,
  chunk: PrefillChunk,
  parts: Float64Array,
  factor: number,
): number {
  clearStep(used, step);
  if (decoding > 0) addDecode(used, step, decoding, prompt + 1, lastContext(table, prompt, output));
  addMeanChunk(used, step, chunk.sequences, chunk.cached, prompt, chunk.cuts);
  finishStep(used, step);
  return addStepSeconds(used, step, parts, factor);
}

/** The prompts' step, and behind it a decode step of those that decode and those whose prompt is complete. */
function addTwoSteps(
  table: StepTable,
  decoding: number,
  prompt: number,
  output: number,
  chunk: PrefillChunk,
  parts: Float64Array,
  factor: number,
): number {
  const prefill = addPass(table, 0, prompt, output, table, chunk, parts, factor);
  return prefill + addDecodeSeconds(table, decoding + chunk.sequences / chunk.cuts, prompt, output, parts, factor);
}

/** So that a step of exactly one pass is one. */
const rounding = 1e-9;

const chunkTokens = ({ sequences, cached, cuts }: PrefillChunk, prompt: number): number =>
  (sequences * (prompt - cached)) / cuts;

/** A step cut into equal passes, of which the first holds the decodes; the host's cost of a step comes once. */
function addPasses(
  used: StepTable,
  decoding: number,
  prompt: number,
  output: number,
  table: StepTable,
  chunk: PrefillChunk,
  parts: Float64Array,
  factor: number,
  passes: number,
): number {
  const share = chunk.sequences / chunk.cuts / passes;
  const cuts = Math.max(1, Math.ceil(1 / share - rounding));
  const pass = { ...chunk, cuts, sequences: share * cuts };
  const first = addPass(used, decoding, prompt, output, table, pass, parts, factor);
  const others = (passes - 1) * factor;
  const once = others * table.perStep;
  parts[overheadAt] = (parts[overheadAt] ?? 0) - once;
  return first + addPass(table, 0, prompt, output, table, pass, parts, others) - once;
}
