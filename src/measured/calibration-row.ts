import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';
import { meanOf, percentileOf } from '../exchange/benchmark/distribution.ts';
import type { Estimate } from '../estimate.ts';
import type { Deployment, Scenario } from '../profile/scenario.ts';
import { calibratedOverhead } from '../roofline/calibrated.ts';
import type { Measurement } from './measurement.ts';
import { predictedMetric } from './predicted-metric.ts';
import { type ProfileSource, rowScenario } from './row-scenario.ts';
import { runWorkload } from './run-workload.ts';

/** One measured time that a fit has to explain, in seconds or in the inverse of a rate: more is slower. */
export interface CalibrationRow {
  readonly where: string;
  readonly scenario: Scenario;
  readonly clock: 'ttft' | 'tpot' | 'e2e';
  readonly metric: string;
  readonly measured: number;
  readonly predict: (estimate: Estimate, scenario: Scenario) => number;
}

/** A row, or why it takes no part. */
export type CandidateRow = CalibrationRow | { readonly where: string; readonly excluded: string };

const isRate = (metric: string): boolean => metric.includes('tok_s') || metric === 'request_s';

/** A row of a measurement file. Percentiles but the median, and finite runs under load, have no closed form to fit. */
export function rowOfMeasurement(row: Measurement, profiles: ProfileSource, where: string): CandidateRow {
  const place = `${where} line ${row.line}`;
  const described = rowScenario(row, profiles);
  if ('skipped' in described) return { where: place, excluded: described.skipped };
  const { metric } = row;
  const clock = clockOf(metric);
  if (clock === undefined) return { where: place, excluded: `the metric ${metric} has no closed form to fit` };
  const inverted = isRate(metric);
  return {
    where: place,
    scenario: described.scenario,
    clock,
    metric,
    measured: inverted ? 1 / row.value : row.value,
    predict: (estimate, scenario) => {
      const value = predictedMetric(metric, estimate, scenario)?.predicted ?? Number.NaN;
      return inverted ? 1 / value : value;
    },
  };
}

/** The clock that a metric is made of; undefined for percentiles other than the median. */
function clockOf(metric: string): CalibrationRow['clock'] | undefined {
  if (/_p(?!50)\d/.test(metric)) return undefined;
  if (/^(?:ttft|prefill)/.test(metric)) return 'ttft';
  if (/^(?:tpot|itl|decode)/.test(metric)) return 'tpot';
  return /^(?:e2e|output|total|request)/.test(metric) ? 'e2e' : undefined;
}

/**
 * The rows of a benchmark run: its mean TTFT and TPOT, or E2E where those are missing. Under an arrival rate and for
 * everything at once the mean TTFT is a queue, and only TPOT is used.
 */
export function rowsOfRun(
  run: BenchmarkRun,
  deployment: Deployment,
  assumed: { readonly prompt?: number; readonly output?: number } = {},
): readonly CandidateRow[] {
  const workload = runWorkload(run, assumed);
  if (typeof workload === 'string') return [{ where: run.where, excluded: workload }];
  const scenario: Scenario = { deployment, workload, grade: 'typical' };
  const row = (
    clock: CalibrationRow['clock'],
    metric: string,
    measured: number | undefined,
    predict: CalibrationRow['predict'],
  ): readonly CandidateRow[] =>
    measured === undefined || measured === 0
      ? []
      : [{ where: `${run.where} ${metric}`, scenario, clock, metric, measured, predict }];
  const { clocks, load } = run;
  // The median is robust against warm-up; the mean is what the closed form gives. They agree where lengths are fixed.
  const central = (name: 'ttft' | 'tpot' | 'e2e'): number | undefined =>
    meanOf(clocks[name]) ?? percentileOf(clocks[name], 50);
  const queued = load.kind === 'rate' || load.kind === 'all-at-once' || (load.kind === 'concurrency' && load.size > 1);
  const first: readonly CandidateRow[] =
    clocks.prefill === undefined
      ? queued && central('ttft') !== undefined
        ? [
            {
              where: `${run.where} ttft`,
              excluded:
                'TTFT under load holds a queue that depends on the course of the run; measure one request at a time',
            },
          ]
        : row('ttft', 'ttft', central('ttft'), ({ ttft }) => ttft.seconds)
      : row('ttft', 'prefill', meanOf(clocks.prefill), ({ ttft }, { deployment: of }) =>
          Math.max(
            1e-9,
            ttft.breakdown.queue === 0
              ? ttft.seconds - calibratedOverhead(of.release.overhead, of.calibration).request
              : ttft.seconds,
          ),
        );
  const next = workload.output > 1 ? row('tpot', 'tpot', central('tpot'), ({ tpot }) => tpot.seconds) : [];
  if (first.length + next.length > 0) return [...first, ...next];
  return row('e2e', 'e2e', central('e2e'), ({ e2e }) => e2e.seconds);
}

/** No kernel sustains more of its peak over a whole phase; a row that says so was cached, cut or mislabelled. */
const implausible = 0.92;

/** Why a row must not be fitted: it beats the floor or comes closer to it than kernels do. */
export function whyNotFit(row: CalibrationRow, floor: Estimate): string | undefined {
  const ideal = row.predict({ ...floor }, { ...row.scenario, grade: 'ideal' });
  const share = ideal / row.measured;
  if (!(share > implausible)) return undefined;
  return share > 1
    ? `it beats the floor: ${(share * 100).toFixed(0)} % of peak`
    : `it is at ${(share * 100).toFixed(0)} % of peak, which no public kernel sustains`;
}
