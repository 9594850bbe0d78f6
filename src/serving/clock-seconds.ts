import { resourceCount, resourceIndex } from '../roofline/resource.ts';

/**
 * Both clocks of a workload as plain numbers by resource: what the fast path fills in, allocated once and reused.
 *
 * `ttft` and `tpot` are seconds by resource and add up to the clock; waiting is under `queue`. `ttftRates` and
 * `tpotRates` resolve the waiting into the resources of the steps waited for, so that divided by the clock they are
 * its elasticities.
 */
export interface ClockSeconds {
  readonly ttft: Float64Array;
  readonly tpot: Float64Array;
  readonly ttftRates: Float64Array;
  readonly tpotRates: Float64Array;
  ttftSeconds: number;
  tpotSeconds: number;
  /** Sequences that a group of devices runs at once, in the mean. */
  running: number;
  /** Sequences that decode in a step that a decoding request sees. */
  decoding: number;
  /** Sequences of a decode step where prefill has groups of its own, which `running` counts too; 0 elsewhere. */
  together: number;
  /** Requests per group that wait because the engine or its memory takes no more at once. */
  waiting: number;
}

export const newClockSeconds = (): ClockSeconds => ({
  ttft: new Float64Array(resourceCount),
  tpot: new Float64Array(resourceCount),
  ttftRates: new Float64Array(resourceCount),
  tpotRates: new Float64Array(resourceCount),
  ttftSeconds: 0,
  tpotSeconds: 0,
  running: 0,
  decoding: 0,
  together: 0,
  waiting: 0,
});

export function clearClockSeconds(clocks: ClockSeconds): void {
  clocks.ttft.fill(0);
  clocks.tpot.fill(0);
  clocks.ttftRates.fill(0);
  clocks.tpotRates.fill(0);
}

/** Sums both clocks and resolves their queue: waits are for steps whose parts by resource are `waitedFor`. */
export function closeClocks(clocks: ClockSeconds, waitedFor: Float64Array): void {
  clocks.ttftSeconds = sum(clocks.ttft);
  clocks.tpotSeconds = sum(clocks.tpot);
  resolve(clocks.ttft, waitedFor, clocks.ttftRates);
  resolve(clocks.tpot, waitedFor, clocks.tpotRates);
}

const queueAt = resourceIndex.queue;

function resolve(parts: Float64Array, waitedFor: Float64Array, rates: Float64Array): void {
  const total = sum(waitedFor);
  const queue = parts[queueAt] ?? 0;
  const perSecond = total === 0 ? 0 : queue / total;
  for (let index = 0; index < resourceCount; index++) {
    rates[index] = (parts[index] ?? 0) + (waitedFor[index] ?? 0) * perSecond;
  }
  rates[queueAt] = total === 0 ? queue : 0;
}

export function sum(parts: Float64Array): number {
  let total = 0;
  for (let index = 0; index < parts.length; index++) total += parts[index] ?? 0;
  return total;
}

/** A whole request by resource, written into `whole`: its first token, then `steps` times the next. */
export function firstAndNext(
  first: Float64Array,
  next: Float64Array,
  steps: number,
  whole: Float64Array,
): Float64Array {
  for (let index = 0; index < whole.length; index++) whole[index] = (first[index] ?? 0) + steps * (next[index] ?? 0);
  return whole;
}
