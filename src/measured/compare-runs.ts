import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';
import { meanOf } from '../exchange/benchmark/distribution.ts';
import type { Deployment } from '../profile/scenario.ts';
import { modelRun } from './doctor/against-model.ts';
import { inFlight, inputTokens, outputTokens } from './run-workload.ts';
import type { ScoredClock } from './scorecard.ts';

/**
 * One clock of two runs. measured = explained x unexplained: what hardware, lengths and load explain by the model, and
 * what is left for software, settings and chance.
 */
interface ClockComparison {
  readonly clock: ScoredClock;
  readonly before: number;
  readonly after: number;
  /** After / before. */
  readonly measured: number;
  /** Predicted after / predicted before; 1 where load and lengths are the same and nothing else was said to change. */
  readonly explained?: number;
  /** measured / explained. */
  readonly unexplained?: number;
  readonly verdict: 'same' | 'explained' | 'software slower' | 'software faster' | 'open';
}

export interface RunComparison {
  readonly before: string;
  readonly after: string;
  readonly clocks: readonly ClockComparison[];
  /** Why nothing is explained; absent where it is. */
  readonly open?: string;
}

/** Runs repeat within a few per cent. */
const noise = 0.05;

/**
 * Compares two runs: a regression watch.
 * @param deployments Of the run before and of the run after; the same where nothing but software changed.
 */
export function compareRuns(
  before: BenchmarkRun,
  after: BenchmarkRun,
  deployments?: { readonly before: Deployment; readonly after: Deployment },
  assumed: { readonly prompt?: number; readonly output?: number } = {},
): RunComparison {
  const alike = sameWork(before, after) && (deployments === undefined || deployments.before === deployments.after);
  const [one, two] =
    deployments === undefined || alike
      ? [undefined, undefined]
      : [modelRun(before, deployments.before, assumed), modelRun(after, deployments.after, assumed)];
  const reason = [one, two].find((each): each is string => typeof each === 'string');
  const clocks = (['ttft', 'tpot'] as const).flatMap((clock): readonly ClockComparison[] => {
    const [a, b] = [meanOf(before.clocks[clock]), meanOf(after.clocks[clock])];
    if (a === undefined || b === undefined || a === 0 || b === 0) return [];
    const measured = b / a;
    const explained = alike
      ? 1
      : typeof one === 'object' && typeof two === 'object'
        ? two.estimate[clock].seconds / one.estimate[clock].seconds
        : undefined;
    const unexplained = explained === undefined ? undefined : measured / explained;
    return [
      {
        clock,
        before: a,
        after: b,
        measured,
        ...(explained === undefined ? {} : { explained }),
        ...(unexplained === undefined ? {} : { unexplained }),
        verdict: verdictOf(measured, unexplained),
      },
    ];
  });
  return {
    before: before.where,
    after: after.where,
    clocks,
    ...(reason === undefined ? {} : { open: reason }),
    ...(deployments === undefined && !alike
      ? { open: 'lengths or load differ, and no model and hardware were given' }
      : {}),
  };
}

function verdictOf(measured: number, unexplained: number | undefined): ClockComparison['verdict'] {
  if (unexplained === undefined) return 'open';
  if (unexplained > 1 + noise) return 'software slower';
  if (unexplained < 1 / (1 + noise)) return 'software faster';
  return Math.abs(measured - 1) <= noise ? 'same' : 'explained';
}

/** The same lengths and the same load, within what runs repeat to. */
function sameWork(before: BenchmarkRun, after: BenchmarkRun): boolean {
  const close = (a: number | undefined, b: number | undefined): boolean =>
    a === undefined || b === undefined ? a === b : Math.abs(a - b) <= noise * Math.max(a, b);
  const { load: one } = before;
  const { load: two } = after;
  const load =
    one.kind === 'rate' && two.kind === 'rate'
      ? close(one.requestsPerSecond, two.requestsPerSecond)
      : (one.kind === 'concurrency' || one.kind === 'batch') && one.kind === two.kind
        ? close(one.size, two.size)
        : one.kind === two.kind && close(inFlight(before), inFlight(after));
  return load && close(inputTokens(before), inputTokens(after)) && close(outputTokens(before), outputTokens(after));
}
