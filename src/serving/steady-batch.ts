import { resourceIndex } from '../roofline/resource.ts';
import { type ClockSeconds, newClockSeconds } from './clock-seconds.ts';
import { brent } from '../quantity/brent.ts';
import { chanceAllBusy } from './queueing.ts';
import { anyArrives, beside, noneArrives } from './replica-arrivals.ts';
import { staticBatchClocks } from './static-batch.ts';
import type { SteadyDemand } from './steady-demand.ts';

const { queue: queueAt } = resourceIndex;

/** Seconds of a batch from its start to the last token. */
function batchSeconds(
  { compiled, prompt, cached, output, decodeSteps }: SteadyDemand,
  size: number,
  clocks: ClockSeconds,
): number {
  staticBatchClocks(compiled, size * compiled.groups, prompt, cached, output, clocks);
  return clocks.ttftSeconds - compiled.requestSeconds + decodeSteps * clocks.tpotSeconds;
}

/** Requests/s of a group at which so many arrive during a batch of those who came during the one before. */
export function steadyBatchRate(demand: SteadyDemand, arrivals: number, limit: number): number {
  return arrivals / batchSeconds(demand, bunchOf(demand, arrivals, limit), newClockSeconds());
}

/** Requests of a batch, where some come: those that arrived during the one before it, or a lone one. */
const bunchOf = ({ routed }: SteadyDemand, arrivals: number, limit: number): number =>
  arrivals === 0 ? 1 : Math.min(limit, arrivals / anyArrives(routed.answers, arrivals));

/**
 * Whole batches of whoever waits: a server that takes up to `limit` at once. A newcomer waits for half of the batch
 * under way, and its own consists of those who arrive during that one; beyond `limit` they wait as in M/D/m
 * (Crommelin 1932; Sakasegawa 1977).
 */
export function steadyBatchClocks(demand: SteadyDemand, limit: number, rate: number, clocks: ClockSeconds): void {
  const { decodeSteps } = demand;
  const arrivals = rate === 0 ? 0 : brent((each) => steadyBatchRate(demand, each, limit) - rate, 0, limit);
  const under = batchSeconds(demand, bunchOf(demand, arrivals, limit), clocks);
  // Idle until the next arrival with the chance that none came during a batch.
  const whole = demand.routed.answers;
  const busy = arrivals / (arrivals + noneArrives(whole, arrivals));
  const utilisation = Math.min(mostBusy, (rate * under) / limit);
  const places = limit * whole;
  const backlog = (chanceAllBusy(utilisation, places) / (2 * places * (1 - utilisation))) * under;
  batchSeconds(demand, Math.min(limit, 1 + busy * beside(whole, arrivals)), clocks);
  const wait = restOfBatch(whole, arrivals, busy) * under + backlog;
  const turns = wait / (clocks.ttftSeconds + decodeSteps * clocks.tpotSeconds);
  for (let index = 0; index < clocks.ttft.length; index++) {
    const residence = (clocks.ttftRates[index] ?? 0) + decodeSteps * (clocks.tpotRates[index] ?? 0);
    clocks.ttftRates[index] = (clocks.ttftRates[index] ?? 0) + turns * residence;
  }
  clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + wait;
  clocks.ttftSeconds += wait;
  clocks.running = rate * (clocks.ttftSeconds - wait + decodeSteps * clocks.tpotSeconds);
  clocks.waiting = rate * wait;
}

/**
 * Mean rest of a batch that a newcomer finds, in batches: half of one as often as one is under way. Where replicas take
 * turns and little comes, the batch of the newcomer before is mostly over: that one's wait and batch, less the gap since
 * then where it is shorter, E[(w + 1 - gap)+] (Lindley's recursion with its mean).
 */
function restOfBatch(turns: number, span: number, busy: number): number {
  const rest = busy / 2;
  if (turns === 1 || span === 0) return rest;
  let chained = 0;
  for (let round = 0; round < lindleyRounds; round++) {
    const until = span * (1 + chained);
    chained = Math.max(0, until - anyArrives(turns, until)) / span;
  }
  return Math.min(rest, chained);
}

/** Enough for its mean to settle while it is less than half of a batch. */
const lindleyRounds = 3;

/** A formula near its pole would only multiply the error of its inputs. */
const mostBusy = 0.98;
