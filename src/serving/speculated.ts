import { resourceCount } from '../roofline/resource.ts';
import type { StepTable } from '../roofline/step-table.ts';
import type { ClockSeconds } from './clock-seconds.ts';

/** Steps that an answer takes, the first token's included: fewer than tokens where several are kept of each. */
export const stepsOf = ({ speculative }: StepTable, output: number): number =>
  speculative === undefined ? output : 1 + (output - 1) / speculative.tokensPerStep;

/** Tokens that so many steps give. */
export const tokensOf = ({ speculative }: StepTable, steps: number): number =>
  speculative === undefined ? steps : 1 + (steps - 1) * speculative.tokensPerStep;

/** Turns the time between steps into the time between tokens. */
export function spreadOverTokens({ speculative }: StepTable, clocks: ClockSeconds): void {
  if (speculative === undefined) return;
  for (let index = 0; index < resourceCount; index++) {
    clocks.tpot[index] = (clocks.tpot[index] ?? 0) / speculative.tokensPerStep;
    clocks.tpotRates[index] = (clocks.tpotRates[index] ?? 0) / speculative.tokensPerStep;
  }
  clocks.tpotSeconds /= speculative.tokensPerStep;
}
