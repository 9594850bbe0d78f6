import { addStepSeconds } from '../roofline/step-seconds.ts';
import type { StepTable } from '../roofline/step-table.ts';
import { addPrefill, clearStep, newStep, finishStep } from './step.ts';

const step = newStep();

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
  const tokens = prompt - cached;
  const steps = prefillSteps(sequences * tokens, budget);
  if (steps === 1 || sequences >= steps) {
    // Whole prompts share a step.
    const perStep = sequences / steps;
    clearStep(table, step);
    addPrefill(table, step, perStep, cached, prompt, perStep);
    finishStep(table, step);
    return addStepSeconds(table, step, parts, steps * factor);
  }
  // One prompt (or fewer than there are steps) is cut along its length.
  const cuts = Math.ceil(steps / sequences);
  let seconds = 0;
  for (let cut = 0; cut < cuts; cut++) {
    const from = cached + (tokens * cut) / cuts;
    const to = cached + (tokens * (cut + 1)) / cuts;
    clearStep(table, step);
    addPrefill(table, step, 1, from, to, cut === cuts - 1 ? 1 : 0);
    finishStep(table, step);
    seconds += addStepSeconds(table, step, parts, sequences * factor);
  }
  return seconds;
}
