import type { EngineRules } from './engine-rules.ts';
import type { Fleet } from './fleet.ts';
import { simulate } from './simulate.ts';
import type { SimulationResult } from './simulation-result.ts';
import type { Arrivals, LengthDistribution } from './workload-spec.ts';

/** A run of a benchmark tool: so many requests and no more, counted from the first. */
export interface FiniteRun {
  /** Nominal lengths, tokens. */
  readonly prompt: number;
  readonly output: number;
  /** Prompt tokens that are cached from the start. */
  readonly cached?: number;
  /**
   * `concurrency`: a burst of as many as may be in flight, then one for one. `rate`: Poisson arrivals, or Gamma by
   * `burstiness`, or with `Infinity` all at once. `batch`: all at once.
   */
  readonly load:
    | { readonly kind: 'concurrency'; readonly size: number }
    | { readonly kind: 'rate'; readonly requestsPerSecond: number; readonly burstiness?: number }
    | { readonly kind: 'batch'; readonly size: number };
  /** Requests in all; by default ten for each in flight (InferenceX and most published tables), or 1000 (vllm bench serve). */
  readonly requests?: number;
  /** Lengths are spread evenly from this share of the nominal ones to the nominal ones; 1 = all alike. */
  readonly lengthRangeRatio?: number;
  /** Requests at the start that the tool does not count. */
  readonly warmUp?: number;
  readonly seed?: number;
}

/** Requests of a finite closed loop for each one in flight. */
const requestsPerSlot = 10;

/** Requests of a finite run at a rate (default of vllm bench serve). */
const requestsAtRate = 1000;

/** The distributions that a benchmark tool would report of a finite run, its beginning included. */
export function simulateRun(fleet: Fleet, run: FiniteRun, rules: Partial<EngineRules> = {}): SimulationResult {
  const { load, lengthRangeRatio: ratio = 1 } = run;
  const requests =
    run.requests ?? (load.kind === 'rate' ? requestsAtRate : load.size * (load.kind === 'batch' ? 1 : requestsPerSlot));
  return simulate(
    fleet,
    {
      arrivals: arrivalsOf(load),
      prompt: spread(run.prompt, ratio),
      output: spread(run.output, ratio),
      requests: Math.max(1, Math.round(requests)),
      cached: Math.round(run.cached ?? 0),
      router: 'least-loaded',
      objectives: {},
      warmUp: run.warmUp ?? 'none',
    },
    run.seed ?? 1,
    rules,
  );
}

function arrivalsOf(load: FiniteRun['load']): Arrivals {
  switch (load.kind) {
    case 'batch':
      return { kind: 'burst' };
    case 'concurrency':
      return { kind: 'closed', concurrency: Math.max(1, Math.round(load.size)), think: 0 };
    case 'rate': {
      const { requestsPerSecond: rate, burstiness } = load;
      if (rate === Infinity) return { kind: 'burst' };
      return burstiness === undefined ? { kind: 'poisson', rate } : { kind: 'gamma', rate, burstiness };
    }
  }
}

function spread(nominal: number, ratio: number): LengthDistribution {
  const most = Math.max(1, Math.round(nominal));
  const least = Math.max(1, Math.round(nominal * Math.min(1, ratio)));
  return least === most ? { kind: 'fixed', tokens: most } : { kind: 'uniform', least, most };
}
