import { addDecodeSeconds } from '../phase/decode.ts';
import { addMixedSeconds } from '../phase/mixed.ts';
import { usualRouter } from '../profile/scenario.ts';
import type { CompiledDeployment } from './compiled.ts';
import { dispersion, routed, type Routed } from './replica-arrivals.ts';
import { type EngineRules, engineRules } from './simulate/engine-rules.ts';
import { microBatch, pipelined, prefillPasses } from './static-batch.ts';

/** What every request of a steady stream asks of one group of devices, and the rules by which its engine serves it. */
export interface SteadyDemand {
  readonly compiled: CompiledDeployment;
  readonly rules: EngineRules;
  /** How requests come to this group. */
  readonly routed: Routed;
  readonly prompt: number;
  readonly cached: number;
  /** Prompt tokens to compute. */
  readonly fresh: number;
  readonly output: number;
  /** Decode steps of an answer. */
  readonly decodeSteps: number;
}

export const steadyDemand = (
  compiled: CompiledDeployment,
  prompt: number,
  cached: number,
  output: number,
): SteadyDemand => ({
  compiled,
  rules: engineRules(compiled),
  routed: routed(compiled.deployment.router ?? usualRouter, compiled.groups),
  prompt,
  cached,
  fresh: prompt - cached,
  output,
  decodeSteps: Math.max(0, output - 1),
});

/** How prompts fit into steps. */
export interface PromptSteps {
  /** Steps that one prompt is cut into. */
  readonly chunks: number;
  /** Prompts, or chunks of them, that one step takes; Infinity where nothing limits them. */
  readonly room: number;
}

/** Steps that prompts take beside so many decodes, which count against the token budget where both share a step. */
export function promptSteps({ rules, fresh }: SteadyDemand, decodes: number): PromptSteps {
  const left = Math.max(1, rules.tokenBudget - (rules.batching === 'mixed' ? decodes : 0));
  // An engine that never cuts prompts takes a longer one alone.
  if (!rules.chunked) return { chunks: 1, room: Math.min(rules.maxPrefills, Math.max(1, Math.floor(left / fresh))) };
  const chunks = Math.max(1, Math.ceil(fresh / Math.min(left, rules.chunkTokens) - rounding));
  return { chunks, room: Math.min(rules.maxPrefills, Math.max(1, (left * chunks) / fresh)) };
}

/** So that a prompt of exactly the budget is one chunk. */
const rounding = 1e-9;

/** Mean seconds of a kind of step, and mean of their squares. */
export interface StepMoments {
  readonly mean: number;
  readonly square: number;
}

/**
 * Decode steps that a request sees, with `others` more in the mean: requests come at random, so the number is Poisson,
 * or a router makes it more even. Its two-point Gauss rule has the same first three moments; steps are not linear in it
 * (experts touched, padding). Adds a step's seconds by resource to `parts`.
 */
export function steadyDecode(demand: SteadyDemand, others: number, parts: Float64Array): StepMoments {
  const { compiled, rules, prompt, output } = demand;
  const even = dispersion(demand.routed.answers, others);
  const half = Math.sqrt(even * others + (even * even) / 4);
  const upper = (1 - even / (2 * half)) / 2;
  const step = (more: number, weight: number): number =>
    weight === 0
      ? 0
      : addDecodeSeconds(compiled.table, microBatch(1 + more, rules.stages), prompt, output, parts, weight) / weight;
  const few = step(others + even / 2 - half, 1 - upper);
  const many = step(others + even / 2 + half, upper);
  return {
    mean: (1 - upper) * few + upper * many,
    square: (1 - upper) * few * few + upper * many * many,
  };
}

/**
 * A step with `prompts` (the mean of their chunks, if they are cut) beside `decodes` decoding sequences.
 * Adds its seconds by resource to `parts` with weight `factor`; returns the seconds of one step.
 */
export function steadyPrefill(
  demand: SteadyDemand,
  { chunks }: PromptSteps,
  prompts: number,
  decodes: number,
  parts: Float64Array,
  factor: number,
): number {
  if (factor === 0) return 0;
  const { compiled, rules, prompt, cached, output } = demand;
  // Prompts spread over the micro-batches of a pipeline; a lone one is in one of them.
  const sequences = Math.max(Math.min(1, prompts), prompts / rules.stages);
  const chunk = { sequences, cached, cuts: chunks };
  return addMixedSeconds(compiled.table, decodes / rules.stages, prompt, output, chunk, parts, factor) / factor;
}

/** The prefill of one request that shares its steps with `others` in the mean, a Poisson number of at most the room. */
export function ownPrefill(
  demand: SteadyDemand,
  steps: PromptSteps,
  others: number,
  decodes: number,
  parts: Float64Array,
): number {
  const passes = steps.chunks * pipelined(demand.compiled, prefillPasses(demand.compiled, demand.fresh));
  const more = Math.min(others + 1, steps.room - 1);
  const shared = others > 0 ? Math.min(1, others / more) : 0;
  const alone = steadyPrefill(demand, steps, 1, decodes, parts, passes * (1 - shared));
  const together = steadyPrefill(demand, steps, 1 + more, decodes, parts, passes * shared);
  return passes * ((1 - shared) * alone + shared * together);
}
