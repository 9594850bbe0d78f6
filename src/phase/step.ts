import { attendedEntries, attendedPairs, meanAttendedEntries } from '../operator/span.ts';
import { busiestVisits, visitedExperts } from '../operator/visited-experts.ts';
import type { SmallBatch } from '../roofline/efficiency.ts';
import { fixedVariables, spanVariables, type SpeculativeTable, type StepTable } from '../roofline/step-table.ts';

/** Positions of the variables in a step's vector; see `fixedVariables`. */
const tokensAt = 1;
const rowsAt = 2;
const sequencesAt = 3;
const prefillTokensAt = 4;
const decodeSequencesAt = 5;
const chargedTokensAt = 6;
const chargedRowsAt = 7;
const streamedAt = 8;

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
  let at = fixedVariables.length;
  for (const span of table.spans) {
    add(step, at, sequences * attendedPairs(span, from, to));
    add(step, at + 1, sequences * attendedEntries(span, from));
    at += spanVariables;
  }
}

/**
 * Adds the mean of the `cuts` equal chunks that `sequences` prompts are prefilled in, the first `cached` tokens of each
 * already in the cache. Chunks differ in what attention reads alone, in which a step is linear; and unlike any one
 * chunk their mean grows with the prompt, wherever windows and blocks of attention end.
 */
export function addMeanChunk(
  table: StepTable,
  step: Float64Array,
  sequences: number,
  cached: number,
  prompt: number,
  cuts: number,
): void {
  const tokens = (sequences * (prompt - cached)) / cuts;
  add(step, tokensAt, tokens);
  add(step, prefillTokensAt, tokens);
  add(step, rowsAt, sequences / cuts);
  add(step, sequencesAt, sequences);
  let at = fixedVariables.length;
  for (const span of table.spans) {
    let entries = 0;
    for (let cut = 0; cut < cuts; cut++) entries += attendedEntries(span, cached + ((prompt - cached) * cut) / cuts);
    add(step, at, (sequences * attendedPairs(span, cached, prompt)) / cuts);
    add(step, at + 1, (sequences * entries) / cuts);
    at += spanVariables;
  }
}

/**
 * Adds one decode token for each of `sequences` (with speculation the drafted ones too), at the mean of the contexts
 * first..last (whole numbers); `streamed`: of these sequences, those whose token goes to a client at once.
 */
export function addDecode(
  table: StepTable | SpeculativeTable,
  step: Float64Array,
  sequences: number,
  first: number,
  last: number,
  streamed: number = sequences,
): void {
  const width = 'decodeWidth' in table ? table.decodeWidth : 1;
  add(step, tokensAt, sequences * width);
  add(step, rowsAt, sequences * width);
  add(step, sequencesAt, sequences);
  add(step, decodeSequencesAt, sequences);
  add(step, streamedAt, streamed);
  let at = fixedVariables.length + 2;
  for (const span of table.spans) {
    add(step, at, sequences * meanAttendedEntries(span, first, last));
    at += spanVariables;
  }
}

/**
 * Fills in what depends on all tokens of the step; call last: experts that at least one token visits, and products of
 * few rows as their kernels cost.
 */
export function finishStep(table: StepTable, step: Float64Array): void {
  const { smallBatch } = table;
  const tokens = step[tokensAt] ?? 0;
  const rows = step[rowsAt] ?? 0;
  step[chargedTokensAt] = smallBatch === undefined ? tokens : chargedRows(smallBatch, tokens, 1);
  step[chargedRowsAt] = smallBatch === undefined ? rows : chargedRows(smallBatch, rows, 1);
  let at = fixedVariables.length + table.spans.length * spanVariables;
  for (const group of table.expertGroups) {
    const visits = busiestVisits(group, tokens);
    const touched = visitedExperts(group, tokens, visits);
    step[at] = touched;
    step[at + 1] = smallBatch === undefined ? visits : chargedRows(smallBatch, visits, touched);
    at += 2;
  }
}

/** Rows that the matrix unit is charged for, where `rows` are spread over `matrices`. */
function chargedRows({ tileRows, vectorCost }: SmallBatch, rows: number, matrices: number): number {
  const tiles = tileRows * matrices;
  return rows >= tiles ? rows : Math.min(vectorCost * rows, tiles);
}

function add(step: Float64Array, at: number, amount: number): void {
  step[at] = (step[at] ?? 0) + amount;
}
