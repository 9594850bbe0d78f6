import * as message from './messages.ts';
import { SimulationError } from './messages.ts';
import type { Arrivals, LengthDistribution, SimulatedWorkload } from './workload-spec.ts';

/** Requests that a run may have: their times are kept for percentiles, 48 bytes each. */
export const mostRequests = 10_000_000;

/** Tokens of a length; far above any context window. */
const mostTokens = 100_000_000;

/** Users of a closed loop, turns of a conversation, prefixes. */
const mostUsers = 1_000_000;

/** Refuses what cannot be simulated. @throws SimulationError with one sentence. */
export function checkWorkload(workload: SimulatedWorkload, seed: number): void {
  whole('requests', workload.requests, 1, mostRequests);
  whole('seed', seed, 0, 2 ** 32 - 1);
  checkArrivals(workload.arrivals);
  checkLength('prompt', workload.prompt);
  checkLength('output', workload.output);
  whole('cached', workload.cached, 0, mostTokens);
  const { prefix } = workload;
  if (prefix !== undefined) {
    whole('prefix.groups', prefix.groups, 1, mostUsers);
    whole('prefix.tokens', prefix.tokens, 0, mostTokens);
    if (workload.cached > 0) throw new SimulationError(message.cachedWithPrefix());
  }
  if (workload.arrivals.kind === 'sessions' && workload.cached > 0)
    throw new SimulationError(message.cachedWithSessions());
  for (const name of ['ttft', 'tpot', 'e2e'] as const) {
    const seconds = workload.objectives[name];
    if (seconds !== undefined) positive(`objectives.${name}`, seconds);
  }
  if (typeof workload.warmUp === 'number') whole('warmUp', workload.warmUp, 0, mostRequests);
}

function checkArrivals(arrivals: Arrivals): void {
  switch (arrivals.kind) {
    case 'constant':
    case 'poisson':
      positive('arrivals.rate', arrivals.rate);
      return;
    case 'gamma':
      positive('arrivals.rate', arrivals.rate);
      positive('arrivals.burstiness', arrivals.burstiness);
      return;
    case 'burst':
      return;
    case 'closed':
      whole('arrivals.concurrency', arrivals.concurrency, 1, mostUsers);
      atLeast('arrivals.think', arrivals.think, 0);
      return;
    case 'sessions':
      positive('arrivals.rate', arrivals.rate);
      checkLength('arrivals.turns', arrivals.turns);
      atLeast('arrivals.think', arrivals.think, 0);
  }
}

function checkLength(path: string, length: LengthDistribution): void {
  switch (length.kind) {
    case 'fixed':
      whole(`${path}.tokens`, length.tokens, 1, mostTokens);
      return;
    case 'uniform':
      whole(`${path}.least`, length.least, 1, mostTokens);
      whole(`${path}.most`, length.most, 1, mostTokens);
      if (length.least > length.most)
        throw new SimulationError(message.outOfOrder(`workload.${path}`, length.least, length.most));
      return;
    case 'normal':
      positive(`${path}.mean`, length.mean);
      atLeast(`${path}.deviation`, length.deviation, 0);
      if (length.most !== undefined) whole(`${path}.most`, length.most, 1, mostTokens);
      return;
    case 'lognormal':
      positive(`${path}.mean`, length.mean);
      atLeast(`${path}.variation`, length.variation, 0);
      if (length.most !== undefined) whole(`${path}.most`, length.most, 1, mostTokens);
      return;
    case 'empirical':
      checkEmpirical(path, length);
  }
}

function checkEmpirical(path: string, { values, weights }: Extract<LengthDistribution, { kind: 'empirical' }>): void {
  if (values.length === 0) throw new SimulationError(message.noValues(`workload.${path}`));
  for (const [index, value] of values.entries()) whole(`${path}.values[${index}]`, value, 1, mostTokens);
  if (weights === undefined) return;
  for (const [index, weight] of weights.entries()) atLeast(`${path}.weights[${index}]`, weight, 0);
  if (weights.length !== values.length || !weights.some((weight) => weight > 0)) {
    throw new SimulationError(message.weightsDiffer(`workload.${path}`, values.length, weights.length));
  }
}

function positive(path: string, value: number): void {
  if (!(value > 0 && value < Infinity)) throw new SimulationError(message.notPositive(`workload.${path}`, value));
}

function atLeast(path: string, value: number, least: number): void {
  if (!(value >= least && value < Infinity))
    throw new SimulationError(message.notAtLeast(`workload.${path}`, value, least));
}

function whole(path: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new SimulationError(message.notWhole(`workload.${path}`, value, least, most));
  }
}
