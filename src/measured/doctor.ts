import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';
import type { Deployment } from '../profile/scenario.ts';
import { againstFloor, cacheSuspicion, type Modelled, modelRun } from './doctor/against-model.ts';
import { chunks, duration, keyValueCache, overTime, prefixCache, sampleSize } from './doctor/course.ts';
import { endToEnd, percentileOrder, requestCounts, tokenTotals } from './doctor/identities.ts';
import { achievedRate, allAtOnce, littlesLaw, waitingGrows } from './doctor/load.ts';
import { units } from './doctor/plausible.ts';
import { mixedRuns, prefillCourse } from './doctor/several.ts';
import type { Finding } from './finding.ts';

/** What the doctor says about a file. */
export interface Examination {
  readonly findings: readonly Finding[];
  /** What was not looked at, and why. */
  readonly unchecked: readonly string[];
}

const rules: readonly ((run: BenchmarkRun) => readonly Finding[])[] = [
  requestCounts,
  endToEnd,
  units,
  percentileOrder,
  tokenTotals,
  duration,
  littlesLaw,
  achievedRate,
  allAtOnce,
  waitingGrows,
  overTime,
  chunks,
  sampleSize,
  keyValueCache,
  prefixCache,
];

const order = { broken: 0, careful: 1, note: 2 } as const;

/**
 * Identity checks before any number is believed: each follows from counting (Little's law, token totals), from the
 * definition of the clocks, or from physics where model and hardware are known.
 *
 * @throws ScenarioError where the deployment cannot be.
 */
export function examine(
  runs: readonly BenchmarkRun[],
  where: string,
  deployment?: Deployment,
  assumed: { readonly prompt?: number; readonly output?: number } = {},
): Examination {
  const unchecked = new Set<string>();
  if (deployment === undefined) unchecked.add('utilisation of compute and bandwidth: give --model and --hardware');
  const own = runs.flatMap((run) => {
    const modelled = deployment === undefined ? undefined : modelRun(run, deployment, assumed);
    if (typeof modelled === 'string') unchecked.add(`utilisation of ${run.where}: ${modelled}`);
    for (const gap of gapsOf(run)) unchecked.add(gap);
    return [
      ...rules.flatMap((rule) => rule(run)),
      ...(isModelled(modelled) ? [...againstFloor(run, modelled), ...cacheSuspicion(run, modelled)] : []),
    ];
  });
  const findings = [...mixedRuns(runs, where), ...prefillCourse(runs), ...own];
  return {
    findings: findings.toSorted((a, b) => order[a.severity] - order[b.severity]),
    unchecked: [...unchecked],
  };
}

const isModelled = (modelled: Modelled | string | undefined): modelled is Modelled => typeof modelled === 'object';

/** Identities that a run's figures do not suffice for. */
function gapsOf({ clocks, throughput, requests, seconds, kind }: BenchmarkRun): readonly string[] {
  if (kind === 'kernel') return [];
  const rate = throughput.requestsPerSecond ?? (requests.completed === undefined ? undefined : seconds);
  return [
    ...(clocks.ttft === undefined || clocks.tpot === undefined || clocks.e2e === undefined
      ? ['E2E = TTFT + (n - 1) x TPOT: not all three clocks are in the file']
      : []),
    ...(rate === undefined || clocks.e2e === undefined ? ["Little's law: requests/s or E2E is not in the file"] : []),
  ];
}

/** Findings of severity `broken` mean that some figure must not be used. */
export const isSound = ({ findings }: Examination): boolean => findings.every(({ severity }) => severity !== 'broken');
