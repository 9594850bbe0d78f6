import type { Router } from '../../profile/scenario.ts';
import { type ArrivalSource, arrivalSource } from './arrivals.ts';
import { checkWorkload } from './check-workload.ts';
import type { EngineRules } from './engine-rules.ts';
import { Engines, type Fleet } from './fleet.ts';
import { reportOf, type ReportOptions } from './report.ts';
import type { SimulatedRequest } from './request.ts';
import type { SimulationResult } from './simulation-result.ts';
import { Tally } from './tally.ts';
import type { Objectives, SimulatedWorkload } from './workload-spec.ts';

/**
 * Runs a workload on a deployment, event by event, and reports distributions. Pure: the same deployment, workload and
 * seed give the same result to the last bit.
 * @throws SimulationError, one sentence, where the workload cannot be.
 */
export function simulate(
  fleet: Fleet,
  workload: SimulatedWorkload,
  seed: number,
  rules: Partial<EngineRules> = {},
): SimulationResult {
  const simulation = startSimulation(fleet, workload, seed, rules);
  simulation.advance(Infinity);
  return simulation.result();
}

/** A run that is advanced piece by piece, so that its caller can show progress, feed a trace or stop. */
export interface Simulation {
  /** Lets up to so many events happen. `hungry`: the trace has to be fed; `done`: nothing is left to happen. */
  readonly advance: (events: number) => 'more' | 'hungry' | 'done';
  /** Share of the expected requests that are answered. */
  readonly progress: () => number;
  /** What is known so far. */
  readonly result: () => SimulationResult;
}

/** Begins a run of a workload; see `simulate`. */
export function startSimulation(
  fleet: Fleet,
  workload: SimulatedWorkload,
  seed: number,
  rules: Partial<EngineRules> = {},
): Simulation {
  checkWorkload(workload, seed);
  const { kind } = workload.arrivals;
  return startRun(fleet, arrivalSource(workload, seed), {
    router: workload.router,
    hot: workload.cached,
    shares: workload.prefix !== undefined || kind === 'sessions',
    objectives: workload.objectives,
    warmUp: workload.warmUp,
    isOpen: kind !== 'closed' && kind !== 'burst',
    seed,
    rules,
  });
}

export interface RunOptions {
  readonly router: Router;
  readonly hot: number;
  readonly shares: boolean;
  readonly objectives: Objectives;
  readonly warmUp: ReportOptions['warmUp'];
  readonly isOpen: boolean;
  readonly seed: number;
  readonly rules: Partial<EngineRules>;
}

/** Begins a run of requests from any source. */
export function startRun(fleet: Fleet, source: ArrivalSource, options: RunOptions): Simulation {
  const tally = new Tally();
  const ended = (request: SimulatedRequest, time: number, isRefused: boolean): void => {
    if (isRefused) tally.refuse(time);
    else tally.finish(request, time);
    source.answered(request, time);
  };
  const engines = new Engines(fleet, options, tally, ended);
  const { ingress } = engines;
  let now = 0;
  let isDone = false;
  const advance = (events: number): 'more' | 'hungry' | 'done' => {
    for (let event = 0; event < events; event++) {
      if (source.isHungry()) return 'hungry';
      const arrival = source.next() + ingress;
      const next = engines.next();
      // Whoever arrives at the end of a step is there when the next one is formed.
      if (arrival <= next) {
        if (arrival === Infinity) {
          isDone = true;
          return 'done';
        }
        now = arrival;
        const request = source.take();
        tally.arrived(request);
        engines.arrive(request, arrival);
      } else {
        now = next;
        engines.proceed();
      }
    }
    return 'more';
  };
  return {
    advance,
    progress: () => (tally.finished + tally.refused) / source.expected,
    result: () =>
      reportOf(tally, {
        seed: options.seed,
        servers: engines.servers.length,
        answering: engines.answering,
        blocks: engines.blocks,
        objectives: options.objectives,
        warmUp: options.warmUp,
        isOpen: options.isOpen,
        isComplete: isDone && tally.sent === tally.finished + tally.refused,
        now,
      }),
  };
}
