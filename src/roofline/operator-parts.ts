import { secondsPerSlot, slotsPerOperator, type StepTable } from './step-table.ts';

/** The terms of an operator's time in a step before they are combined, seconds. */
export interface OperatorTerms {
  readonly compute: number;
  readonly traffic: number;
  readonly beside: number;
}

/** Sums an operator's slots as the fast path does, but keeps the terms apart. */
export function operatorTerms(table: StepTable, index: number, step: Float64Array): OperatorTerms {
  let compute = 0;
  let traffic = 0;
  let beside = 0;
  for (let slot = index * slotsPerOperator; slot < (table.slotEnds[index] ?? 0); slot++) {
    const amount = step[table.slotVariables[slot] ?? 0] ?? 0;
    const at = slot * secondsPerSlot;
    const second = (offset: number): number => table.slotSeconds[at + offset] ?? 0;
    compute += second(0) * amount;
    traffic += (second(1) + second(2) + second(3) + second(4)) * amount;
    beside += second(5) * amount;
  }
  return { compute, traffic, beside };
}
