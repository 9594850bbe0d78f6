import { type Estimate, estimateWith, type Prepared, prepare } from '../estimate.ts';
import type { Breakdown } from '../roofline/resource.ts';
import { type Deployment, deviceCount, type Scenario } from '../profile/scenario.ts';
import { networkRate } from '../roofline/link.ts';
import type { CompiledDeployment } from '../serving/compiled.ts';
import { simulateRun } from '../serving/simulate/simulate-run.ts';
import type { SimulationResult } from '../serving/simulate/simulation-result.ts';
import type { Measurement } from './measurement.ts';
import { type PredictedFigure, predictedMetric } from './predicted-metric.ts';
import { simulatedMetric } from './simulated-metric.ts';
import { type DescribedRow, isTakenInside, type ProfileSource, rowScenario } from './row-scenario.ts';

/** A row with its prediction, or the reason why there is none. */
export type ValidatedRow =
  | {
      readonly row: Measurement;
      readonly figure: PredictedFigure;
      readonly scenario: Scenario;
      /** Seconds of the row's clock by resource, closed form. */
      readonly breakdown: Breakdown;
      readonly regime: string;
      /** The measurement beats the floor: wrong peak, cache hit or wrong unit. */
      readonly beatsFloor: boolean;
      /** Relative error, predicted over measured less 1; of a time or of a rate alike. */
      readonly error: number;
    }
  | { readonly row: Measurement; readonly skipped: string };

/**
 * Predicts every row with no configuration beyond what it says. Rows of one run share their estimate.
 * @param progress Called with the number of rows done, for a bar.
 */
export function validateRows(
  rows: readonly Measurement[],
  profiles: ProfileSource,
  progress: (done: number) => void = () => undefined,
): readonly ValidatedRow[] {
  const runs = new Map<string, PredictedRun | string>();
  const versions = statedVersions(rows);
  return rows.map((given, index) => {
    progress(index);
    const row = given.engineVersion === '' ? { ...given, engineVersion: versions.get(engineOf(given)) ?? '' } : given;
    const key = runKey(row);
    const known = runs.get(key) ?? predictRun(row, profiles);
    runs.set(key, known);
    if (typeof known === 'string') return { row, skipped: known };
    const figure =
      known.simulation === undefined
        ? predictedMetric(row.metric, known.estimate, known.scenario)
        : simulatedMetric(row.metric, known.simulation, known.estimate);
    // A run that was too short for a figure shows none of it.
    if (figure === undefined || !(figure.predicted > 0))
      return { row, skipped: `metric ${row.metric} needs a distribution` };
    return {
      row,
      figure,
      scenario: known.scenario,
      breakdown: known.estimate[figure.clock].breakdown,
      regime: known.estimate[figure.clock].regime,
      beatsFloor: isRate(row.metric) ? row.value > figure.ideal * floorSlack : row.value * floorSlack < figure.ideal,
      error: figure.predicted / row.value - 1,
    };
  });
}

const engineOf = (row: Measurement): string => JSON.stringify([row.sourceId, row.engine]);

/** Versions of engines that all rows of a source which state one agree on; they hold for its other rows too. */
function statedVersions(rows: readonly Measurement[]): ReadonlyMap<string, string> {
  const stated = new Map<string, string>();
  for (const row of rows) {
    if (row.engineVersion === '') continue;
    const engine = engineOf(row);
    const before = stated.get(engine);
    stated.set(engine, before === undefined || before === row.engineVersion ? row.engineVersion : '');
  }
  return stated;
}

/** Data sheets round, and clocks may run a little above nominal: a floor counts as beaten beyond 2 %. */
const floorSlack = 1.02;

const isRate = (metric: string): boolean => metric.includes('tok_s') || metric === 'request_s';

interface PredictedRun {
  readonly scenario: Scenario;
  readonly estimate: Estimate;
  /** Finite runs under load. */
  readonly simulation?: SimulationResult;
}

function predictRun(row: Measurement, profiles: ProfileSource): PredictedRun | string {
  const described = rowScenario(row, profiles);
  if ('skipped' in described) return described.skipped;
  try {
    const { scenario, run, prefillPool } = described;
    const prepared = prepare(scenario.deployment, scenario.grade);
    const estimate = estimateWith(prepared, scenario.workload);
    if (prefillPool !== undefined) return predictPools(described, prepared, estimate, prefillPool);
    return run === undefined
      ? { scenario, estimate }
      : {
          scenario,
          estimate,
          simulation: simulateRun(row.load === 'offline' ? offline(prepared.compiled) : prepared.compiled, run),
        };
  } catch (error) {
    if (error instanceof Error && error.name.endsWith('Error')) return error.message;
    throw error;
  }
}

/**
 * Two pools of their own parallelism: the run is simulated over both; floors and bands are those of the pool that a
 * clock is spent in.
 */
function predictPools(
  { scenario, run }: DescribedRow,
  answering: Prepared,
  estimate: Estimate,
  prefillPool: Deployment,
): PredictedRun {
  const { workload, grade } = scenario;
  const computing = prepare(prefillPool, grade);
  const { ttft } = estimateWith(computing, workload);
  const simulation = simulateRun(
    {
      prefill: computing.compiled,
      decode: answering.compiled,
      transfer: { bandwidth: networkRate(prefillPool.hardware), latency: 0 },
    },
    run ?? {
      prompt: workload.prompt,
      output: workload.output,
      cached: workload.cached,
      load: { kind: 'concurrency', size: 1 },
    },
  );
  const devices = deviceCount(prefillPool.parallelism) + deviceCount(scenario.deployment.parallelism);
  return { scenario, estimate: { ...estimate, ttft, load: { ...estimate.load, devices } }, simulation };
}

/** Offline runs stream to nobody. */
const offline = (compiled: CompiledDeployment): CompiledDeployment => ({
  ...compiled,
  table: { ...compiled.table, perStreamed: 0 },
});

/** All that a scenario is read from: two rows share a run only where nothing of it differs. */
const runKey = (row: Measurement): string =>
  JSON.stringify([
    row.engine,
    row.engineVersion,
    row.load === 'static-batch' && row.metric.startsWith('ttft'),
    row.hardware,
    row.gpus,
    row.tensor,
    row.pipeline,
    row.expert,
    row.data,
    row.model,
    row.weightFormat,
    row.activationFormat,
    row.keyValueFormat,
    row.load,
    row.batch,
    row.rate,
    row.inputTokens,
    row.outputTokens,
    row.cachedTokens,
    row.options,
    row.notes,
    isTakenInside(row),
  ]);
