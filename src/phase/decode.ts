import { addStepSeconds } from '../roofline/step-seconds.ts';
import type { StepTable } from '../roofline/step-table.ts';
import { addDecode, clearStep, newStep, finishStep } from './step.ts';

const step = newStep();

/**
 * Mean decode step of `sequences` over a whole answer: tokens 2..output, whose contexts are prompt + 1 ..
 * prompt + output - 1. Attention is linear in (context + offset), so the step at the mean context is the mean of
 * the steps, and the cost does not depend on the length of the answer. One token of output has no decode step;
 * it is priced as if there were one.
 * `streamed`: tokens go to clients as they come, which a static batch does not do. Adds seconds by resource to `parts` with weight `factor` and returns them.
 */
export function addDecodeSeconds(
  table: StepTable,
  sequences: number,
  prompt: number,
  output: number,
  parts: Float64Array,
  factor = 1,
  streamed = true,
): number {
  const used = table.speculative ?? table;
  clearStep(used, step);
  addDecode(used, step, sequences, prompt + 1, lastContext(table, prompt, output), streamed ? sequences : 0);
  finishStep(used, step);
  return addStepSeconds(used, step, parts, factor);
}

/**
 * Context of the last decode step of an answer. With speculation `output` counts steps (the first token's included),
 * each of which moves on by several tokens.
 */
export const lastContext = ({ speculative }: StepTable, prompt: number, output: number): number =>
  prompt + Math.max(1, speculative === undefined ? output - 1 : Math.round((output - 1) * speculative.tokensPerStep));
