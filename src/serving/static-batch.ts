import { addDecodeSeconds } from '../phase/decode.ts';
import { addPrefillSeconds, prefillSteps } from '../phase/prefill.ts';
import type { Deployment } from '../profile/scenario.ts';
import { resourceCount, resourceIndex } from '../roofline/resource.ts';
import { clearClockSeconds, type ClockSeconds, closeClocks } from './clock-seconds.ts';
import type { CompiledDeployment } from './compiled.ts';

const nothing = new Float64Array(resourceCount);

/**
 * All requests start together: prefill of the whole batch, then decode of the whole batch. Every request gets its
 * first token when the batch's prefill is done.
 */
export function staticBatchClocks(
  compiled: CompiledDeployment,
  size: number,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
): void {
  const { table, limits, requestSeconds } = compiled;
  const stages = decodeStages(compiled.deployment);
  const sequences = Math.max(1, size / compiled.groups);
  clearClockSeconds(clocks);
  const steps = prefillPasses(compiled, sequences * (prompt - cached));
  addPrefillSeconds(table, sequences, prompt, cached, limits.tokenBudget, clocks.ttft, pipelined(compiled, steps));
  clocks.ttft[resourceIndex.overhead] = (clocks.ttft[resourceIndex.overhead] ?? 0) + requestSeconds;
  addDecodeSeconds(table, microBatch(sequences, stages), prompt, output, clocks.tpot, 1, false);
  clocks.running = sequences;
  clocks.decoding = sequences;
  clocks.waiting = 0;
  closeClocks(clocks, nothing);
}

/**
 * Share of the summed step times of a prefill that passes when its steps follow each other through a pipeline:
 * (steps + stages - 1) / (stages x steps) of as many steps as the engine keeps under way at once; 1 for a single
 * step, which visits one stage after the other.
 */
export function pipelined(compiled: CompiledDeployment, steps: number): number {
  const { parallelism, release } = compiled.deployment;
  const { pipelineTokens = Infinity } = release.scheduling;
  const together = Math.max(1, Math.min(steps, Math.round(pipelineTokens / passOf(compiled)) || Infinity));
  return (together + parallelism.pipeline - 1) / (parallelism.pipeline * together);
}

const passOf = ({ limits, table }: CompiledDeployment): number =>
  Math.min(limits.tokenBudget, table.passTokens ?? Infinity);

/** Passes through the layers that so many new tokens take. */
export const prefillPasses = (compiled: CompiledDeployment, tokens: number): number =>
  prefillSteps(tokens, passOf(compiled));

/**
 * Micro-batches of decoding sequences under way at once: one a stage, but for engines that wait for each batch to come
 * through all stages before they compute the next (llama.cpp).
 */
export const decodeStages = ({ parallelism, release }: Deployment): number =>
  release.scheduling.pipelineTokens === undefined ? parallelism.pipeline : 1;

/** Sequences in one of the micro-batches that keep all stages busy; a lone sequence visits every stage. */
export const microBatch = (sequences: number, stages: number): number =>
  Math.max(Math.min(1, sequences), sequences / stages);
