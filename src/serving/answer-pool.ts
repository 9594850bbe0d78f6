import { addDecodeSeconds } from '../phase/decode.ts';
import { runningLimit } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
import { chanceAllBusy, evenlySpread } from './queueing.ts';
import { type EngineRules, engineRules } from './simulate/engine-rules.ts';
import { microBatch } from './static-batch.ts';

/** Engines that only decode what others have computed, for equal requests. */
export interface AnswerPool {
  readonly compiled: CompiledDeployment;
  readonly rules: EngineRules;
  readonly engines: number;
  readonly prompt: number;
  readonly output: number;
  /** Steps for which a request is there, and after its first token. */
  readonly steps: number;
  readonly decodeSteps: number;
  /** Requests that one engine runs at once. */
  readonly limit: number;
}

/** Without a limit of engine or memory a search needs an end. */
const largestUsefulBatch = 4096;

export function answerPool(compiled: CompiledDeployment, engines: number, prompt: number, output: number): AnswerPool {
  const rules = engineRules(compiled);
  const decodeSteps = Math.max(0, output - 1);
  const steps = decodeSteps + (rules.beginsWithLast ? 1 : 0);
  const limit = Math.max(1, Math.min(runningLimit(compiled, prompt, output), largestUsefulBatch));
  return { compiled, rules, engines, prompt, output, steps, decodeSteps, limit };
}

/**
 * Seconds of a decode step that a request sees on one of the engines, each of which runs `running` in the mean. Adds
 * them by resource to `parts`. A router that evens the engines out leaves each a share of the number of all, which is
 * Poisson: a request meets itself and `running` + 1 / engines - 1 others, whose variance is `running` / engines. Steps
 * are not linear in the number (experts touched, padding), so they are priced at two points with that mean and variance.
 *
 * `met`: share of the others that it meets; (N - 1) / N where N are in flight.
 */
export function answerStep(pool: AnswerPool, running: number, met: number, parts: Float64Array): number {
  const { compiled, rules, engines, prompt, output, limit } = pool;
  const others = othersOf(pool, running, met);
  const variance = (running * met) / engines;
  const step = (more: number, weight: number): number =>
    addDecodeSeconds(compiled.table, microBatch(1 + more, rules.stages), prompt, output, parts, weight);
  if (others === 0) return step(0, 1);
  const deviation = Math.min(Math.sqrt(variance), limit - 1 - others);
  if (deviation <= others) return step(others - deviation, 1 / 2) + step(others + deviation, 1 / 2);
  const many = others + deviation ** 2 / others;
  return step(0, 1 - others / many) + step(many, others / many);
}

/** Others that decode beside a request, in the mean; see `answerStep`. */
export const othersOf = ({ engines, limit }: AnswerPool, running: number, met: number): number =>
  Math.min(limit - 1, evenlySpread(running * met, engines));

/** Chance that a newcomer finds no engine without work: that at least as many are there as engines. */
export function chanceNoneIdle({ engines }: AnswerPool, running: number): number {
  const present = running * engines;
  let term = Math.exp(-present);
  let fewer = 0;
  for (let count = 0; count < engines; count++) {
    fewer += term;
    term *= present / (count + 1);
  }
  return Math.max(0, 1 - fewer);
}

/** Steps that a newcomer waits before its first where an engine has work: the rest of one, and one that is planned. */
export const stepsBefore = ({ rules }: AnswerPool): number => 1 / 2 + (rules.schedulesAhead ? 1 : 0);

/** Seconds for one of the places, M/D/m with Sakasegawa's chance that all are taken; the deployment does at most `largest` requests/s. */
export function waitForPlace({ engines, limit }: AnswerPool, running: number, rate: number, largest: number): number {
  const taken = Math.min(1, running / limit);
  const spare = Math.max((rate * (1 - taken)) / taken, largest - rate, (1 - mostBusy) * largest);
  return taken === 0 ? 0 : chanceAllBusy(taken, engines * limit) / (2 * spare);
}

/** A formula near its pole would only multiply the error of its inputs. */
const mostBusy = 0.98;
