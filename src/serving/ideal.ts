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
 * `running`: sequences of a group that a typical prediction runs at once; 0 = derive it from the load.
 */
export function idealClocks(compiled: CompiledDeployment, workload: Workload, running: number): ClockSeconds {
  const { prompt, cached, load } = workload;
  const output = stepsOf(compiled.table, workload.output);
  const unlimited = { ...compiled, limits: { ...compiled.limits, tokenBudget: Infinity } };
  const clocks = newClockSeconds();
  if (load.kind === 'batch') {
    staticBatchClocks(unlimited, load.size, prompt, cached, output, clocks);
    spreadOverTokens(compiled.table, clocks);
    return clocks;
  }
  const asked = load.kind === 'concurrency' ? Math.max(1, load.size / compiled.groups) : 1;
  const decoding = running > 0 ? running : Math.min(asked, runningLimit(compiled, prompt, output));
  const first = newClockSeconds();
  staticBatchClocks(unlimited, 1, prompt, cached, output, first);
  staticBatchClocks(unlimited, decoding * compiled.groups, prompt, cached, output, clocks);
  spreadOverTokens(compiled.table, clocks);
  return {
    ...clocks,
    ttft: first.ttft,
    ttftRates: first.ttftRates,
    ttftSeconds: first.ttftSeconds,
    waiting: Math.max(0, asked - decoding),
  };
}
