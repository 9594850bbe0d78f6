import type { CompiledDeployment } from './compiled.ts';
import { chanceAllBusy } from './queueing.ts';
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

/** Rounds after which the number of prompts in a step has settled to a thousandth. */
const rounds = 12;

/** A formula near its pole would only multiply the error of its inputs. */
const steepest = 0.95;

/**
 * Random arrivals at engines that take all who wait into their next step, as far as the budget goes. Whoever finds an
 * idle engine starts at once: all are busy with Sakasegawa's chance. Else it waits for the rest of a step, the soonest of
 * the engines, and beyond what a step takes as in M/D/m, one
 * prompt a step being Crommelin's M/D/c. Prompts of a step: those that came during the one before, or a lone one.
 */
export function promptWait(pool: PromptPool, rate: number): PromptWait {
  if (rate <= 0) return nothing;
  const { demand, engines, steps, most, full } = pool;
  const filled = (rate * full) / (engines * most);
  if (filled >= 1) return { wait: Infinity, others: most - 1 };
  const one = most > 1 ? secondsOf(demand, steps, 1) : full;
  let prompts = 1;
  let seconds = one;
  let square = one * one;
  let joining = 0;
  let busy = Math.min(1, (rate * one) / engines);
  let wait = 0;
  for (let round = 0; round < rounds; round++) {
    busy = Math.min(1, (rate * seconds) / (engines * prompts));
    wait = chanceAllBusy(busy, engines);
    // Newcomers join a busy engine only where none is idle.
    joining = busy === 0 ? 0 : ((rate / engines) * wait) / busy;
    if (most <= 1) break;
    const came = joining * seconds;
    const none = Math.exp(-came);
    prompts = Math.min(most, came + none);
    seconds = secondsOf(demand, steps, prompts);
    const slope = prompts > 1.01 ? (seconds - one) / (prompts - 1) : secondsOf(demand, steps, 2) - one;
    const feedback = Math.min(steepest, (joining * slope) / engines) ** 2;
    const variance = Math.max(0, came + none - 2 * came * none - none * none) / (1 - feedback) / engines;
    square = seconds * seconds + slope * slope * Math.min(variance, (most - prompts) * (prompts - 1));
  }
  const rest = square / (2 * seconds * engines);
  const beyond = ((chanceAllBusy(filled, engines * most) / (2 * engines * most)) * full * filled) / (1 - filled);
  return {
    wait: wait * rest + beyond,
    others: wait * Math.min(most - 1, (joining * square) / seconds),
  };
}
