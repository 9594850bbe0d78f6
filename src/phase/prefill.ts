import { resourceIndex } from '../roofline/resource.ts';
import { addStepSeconds } from '../roofline/step-seconds.ts';
import type { StepTable } from '../roofline/step-table.ts';
import { addDecodeSeconds } from './decode.ts';
import { addMeanChunk, clearStep, newStep, finishStep } from './step.ts';

const step = newStep();

const { overhead: overheadAt } = resourceIndex;

/** Steps that a prefill of `tokens` new tokens takes under a token budget. */
export const prefillSteps = (tokens: number, budget: number): number => Math.max(1, Math.ceil(tokens / budget));

/**
 * Prefill of `sequences` equal prompts that start together, the first `cached` tokens of each already in the cache.
 * A prefill above the token budget is cut into equal chunks, each a step of its own that reads the weights again.
 * Adds seconds by resource to `parts` with weight `factor` and returns them.
 */
export function addPrefillSeconds(
  table: StepTable,
  sequences: number,
  prompt: number,
  cached: number,
  budget: number,
  parts: Float64Array,
  factor = 1,
): number {
  const tokens = sequences * (prompt - cached);
  const steps = prefillSteps(tokens, Math.min(budget, table.passTokens ?? Infinity));
  // Whole prompts share a step; one that is longer than the budget is cut along its length.
  const cuts = steps === 1 || sequences >= steps ? 1 : Math.ceil(steps / sequences);
  const perStep = cuts === 1 ? sequences / steps : 1;
  clearStep(table, step);
  addMeanChunk(table, step, perStep, cached, prompt, cuts);
  finishStep(table, step);
  const times = (sequences * cuts) / perStep;
  // The host's cost of a step comes once, not once a pass.
  const once = table.passTokens === undefined ? 0 : (times - prefillSteps(tokens, budget)) * table.perStep * factor;
  parts[overheadAt] = (parts[overheadAt] ?? 0) - once;
  const prefill = addStepSeconds(table, step, parts, times * factor) - once;
  return table.decodesLastToken === true
    ? prefill + addDecodeSeconds(table, sequences, prompt - 1, 1, parts, factor, false)
    : prefill;
}
