import type { ClockSeconds } from './clock-seconds.ts';
import { closedLoopClocks, runningLimit } from './closed-loop.ts';
import type { CompiledDeployment } from './compiled.ts';
import { resourceCount, resourceIndex } from '../roofline/resource.ts';
import { addPrefillSeconds } from '../phase/prefill.ts';
import { sum } from './clock-seconds.ts';

/** Requests/s of a whole deployment at which it saturates, and where a rate stands to that. */
export interface Stability {
  readonly verdict: 'stable' | 'near saturation' | 'unstable';
  /** Requests/s that the deployment finishes with every slot taken. */
  readonly largestRate: number;
}

/** Above this share of the largest rate, waiting is dominated by chance, and a mean says little. */
const nearSaturation = 0.9;

/** Halvings of the interval of requests in flight; 40 leave it below 1e-9 of the start. */
const bisections = 40;

const prefill = new Float64Array(resourceCount);

/**
 * Requests arrive at random at a given rate (Poisson). The number in flight follows from Little's law, rate x time
 * in the system, solved by bisection over the closed loop; the first token also waits for other prompts' prefill as
 * in an M/D/1 queue, rho s / (2 (1 - rho)) with s the prefill of one prompt (Pollaczek-Khinchine, no variance).
 */
export function openLoopClocks(
  compiled: CompiledDeployment,
  rate: number,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
): Stability {
  const { groups } = compiled;
  const finished = (inFlight: number): number => {
    closedLoopClocks(compiled, inFlight * groups, prompt, cached, output, clocks);
    return (inFlight * groups) / (clocks.ttftSeconds + Math.max(0, output - 1) * clocks.tpotSeconds);
  };
  const limit = runningLimit(compiled, prompt, output);
  const most = Math.min(limit, largestUsefulBatch);
  const largestRate = finished(most);
  if (rate >= largestRate) return { verdict: 'unstable', largestRate };
  let low = 1;
  let high = most;
  if (finished(1) < rate) {
    for (let round = 0; round < bisections; round++) {
      const middle = (low + high) / 2;
      if (finished(middle) < rate) low = middle;
      else high = middle;
    }
    finished(high);
  }
  addRandomArrivals(compiled, rate / groups, prompt, cached, clocks);
  return { verdict: rate > nearSaturation * largestRate ? 'near saturation' : 'stable', largestRate };
}

/** Without a limit of engine or memory the search needs an end; no engine runs more sequences on one device group. */
const largestUsefulBatch = 4096;

function addRandomArrivals(
  compiled: CompiledDeployment,
  rate: number,
  prompt: number,
  cached: number,
  clocks: ClockSeconds,
): void {
  prefill.fill(0);
  const service = addPrefillSeconds(compiled.table, 1, prompt, cached, compiled.limits.tokenBudget, prefill);
  const busy = Math.min(0.99, rate * service);
  // The closed loop holds the waits for the other R - 1 in flight; what is left of chance is one request's part.
  const wait = (busy * service) / (2 * (1 - busy)) / Math.max(1, clocks.running);
  const perSecond = wait / sum(prefill);
  for (let index = 0; index < resourceCount; index++) {
    clocks.ttftRates[index] = (clocks.ttftRates[index] ?? 0) + (prefill[index] ?? 0) * perSecond;
  }
  clocks.ttft[resourceIndex.queue] = (clocks.ttft[resourceIndex.queue] ?? 0) + wait;
  clocks.ttftSeconds += wait;
}
