import type { Workload } from '../profile/workload.ts';
import { type ClockSeconds, newClockSeconds } from './clock-seconds.ts';
import { runningLimit } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
import { spreadOverTokens, stepsOf } from './speculated.ts';
import { staticBatchClocks } from './static-batch.ts';

/**
 * The floor of both clocks: prefill of the request alone (or of its batch), decode of the sequences that run, no
 * waiting and no interference, without a limit on the tokens of a step.
 *
 * Stages of a pipeline share a prefill evenly, as they do in the limit of many small chunks.
 *
 * `decodingTogether`: sequences of a group that decode at once in a typical prediction; 0 = derive it from the load.
 */
export function idealClocks(compiled: CompiledDeployment, workload: Workload, decodingTogether: number): ClockSeconds {
  const { prompt, cached, load } = workload;
  const output = stepsOf(compiled.table, workload.output);
  const unlimited = { ...compiled, limits: { ...compiled.limits, tokenBudget: Infinity } };
  const clocks = newClockSeconds();
  if (load.kind === 'batch') {
    staticBatchClocks(unlimited, load.size, prompt, cached, output, clocks);
    spreadOverTokens(compiled.table, clocks);
    return sharedPrefill(clocks, compiled.deployment.parallelism.pipeline);
  }
  const asked = load.kind === 'concurrency' ? Math.max(1, load.size / compiled.groups) : 1;
  const decoding = decodingTogether > 0 ? decodingTogether : Math.min(asked, runningLimit(compiled, prompt, output));
  const first = newClockSeconds();
  staticBatchClocks(unlimited, 1, prompt, cached, output, first);
  staticBatchClocks(unlimited, decoding * compiled.groups, prompt, cached, output, clocks);
  spreadOverTokens(compiled.table, clocks);
  const { ttft, ttftRates, ttftSeconds } = sharedPrefill(first, compiled.deployment.parallelism.pipeline);
  return { ...clocks, ttft, ttftRates, ttftSeconds, waiting: Math.max(0, asked - decoding) };
}

const sharedPrefill = (clocks: ClockSeconds, stages: number): ClockSeconds => ({
  ...clocks,
  ttft: clocks.ttft.map((seconds) => seconds / stages),
  ttftRates: clocks.ttftRates.map((seconds) => seconds / stages),
  ttftSeconds: clocks.ttftSeconds / stages,
});
