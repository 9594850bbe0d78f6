import { addStepSeconds } from '../roofline/step-seconds.ts';
import type { StepTable } from '../roofline/step-table.ts';
import { addDecode, addPrefill, clearStep, newStep, touchExperts } from './step.ts';

const step = newStep();

/** What a chunk of prefill brings into a step: `sequences` prompts, each with tokens `from`..`to` new. */
export interface PrefillChunk {
  readonly sequences: number;
  readonly from: number;
  readonly to: number;
  /** Prompts that end in this step. */
  readonly rows: number;
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
  const last = prompt + Math.max(1, output - 1);
  clearStep(table, step);
  if (decoding > 0) addDecode(table, step, decoding, prompt + 1, last);
  addPrefill(table, step, chunk.sequences, chunk.from, chunk.to, chunk.rows);
  touchExperts(table, step);
  return addStepSeconds(table, step, parts, factor);
}
