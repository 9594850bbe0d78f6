import type { Workload } from '../profile/workload.ts';
import { resourceCount } from '../roofline/resource.ts';
import { answerPool, answerStep } from './answer-pool.ts';
import type { CompiledDeployment } from './compiled.ts';
import { promptPool } from './prompt-pool.ts';
import { stepsOf } from './speculated.ts';
import { transferOf } from './transfer.ts';

/** What the groups of one pool can take together, whatever the latency that it comes at. */
interface Pool {
  readonly groups: number;
  /** Largest rate of the pool; infinite where there is nothing to decode. */
  readonly requestsPerSecond: number;
}

/** Two pools beside each other. */
export interface PoolCapacity {
  readonly prefill: Pool;
  /** Sequences that decode at once on each group: `sequences` at that rate, `running` under the load asked about. */
  readonly decode: Pool & { readonly sequences: number; readonly running: number };
  /** The pool that sets the largest rate of both. */
  readonly limitedBy: 'prefill' | 'decode';
  /** Groups of which both pools are full together, in the smallest whole numbers; absent where nothing is decoded. */
  readonly fullAt?: Split;
  /** How the groups that there are would carry most, and that rate; absent where nothing is decoded. */
  readonly best?: Split & { readonly requestsPerSecond: number };
}

interface Split {
  readonly prefill: number;
  readonly decode: number;
}

/** Overwritten by every call. */
const parts = new Float64Array(resourceCount);

/**
 * Largest rates of both pools: prefill groups with full steps, decode groups with all the sequences that they can hold,
 * and neither more than the way of each group carries. Undefined without pools. `running`: sequences that a decode group
 * has under the load.
 */
export function poolCapacity(
  compiled: CompiledDeployment,
  { prompt, cached, output }: Workload,
  running: number,
): PoolCapacity | undefined {
  const { disaggregation } = compiled.deployment;
  if (disaggregation === undefined) return undefined;
  const { prefill, decode, link } = disaggregation;
  const carried = compiled.grade === 'ideal' ? Infinity : 1 / transferOf(compiled, link, prompt).seconds;
  const perPrefill = Math.min(promptPool(compiled, 1, prompt, cached).largestRate, carried);
  const answers = answerPool(compiled, decode, prompt, stepsOf(compiled.table, output));
  const sequences = answers.limit;
  parts.fill(0);
  const perDecode =
    output > 1 ? Math.min(sequences / (answers.steps * answerStep(answers, sequences, 1, parts)), carried) : Infinity;
  const [prefillRate, decodeRate] = [prefill * perPrefill, decode * perDecode];
  return {
    prefill: { groups: prefill, requestsPerSecond: prefillRate },
    decode: { groups: decode, requestsPerSecond: decodeRate, sequences, running },
    limitedBy: prefillRate < decodeRate ? 'prefill' : 'decode',
    ...(perDecode === Infinity
      ? {}
      : { fullAt: wholeRatio(perDecode, perPrefill), best: bestSplit(prefill + decode, perPrefill, perDecode) }),
  };
}

/** Whole numbers stand for a ratio to within this share, about as closely as rates are predicted. */
const tolerance = 0.1;

/** The smallest whole numbers whose ratio is that of two amounts. */
function wholeRatio(prefill: number, decode: number): Split {
  const [less, more] = [Math.min(prefill, decode), Math.max(prefill, decode)];
  const ratio = more / less;
  let few = 1;
  // Rounding is off by a half at most, so that this ends by half the inverse of the tolerance.
  while (Math.abs(Math.round(few * ratio) / (few * ratio) - 1) > tolerance) few += 1;
  const many = Math.round(few * ratio);
  return prefill < decode ? { prefill: few, decode: many } : { prefill: many, decode: few };
}

function bestSplit(groups: number, perPrefill: number, perDecode: number): NonNullable<PoolCapacity['best']> {
  const rateAt = (prefill: number): number => Math.min(prefill * perPrefill, (groups - prefill) * perDecode);
  // Both rates are equal between two whole numbers.
  const even = (groups * perDecode) / (perPrefill + perDecode);
  const within = (prefill: number): number => Math.min(groups - 1, Math.max(1, prefill));
  const [low, high] = [within(Math.floor(even)), within(Math.ceil(even))];
  const prefill = rateAt(high) > rateAt(low) ? high : low;
  return { prefill, decode: groups - prefill, requestsPerSecond: rateAt(prefill) };
}
