import type { Workload } from '../profile/workload.ts';
import type { ClockSeconds } from './clock-seconds.ts';
import { closedLoopClocks } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
import { openLoopClocks, type Stability } from './open-loop.ts';
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
  const { prompt, cached, output, load } = workload;
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
