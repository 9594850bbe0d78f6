import { attendedPairs, meanAttendedEntries, type Span } from '../operator/span.ts';
import { fixedVariables, spanVariables, type StepTable } from '../roofline/step-table.ts';

/** Positions of the variables in a step's vector; see `fixedVariables`. */
const tokensAt = 1;
const rowsAt = 2;
const sequencesAt = 3;
const prefillTokensAt = 4;
const decodeSequencesAt = 5;

/** More variables than any model read so far needs: six, three a span, one a group of experts. */
const longest = 128;

/** A vector for the steps of any deployment; callers keep one and refill it. */
export const newStep = (): Float64Array => new Float64Array(longest);

/** Empties the variables that a deployment uses: nothing to do but the constant 1. */
export function clearStep(table: StepTable, step: Float64Array): void {
  const { length } = table.variables;
  for (let index = 1; index < length; index++) step[index] = 0;
  step[0] = 1;
}

/**
 * Adds prefill of `sequences` prompts to a step, each with tokens `from`..`to` new (earlier ones are in the cache).
 * `rows`: prompts that end in this step and get their first token.
 */
export function addPrefill(
  table: StepTable,
  step: Float64Array,
  sequences: number,
  from: number,
  to: number,
  rows: number,
): void {
  const tokens = sequences * (to - from);
  add(step, tokensAt, tokens);
  add(step, prefillTokensAt, tokens);
  add(step, rowsAt, rows);
  add(step, sequencesAt, sequences);
  for (let index = 0; index < table.spans.length; index++) {
    const span = table.spans[index] as Span;
    const at = fixedVariables.length + index * spanVariables;
    add(step, at, sequences * attendedPairs(span, from, to));
    add(step, at + 1, sequences * Math.min(from / span.stride, span.window));
  }
}

/** Adds one decode token for each of `sequences`, at the mean of the contexts first..last (whole numbers). */
export function addDecode(
  table: StepTable,
  step: Float64Array,
  sequences: number,
  first: number,
  last: number,
): void {
  add(step, tokensAt, sequences);
  add(step, rowsAt, sequences);
  add(step, sequencesAt, sequences);
  add(step, decodeSequencesAt, sequences);
  for (let index = 0; index < table.spans.length; index++) {
    const at = fixedVariables.length + index * spanVariables + 2;
    add(step, at, sequences * meanAttendedEntries(table.spans[index] as Span, first, last));
  }
}

/**
 * Fills in what depends on all tokens of the step: experts that at least one token visits, E (1 - (1 - k/E)^tokens)
 * for balanced routing. Call last.
 */
export function touchExperts(table: StepTable, step: Float64Array): void {
  const first = fixedVariables.length + table.spans.length * spanVariables;
  for (let index = 0; index < table.expertGroups.length; index++) {
    const group = table.expertGroups[index] as StepTable['expertGroups'][number];
    const tokens = (step[tokensAt] as number) * group.tokenFactor;
    step[first + index] = group.local * (1 - Math.pow(1 - group.share, tokens));
  }
}

function add(step: Float64Array, at: number, amount: number): void {
  step[at] = (step[at] as number) + amount;
}
