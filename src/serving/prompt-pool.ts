import type { CompiledDeployment } from './compiled.ts';
import { chanceAllBusy, evenlySpread } from './queueing.ts';
import { promptRules } from './simulate/engine-rules.ts';
import { pipelined } from './static-batch.ts';
import { type PromptSteps, promptSteps, steadyDemand, type SteadyDemand, steadyPrefill } from './steady-demand.ts';
import { resourceCount } from '../roofline/resource.ts';

/** Engines that compute prompts only, for equal prompts. */
export interface PromptPool {
  readonly demand: SteadyDemand;
  readonly engines: number;
  readonly steps: PromptSteps;
  /** Prompts that a step takes at most; one where a prompt takes several steps. */
  readonly most: number;
  /** Seconds that the steps of `most` prompts take. */
  readonly full: number;
  /** Prompts per second. */
  readonly largestRate: number;
}

/** More prompts in a step than any budget lets in change nothing. */
const largestUsefulBatch = 4096;

export function promptPool(compiled: CompiledDeployment, engines: number, prompt: number, cached: number): PromptPool {
  const demand = { ...steadyDemand(compiled, prompt, cached, 1), rules: promptRules(compiled) };
  const steps = promptSteps(demand, 0);
  // Prompts of several steps share those that they do not fill, but are served one after another.
  const most = steps.chunks > 1 ? 1 : Math.min(steps.room, demand.rules.maxSequences, largestUsefulBatch);
  const full = steps.chunks > 1 ? secondsOf(demand, steps, steps.room) / steps.room : secondsOf(demand, steps, most);
  return { demand, engines, steps, most, full, largestRate: (engines * most) / full };
}

const unused = new Float64Array(resourceCount);

/** Seconds of the steps of so many prompts, computed together. */
const secondsOf = (demand: SteadyDemand, steps: PromptSteps, prompts: number): number =>
  steps.chunks * pipelined(demand.compiled, steps.chunks) * steadyPrefill(demand, steps, prompts, 0, unused, 1);

/** What a prompt meets in a pool. */
export interface PromptWait {
  /** Seconds before its first step; Infinity where more come than leave. */
  readonly wait: number;
  /** Other prompts in its step, in the mean. */
  readonly others: number;
}

const nothing: PromptWait = { wait: 0, others: 0 };

/**
 * Random arrivals at engines that take all who wait into their next step, as far as the budget goes. Whoever finds an
 * idle engine starts at once: all are busy with Sakasegawa's chance. Else it waits for the rest of a step, and beyond what
 * a step takes as in M/D/m; one prompt a step is Crommelin's M/D/c.
 */
export function promptWait(pool: PromptPool, rate: number): PromptWait {
  if (rate <= 0) return nothing;
  const { engines, steps, most, full } = pool;
  const filled = (rate * full) / (engines * most);
  if (filled >= 1) return { wait: Infinity, others: most - 1 };
  const { allBusy, came, seconds, square } = most > 1 ? sharedStep(pool, rate) : loneStep(pool, filled);
  // Where a step takes few prompts, a router that counts them finds the engine that is soonest idle; where it takes many,
  // the one that has just begun, as nobody waits there yet.
  const latest = -Math.expm1(-came) * Math.max(0, 1 - fewPrompts / most);
  const rest = (square / (2 * seconds)) * ((1 - latest) / engines + latest * (2 - 1 / engines));
  const beyond = ((chanceAllBusy(filled, engines * most) / (2 * engines * most)) * full * filled) / (1 - filled);
  const across = steps.chunks > 1 ? acrossSteps(pool, allBusy) : 0;
  return {
    wait: Math.max(0, allBusy * rest + beyond + across),
    // Long steps are met more often, and more come in them.
    others: allBusy * Math.min(most - 1, evenlySpread((came * square) / (seconds * seconds), engines)),
  };
}

/** Prompts of a step up to which routers tell engines apart by when they are idle (by the simulation: 1 to 4). */
const fewPrompts = 3;

/** Steps of a pool in its steady state. */
interface PoolStep {
  /** Chance that a newcomer finds no engine idle. */
  readonly allBusy: number;
  /** Prompts that join an engine during a step. */
  readonly came: number;
  /** Mean seconds, and mean of their squares. */
  readonly seconds: number;
  readonly square: number;
}

const loneStep = ({ engines, full }: PromptPool, busy: number): PoolStep => ({
  allBusy: chanceAllBusy(busy, engines),
  came: 0,
  seconds: full,
  square: full * full,
});

/** Rounds after which the number of prompts in a step has settled to a thousandth. */
const rounds = 20;

/** Prompts between which the slope of a step is read off, about their mean. */
const around = 2;

/** A formula near its pole would only multiply the error of its inputs. */
const steepest = 0.95;

/**
 * A step takes those who came during the one before, a Poisson number, or a lone one; newcomers join a busy engine only
 * where none is idle. Long steps are followed by long ones, as more come in them; a router evens that out over engines.
 */
function sharedStep({ demand, engines, steps, most }: PromptPool, rate: number): PoolStep {
  let prompts = 1;
  let seconds = secondsOf(demand, steps, 1);
  let square = seconds * seconds;
  let allBusy = 0;
  let came = 0;
  for (let round = 0; round < rounds; round++) {
    const busy = Math.min(1, (rate * seconds) / (engines * prompts));
    allBusy = chanceAllBusy(busy, engines);
    const joining = ((rate / engines) * allBusy) / busy;
    came = joining * seconds;
    const none = Math.exp(-came);
    // Half of the way: a step that loses its graph is so much longer that whole ways would go back and forth.
    prompts = (prompts + Math.min(most, came + none)) / 2;
    const [fewer, more] = [Math.max(1, prompts / around), prompts * around];
    const slope = (secondsOf(demand, steps, more) - secondsOf(demand, steps, fewer)) / (more - fewer);
    const feedback = Math.min(steepest, (joining * slope) / engines) ** 2;
    const variance = (came + none - 2 * came * none - none * none) / (1 - feedback) / engines;
    // As far as numbers between one and the most can differ.
    const widest = (most - prompts) * (prompts - 1);
    const spread = variance > 0 && widest > 0 ? (variance * widest) / (variance + widest) : 0;
    seconds = secondsOf(demand, steps, prompts);
    square = seconds * seconds + slope * slope * spread;
  }
  return { allBusy, came, seconds, square };
}

/**
 * Seconds by which a prompt of several steps takes longer where all engines are `busy`: it shares full steps with the one
 * before and the one after, so that the first and the last of its steps are longer than its own part. Of several engines
 * fewer have others at both ends: (1 + 1 / engines) / 2 as many by the simulation of 1 to 8.
 */
function acrossSteps({ demand, engines, steps, full }: PromptPool, busy: number): number {
  const alone = secondsOf(demand, steps, 1);
  const step = secondsOf(demand, steps, steps.room) / steps.chunks;
  return busy * (full - alone) + (busy * busy * step * (1 + 1 / engines)) / 2;
}
