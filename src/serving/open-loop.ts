import { brent } from '../quantity/brent.ts';
import { usualRouter } from '../profile/scenario.ts';
import { resourceCount, resourceIndex } from '../roofline/resource.ts';
import { clearClockSeconds, type ClockSeconds, closeClocks, sum } from './clock-seconds.ts';
import { closedLoopClocks, runningLimit } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
import { chanceAllBusy } from './queueing.ts';
import { anyPresent, beside, dispersion, following, routed, type Routed } from './replica-arrivals.ts';
import { waitFormula } from './wait-formula.ts';
import { steadyBatchClocks, steadyBatchRate } from './steady-batch.ts';
import { ownPrefill, steadyDemand, type SteadyDemand, steadyPrefill } from './steady-demand.ts';
import { decodeParts, prefillParts, steadyPace, type SteadyPace } from './steady-pace.ts';

/** Requests/s of a whole deployment at which it saturates, and where a rate stands to that. */
export interface Stability {
  readonly verdict: 'stable' | 'near saturation' | 'unstable';
  /** Requests/s that the deployment finishes with every slot taken. */
  readonly largestRate: number;
  /** The formulas of the wait by name, and what they take for granted. */
  readonly formula: string;
}

/** Above this share of the largest rate, waiting is dominated by chance, and a mean says little. */
const nearSaturation = 0.9;

/** Without a limit of engine or memory the search needs an end; no engine runs more sequences on one device group. */
const largestUsefulBatch = 4096;

/** A mean-value formula near its pole would only multiply the error of its inputs. */
const mostBusy = 0.98;

const { queue: queueAt, overhead: overheadAt } = resourceIndex;
const waitedFor = new Float64Array(resourceCount);

/**
 * Requests arrive at random at a given rate (Poisson), find a replica by the router, and all have the same lengths
 * (docs/model.md#open-loop). The
 * number in flight follows from Little's law: x arrivals a step make x (o - 1) decode together, and so the step's
 * length and the rate; x is found for the rate asked. A newcomer waits for the rest of the step under way, for a step
 * more where that is planned already, for prompts ahead beyond what a step takes, and for a place.
 */
export function openLoopClocks(
  compiled: CompiledDeployment,
  requestsPerSecond: number,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
): Stability {
  const { groups } = compiled;
  const limit = Math.min(runningLimit(compiled, prompt, output), largestUsefulBatch);
  const rate = requestsPerSecond / groups;
  const demand = steadyDemand(compiled, prompt, cached, output);
  const isStatic = demand.rules.batching === 'static';
  const most = mostArrivals(demand, limit);
  const largest = isStatic ? steadyBatchRate(demand, limit, limit) : fullPace(demand, most).rate;
  const largestRate = largest * groups;
  const formula = waitFormula(demand.rules.batching, compiled.deployment.router ?? usualRouter, groups);
  if (rate >= largest) {
    closedLoopClocks(compiled, limit * groups, prompt, cached, output, clocks);
    return { verdict: 'unstable', largestRate, formula };
  }
  // Where prompts come first and hold decodes up, every place is taken long before the largest rate.
  const isFull = !isStatic && steadyPace(demand, most).rate <= rate;
  let taken = 0;
  if (isStatic) {
    steadyBatchClocks(demand, limit, rate, clocks);
  } else {
    const pace = isFull ? heldUpPace(demand, most, limit, rate) : paceAt(demand, most, rate);
    taken = fillSteady(demand, pace, rate, { limit, largest }, clocks);
  }
  const isNear = isFull || Math.max(rate / largest, taken) > nearSaturation;
  return { verdict: isNear ? 'near saturation' : 'stable', largestRate, formula };
}

const paceAt = (demand: SteadyDemand, most: number, rate: number): SteadyPace =>
  steadyPace(demand, rate === 0 ? 0 : brent((arrivals) => steadyPace(demand, arrivals).rate - rate, 0, most));

/** Arrivals a step when all places or the whole token budget are taken. */
function mostArrivals({ rules, fresh, decodeSteps }: SteadyDemand, limit: number): number {
  if (rules.batching !== 'mixed') return limit / Math.max(1, decodeSteps);
  const chunks = rules.chunked ? Math.max(1, Math.ceil(fresh / rules.chunkTokens)) : 1;
  // The place of a request that is complete is free one step later where that step was planned before.
  const places = limit / (decodeSteps + chunks + (rules.schedulesAhead ? 1 : 0));
  const { tokenBudget } = rules;
  const whole = Math.floor(tokenBudget / (fresh + decodeSteps));
  if (rules.chunked || whole === Infinity) return Math.min(places, tokenBudget / (fresh + decodeSteps));
  const next = Math.min(whole + 1, Math.max(0, tokenBudget - (whole + 1) * fresh) / Math.max(1, decodeSteps));
  return Math.min(places, Math.max(1, whole, next));
}

