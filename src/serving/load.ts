import type { Deployment } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import type { ClockSeconds } from './clock-seconds.ts';
import { closedLoopClocks } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
import { disaggregatedClocks } from './disaggregation.ts';
import { openLoopClocks, type Stability } from './open-loop.ts';
import { spreadOverTokens, stepsOf } from './speculated.ts';
import { staticBatchClocks } from './static-batch.ts';

/**
 * The fast path: both clocks of a workload on a compiled deployment, written into `clocks`. Allocates nothing for
 * `batch` and `concurrency`. Returns where an arrival rate stands to saturation.
 */
export function fillClocks(
  compiled: CompiledDeployment,
  workload: Workload,
  clocks: ClockSeconds,
): Stability | undefined {
  const { table, deployment } = compiled;
  clocks.together = 0;
  const stability = fillSteps(compiled, deployment, workload, stepsOf(table, workload.output), clocks);
  spreadOverTokens(table, clocks);
  return stability;
}

/** The same with TPOT as the time between steps, of which an answer takes `output`. */
function fillSteps(
  compiled: CompiledDeployment,
  { disaggregation }: Deployment,
  { prompt, cached, load }: Workload,
  output: number,
  clocks: ClockSeconds,
): Stability | undefined {
  if (disaggregation !== undefined) {
    return disaggregatedClocks(compiled, disaggregation, load, prompt, cached, output, clocks);
  }
  switch (load.kind) {
    case 'batch':
      staticBatchClocks(compiled, load.size, prompt, cached, output, clocks);
      return undefined;
    case 'concurrency':
      closedLoopClocks(compiled, load.size, prompt, cached, output, clocks);
      return undefined;
    case 'rate':
      return openLoopClocks(compiled, load.requestsPerSecond, prompt, cached, output, clocks);
  }
}
