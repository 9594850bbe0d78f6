import { usualRouter } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import { resourceCount } from '../roofline/resource.ts';
import { type ClockSeconds, newClockSeconds } from './clock-seconds.ts';
import { runningLimit } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
import { beside, routed } from './replica-arrivals.ts';
import { spreadOverTokens, stepsOf } from './speculated.ts';
import { staticBatchClocks } from './static-batch.ts';

/**
 * The floor of both clocks, written into `clocks`: prefill of the request alone (or of its batch), decode of the
 * sequences that run, no waiting and no interference, without a limit on the tokens of a step.
 *
 * Stages of a pipeline share a prefill evenly, as they do in the limit of many small chunks.
 *
 * `decodingTogether`: sequences of a group that decode at once in a typical prediction; 0 = derive it from the load.
 */
export function idealClocks(
  compiled: CompiledDeployment,
  workload: Workload,
  decodingTogether: number,
  clocks: ClockSeconds,
): void {
  const { prompt, cached, load } = workload;
  clocks.together = 0;
  const output = stepsOf(compiled.table, workload.output);
  const unlimited = { ...compiled, limits: { ...compiled.limits, tokenBudget: Infinity } };
  const stages = compiled.deployment.parallelism.pipeline;
  if (load.kind === 'batch') {
    staticBatchClocks(unlimited, load.size, prompt, cached, output, clocks);
    spreadOverTokens(compiled.table, clocks);
    sharePrefill(clocks, clocks, stages);
    return;
  }
  const asked = load.kind === 'concurrency' ? Math.max(1, load.size / compiled.groups) : 1;
  const together = decodingTogether > 0 ? decodingTogether : Math.min(asked, runningLimit(compiled, prompt, output));
  const decoding = load.kind === 'rate' ? atRate(unlimited, workload, output, together, clocks) : together;
  staticBatchClocks(unlimited, 1, prompt, cached, output, alone);
  staticBatchClocks(unlimited, decoding * compiled.groups, prompt, cached, output, clocks);
  spreadOverTokens(compiled.table, clocks);
  sharePrefill(alone, clocks, stages);
  clocks.waiting = Math.max(0, asked - decoding);
}

/** The request alone, whose prefill sets the floor of TTFT. */
const alone = newClockSeconds();

/** Puts the prefill of `of`, spread over the stages, into `clocks`. */
function sharePrefill(of: ClockSeconds, clocks: ClockSeconds, stages: number): void {
  for (let index = 0; index < resourceCount; index++) {
    clocks.ttft[index] = (of.ttft[index] ?? 0) / stages;
    clocks.ttftRates[index] = (of.ttftRates[index] ?? 0) / stages;
  }
  clocks.ttftSeconds = of.ttftSeconds / stages;
}

/** Rounds after which the number that decodes has settled to well below a thousandth, where it settles at all. */
const rounds = 40;

/**
 * At an arrival rate fewer decode together on the ideal than on a slower engine: as many as arrive during an answer, by
 * Little's law; never more than `most`.
 */
function atRate(
  compiled: CompiledDeployment,
  { prompt, cached, load }: Workload,
  output: number,
  most: number,
  clocks: ClockSeconds,
): number {
  const rate = load.kind === 'rate' ? load.requestsPerSecond / compiled.groups : 0;
  const { answers } = routed(compiled.deployment.router ?? usualRouter, compiled.groups);
  let decoding = Math.min(1, most);
  for (let round = 0; round < rounds && decoding < most; round++) {
    staticBatchClocks(compiled, decoding * compiled.groups, prompt, cached, output, clocks);
    decoding = Math.min(most, 1 + beside(answers, rate * Math.max(0, output - 1) * clocks.tpotSeconds));
  }
  return decoding;
}