const untouched = routed('random', 1);

/**
 * The pace with every place taken: as many leave as come, so prompts wait for places and not for one another, and no
 * router changes what the deployment can do.
 */
const fullPace = (demand: SteadyDemand, most: number): SteadyPace =>
  steadyPace(
    { ...demand, routed: untouched },
    most,
    0,
    demand.rules.batching === 'mixed' ? undefined : -Math.expm1(-most),
  );

/**
 * Where prompts come first, they hold up decodes until every place is taken although the deployment could do more;
 * then time per token is what Little's law leaves.
 */
function heldUpPace(demand: SteadyDemand, most: number, limit: number, rate: number): SteadyPace {
  let pace = fullPace(demand, most);
  for (let round = 0; round < 3; round++) {
    const residence = limit / rate - pace.steps.chunks * pace.prefill.mean;
    const perToken = residence / Math.max(1, demand.decodeSteps);
    const prefills = Math.max(pace.prefills, (perToken - pace.decode.mean) / pace.prefill.mean);
    pace = steadyPace(demand, most, 0, prefills);
  }
  return pace;
}

interface Places {
  /** Sequences that run at once. */
  readonly limit: number;
  /** Requests/s with all of them taken. */
  readonly largest: number;
  /** Share of them taken in the mean. */
  readonly taken: number;
  /** Variance over mean of the number present. */
  readonly bunched: number;
}

/** Fills in the clocks of a pace; returns the share of the places that are taken. */
function fillSteady(
  demand: SteadyDemand,
  pace: SteadyPace,
  rate: number,
  places: Pick<Places, 'limit' | 'largest'>,
  clocks: ClockSeconds,
): number {
  const { compiled, rules, decodeSteps } = demand;
  const { steps, step, plain, prefills } = pace;
  const whole = demand.routed.answers;
  const busy = anyPresent(whole, rate * (decodeSteps * pace.perToken + steps.chunks * pace.prefill.mean));
  const even = dispersion(whole, pace.decoding);
  const company = even * companyOf(rate * pace.perPrompt, decodeSteps);
  const tokens = pace.arrivals * Math.max(1, decodeSteps);
  clearClockSeconds(clocks);

  // A long step is met more often: the rest of the one under way is half its mean square over its mean.
  const rest = busy / (2 * step.mean * (plain + prefills));
  const ahead = rules.schedulesAhead ? busy / (plain + prefills) : 0;
  const backlog = backlogOf(demand, pace, rate);
  const others = busy * Math.min(steps.room - 1, beside(demand.routed.steps, (rate * step.square) / step.mean));
  const prefill = ownPrefill(demand, steps, others, pace.decoding, clocks.ttft);

  if (company > 0) steadyPace(demand, pace.arrivals, company, prefills);
  const met = prefills * (tokens > 0 ? later(demand.routed, tokens) + company / 2 / tokens : 1);
  const withPrefill = rules.batching === 'mixed' ? Math.min(1, met) : met;
  const without = rules.batching === 'mixed' ? 1 - withPrefill : 1;
  const decodeSeconds = sum(decodeParts);
  const prefillSeconds = sum(prefillParts);
  const found = stepsFound(demand, pace, rate);
  const inDecodes =
    found.plain * plain * (rest * pace.decode.square + ahead * pace.decode.mean) +
    (rules.alternates ? found.prefills * letThrough(pace, busy) * pace.decode.mean : 0);
  const inPrefills = found.prefills * prefills * (rest * pace.prefill.square + ahead * pace.prefill.mean) + backlog;
  for (let index = 0; index < resourceCount; index++) {
    const ofDecode = decodeParts[index] ?? 0;
    const ofPrefill = prefillParts[index] ?? 0;
    clocks.tpot[index] = without * ofDecode + withPrefill * ofPrefill;
    waitedFor[index] =
      (inDecodes / decodeSeconds) * ofDecode + (prefillSeconds === 0 ? 0 : inPrefills / prefillSeconds) * ofPrefill;
  }
  clocks.ttft[overheadAt] = (clocks.ttft[overheadAt] ?? 0) + compiled.requestSeconds;
  clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + inDecodes + inPrefills;
  closeClocks(clocks, waitedFor);
  clocks.decoding = 1 + beside(whole, pace.decoding);
  const residence = prefill + decodeSteps * clocks.tpotSeconds;
  clocks.running = rate * (clocks.ttftSeconds + decodeSteps * clocks.tpotSeconds);
  const taken = Math.min(1, (rate * residence) / places.limit);
  addWaitForPlace(clocks, decodeSteps, rate, { ...places, taken, bunched: even + company });
  return taken;
}

