// Fits an engine's host costs (step, sequence, collective, launches of prefill) to measurement CSVs by bounded least
// squares of ln(measured / predicted) with ml-levenberg-marquardt, and prints what they are when each source, device
// and model is left out, with the error on what was left out. It writes nothing: constants go into the engine profile
// by hand, rounded, with a citation. node scripts/run.js scripts/fit-overheads.ts ENGINE VERSION FILE...
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { estimateWith, prepare } from '../src/estimate.ts';
import { leastSquares } from '../src/measured/least-squares.ts';
import type { Measurement } from '../src/measured/measurement.ts';
import { predictedMetric } from '../src/measured/predicted-metric.ts';
import { readMeasurements } from '../src/measured/read-measurements.ts';
import { rowScenario } from '../src/measured/row-scenario.ts';
import { quantile } from '../src/measured/validation-summary.ts';
import { findRelease } from '../src/profile/find-release.ts';
import type { Scenario } from '../src/profile/scenario.ts';
import { shippedProfiles } from './shipped-profiles.ts';

/** What is fitted, in microseconds. */
const costs = ['step', 'sequence', 'collective', 'prefillLaunch'] as const;
const most = [10_000, 100, 100, 300] as const;

/** Of one source, device and model: as many say as much, and a fit asks for each hundreds of times. */
const rowsOfGroup = 12;

interface Datum {
  readonly row: Measurement;
  readonly scenario: Scenario;
}

const [engineName = '', version = '', ...paths] = process.argv.slice(2);
const profiles = await shippedProfiles();
const engine = profiles.engine(engineName);
if (typeof engine === 'string') throw new Error(engine);
const release = findRelease(engine, version);
if (release === undefined) throw new Error(`no release ${version}`);
const data = sampled(paths.flatMap((path) => readMeasurements(readFileSync(path, 'utf8'), basename(path))));

/** Rows of this engine and release whose load needs no simulation: single requests and static batches. */
function sampled(rows: readonly Measurement[]): readonly Datum[] {
  const groups = new Map<string, Datum[]>();
  for (const row of rows) {
    if (row.engine !== engineName || !['single', 'static-batch'].includes(row.load)) continue;
    const described = rowScenario(row, profiles);
    if ('skipped' in described || described.run !== undefined) continue;
    if (described.scenario.deployment.release.version !== release?.version) continue;
    const key = [row.sourceId, row.hardware, row.model, row.metric].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), { row, scenario: described.scenario }]);
  }
  return [...groups.values()].flatMap((group) => {
    const stride = Math.max(1, Math.floor(group.length / rowsOfGroup));
    return group.filter((_, index) => index % stride === 0).slice(0, rowsOfGroup);
  });
}

function logRatio({ row, scenario }: Datum, values: readonly number[]): number {
  const { deployment, workload, grade } = scenario;
  const overhead = { ...deployment.release.overhead };
  const changed = Object.fromEntries(costs.map((cost, index) => [cost, (values[index] ?? 0) * 1e-6]));
  const fitted = { ...deployment, release: { ...deployment.release, overhead: { ...overhead, ...changed } } };
  const figure = predictedMetric(row.metric, estimateWith(prepare(fitted, grade), workload), scenario);
  return figure === undefined ? 0 : Math.log(figure.predicted / row.value);
}

const start = costs.map((cost) => (release.overhead[cost] ?? 0) * 1e6);

function fit(list: readonly Datum[]): readonly number[] {
  const zeros = list.map(() => 0);
  const bounds = { least: costs.map(() => 0), most: [...most] };
  return leastSquares(zeros, (values) => list.map((datum) => logRatio(datum, values)), [start], bounds).solution;
}

const errorOn = (list: readonly Datum[], values: readonly number[]): string => {
  const sizes = list.map((datum) => Math.abs(Math.exp(logRatio(datum, values)) - 1));
  return `${(100 * (quantile(sizes, 0.5) ?? 0)).toFixed(1)} / ${(100 * (quantile(sizes, 0.9) ?? 0)).toFixed(0)} %`;
};

const shown = (values: readonly number[]): string =>
  costs.map((cost, index) => `${cost} ${(values[index] ?? 0).toFixed(1)} us`).join(', ');

console.log(`${data.length} rows of ${engineName} ${release.version}`);
console.log(`as shipped: ${shown(start)}; median / p90 error ${errorOn(data, start)}`);
if (data.length > costs.length) {
  const all = fit(data);
  console.log(`fitted to all: ${shown(all)}; ${errorOn(data, all)}`);
  for (const factor of ['sourceId', 'hardware', 'model'] as const) {
    for (const value of new Set(data.map(({ row }) => row[factor]))) {
      const rest = data.filter(({ row }) => row[factor] !== value);
      if (rest.length <= costs.length) continue;
      const out = data.filter(({ row }) => row[factor] === value);
      const values = fit(rest);
      console.log(
        `without ${factor} ${value}: ${shown(values)}; on it ${errorOn(out, values)}, as shipped ${errorOn(out, start)}`,
      );
    }
  }
}
