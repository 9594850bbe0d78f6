import type { Workload } from '../profile/workload.ts';
import { resourceCount } from '../roofline/resource.ts';
import { type ClockSeconds, newClockSeconds } from './clock-seconds.ts';
import { runningLimit } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
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
  const decoding = decodingTogether > 0 ? decodingTogether : Math.min(asked, runningLimit(compiled, prompt, output));
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