/** Prompts of others that come during an answer, over those at random. */
const later = (router: Routed, tokens: number): number => following(router.answers, tokens) / tokens;

/**
 * How much more often than at any time a newcomer finds a step of either kind: where replicas take turns the prompt of
 * the one before it is over.
 */
function stepsFound(
  { rules, routed: router }: SteadyDemand,
  { decode, prefill, prefills, perToken }: SteadyPace,
  rate: number,
): { readonly plain: number; readonly prefills: number } {
  if (router.answers === 1 || prefills === 0) return { plain: 1, prefills: 1 };
  const begins = (rules.schedulesAhead ? 3 / 2 : 1 / 2) * decode.mean;
  const before = (seconds: number): number => following(router.answers, rate * seconds);
  const found = (before(begins + prefill.mean) - before(begins)) / (rate * prefill.mean);
  const share = (prefills * prefill.mean) / perToken;
  return { prefills: Math.min(1, found), plain: share < 1 ? (1 - share * Math.min(1, found)) / (1 - share) : 1 };
}

/** Decode steps that a newcomer waits because none of two steps with prompts follow each other. */
const letThrough = ({ decoding, perToken, prefills, prefill, steps }: SteadyPace, busy: number): number =>
  (busy * prefills * prefill.mean) / perToken + (steps.chunks - 1) * -Math.expm1(-decoding);

/**
 * Others that decode beside a request beyond the mean. Counted in decode steps arrivals are not even: a prefill takes
 * long, so its followers come within a step or two. The time that prefills take from decodes, `share`, makes the
 * variance of arrivals 1 / (1 - share)^2 times their number, and the excess over 1 are neighbours of whom half come
 * later; those beyond the length of an answer do not count.
 */
function companyOf(share: number, decodeSteps: number): number {
  const held = Math.min(mostHeld, share);
  const span = 1 / (1 - held);
  return decodeSteps === 0 ? 0 : (span * span - 1) / (1 + span / decodeSteps);
}

/** As far as mean values go: beyond, prefill takes all of the time. */
const mostHeld = 0.9;

/**
 * Wait for prompts ahead beyond those that one step takes: a server that serves up to m at the ends of its steps is
 * M/D/m (Crommelin 1932), with Sakasegawa's approximation of the chance that all m are taken; decode steps in between
 * are its vacations, so that one prompt a step gives Pollaczek and Khinchine's wait. Replicas that take turns wait as one
 * queue for the places of them all (Iversen 1983).
 */
function backlogOf(demand: SteadyDemand, { decode, decoding, steps }: SteadyPace, rate: number): number {
  const { chunks, room } = steps;
  if (room === Infinity) return 0;
  const decodes = demand.rules.batching === 'mixed' ? 1 + decoding : 0;
  const full = steadyPrefill(demand, steps, room, decodes, unused, 1);
  const busy = Math.min(mostBusy, (rate * full * chunks) / room);
  const servers = room * demand.routed.answers;
  return (
    (chanceAllBusy(busy, servers) / (2 * servers)) * Math.max(0, decode.mean - full + (full * chunks) / (1 - busy))
  );
}

const unused = new Float64Array(resourceCount);

/**
 * Wait for one of `limit` places: M/D/m with Sakasegawa's chance that all are taken, at the rate of the full deployment
 * (`largest`), with as many fewer, larger places as arrivals are bunched (Hayward's approximation).
 */
function addWaitForPlace(
  clocks: ClockSeconds,
  decodeSteps: number,
  rate: number,
  { largest, limit, taken, bunched }: Places,
): void {
  // Those ahead leave as fast as now, or faster where a full engine no longer puts prompts first.
  const spare = Math.max((rate * (1 - taken)) / taken, largest - rate, (1 - mostBusy) * largest);
  const wait = taken === 0 ? 0 : (chanceAllBusy(taken, Math.max(1, limit / bunched)) * bunched) / (2 * spare);
  const turns = wait / (clocks.ttftSeconds + decodeSteps * clocks.tpotSeconds);
  for (let index = 0; index < resourceCount; index++) {
    const residence = (clocks.ttftRates[index] ?? 0) + decodeSteps * (clocks.tpotRates[index] ?? 0);
    clocks.ttftRates[index] = (clocks.ttftRates[index] ?? 0) + turns * residence;
  }
  clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + wait;
  clocks.ttftSeconds += wait;
  clocks.waiting = rate * wait;
}
