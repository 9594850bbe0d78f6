import type { Scenario } from '../profile/scenario.ts';
import { deviceCount } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import { type ClockSeconds, newClockSeconds } from '../serving/clock-seconds.ts';
import { compile, type CompiledDeployment } from '../serving/compiled.ts';
import { idealClocks } from '../serving/ideal.ts';
import { fillClocks } from '../serving/load.ts';
import { memoryEstimate } from '../serving/memory-estimate.ts';
import type { Stability } from '../serving/open-loop.ts';

/** Both clocks and what is worth comparing, from the fast path: no bands, floors or explanations. */
export interface QuickOutcome {
  readonly ttft: number;
  readonly tpot: number;
  readonly e2e: number;
  /** Requests that the deployment finishes a second; the largest rate where more arrive. */
  readonly requestsPerSecond: number;
  readonly outputTokensPerSecond: number;
  readonly devices: number;
  readonly fits: boolean;
  readonly shortBy: number;
  readonly stability?: Stability;
}

const scratch = newClockSeconds();

/** A scenario on the fast path. It has to be possible: check it first. */
export const quickOutcome = ({ deployment, workload, grade }: Scenario): QuickOutcome =>
  quickOutcomeOf(compile(deployment, grade), workload);

/** A workload on a deployment that is compiled already. */
export function quickOutcomeOf(compiled: CompiledDeployment, workload: Workload): QuickOutcome {
  const { clocks, stability } = clocksOf(compiled, workload);
  const decodeSteps = workload.output - 1;
  const ttft = clocks.ttftSeconds;
  const tpot = clocks.tpotSeconds;
  const e2e = ttft + decodeSteps * tpot;
  const { load } = workload;
  const requestsPerSecond =
    load.kind === 'rate' ? Math.min(load.requestsPerSecond, stability?.largestRate ?? Infinity) : load.size / e2e;
  const { fits, shortBy } = memoryEstimate(compiled, workload, clocks.running);
  return {
    ttft,
    tpot,
    e2e,
    requestsPerSecond,
    outputTokensPerSecond: requestsPerSecond * workload.output,
    devices: deviceCount(compiled.deployment.parallelism),
    fits,
    shortBy,
    ...(stability === undefined ? {} : { stability }),
  };
}

/** Clocks by resource; the same numbers are overwritten by the next call. */
export function clocksOf(
  compiled: CompiledDeployment,
  workload: Workload,
): { readonly clocks: ClockSeconds; readonly stability?: Stability } {
  if (compiled.grade === 'ideal') {
    idealClocks(compiled, workload, 0, scratch);
    return { clocks: scratch };
  }
  const stability = fillClocks(compiled, workload, scratch);
  return { clocks: scratch, ...(stability === undefined ? {} : { stability }) };
}
