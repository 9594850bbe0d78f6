import { type Estimate, estimateWith, prepare, type Prepared } from '../estimate.ts';
import type { Deployment } from '../profile/scenario.ts';
import { calibratedOverhead, calibratedTable } from '../roofline/calibrated.ts';
import { compile } from '../serving/compiled.ts';
import { deployedWith, type ParameterValues } from './calibration-parameter.ts';
import type { CalibrationRow } from './calibration-row.ts';

/** Predicts rows under any values of the parameters; compiles every distinct deployment once per set of values. */
export interface CalibrationModel {
  readonly rows: readonly CalibrationRow[];
  /** ln of the predicted time of every row. */
  readonly logarithms: (values: ParameterValues) => readonly number[];
  /** The largest factors that keep every share of peak at 1 or below. */
  readonly limits: () => { readonly compute: number; readonly memory: number };
  /** Floors, for rows that must not be fitted. */
  readonly floor: (row: CalibrationRow) => Estimate;
}

export function calibrationModel(rows: readonly CalibrationRow[]): CalibrationModel {
  const keys = rows.map(({ scenario }) => keyOf(scenario.deployment));
  const prepared = new Map<string, Prepared>();
  const base = (index: number): Prepared => {
    const key = keys[index] ?? '';
    const found = prepared.get(key) ?? prepare(scenarioOf(rows, index).deployment, 'typical');
    prepared.set(key, found);
    return found;
  };
  return {
    rows,
    logarithms(values) {
      const compiled = new Map<string, Prepared>();
      return rows.map((row, index) => {
        const key = keys[index] ?? '';
        const deployment = deployedWith(row.scenario.deployment, values);
        const known = compiled.get(key) ?? recalibrated(base(index), deployment);
        compiled.set(key, known);
        return Math.log(row.predict(estimateWith(known, row.scenario.workload), { ...row.scenario, deployment }));
      });
    },
    limits() {
      const rates = rows.flatMap((_, index) => {
        const { table } = base(index).compiled;
        // What streams weights and KV; small operators may stay in a cache, which beats memory.
        return table.rates.filter((_rate, position) => streaming.has(table.operators[position]?.kind ?? ''));
      });
      const most = (of: (each: (typeof rates)[number]) => number): number =>
        1 / rates.reduce((largest, each) => Math.max(largest, of(each)), 1e-3);
      return { compute: most(({ computeShare }) => computeShare), memory: most(({ memoryShare }) => memoryShare) };
    },
    floor(row) {
      const { floor, ...rest } = base(rows.indexOf(row));
      return estimateWith({ ...rest, compiled: floor, floor }, row.scenario.workload);
    },
  };
}

const streaming: ReadonlySet<string> = new Set(['gemm', 'experts', 'decode-attention', 'latent-decode']);

/** The same deployment under other constants: its counts stay, so its table is scaled, not compiled again. */
function recalibrated(base: Prepared, deployment: Deployment): Prepared {
  const { calibration, release, model, speculation } = deployment;
  if (calibration === undefined) return base;
  if (speculation !== undefined) return { ...base, compiled: compile(deployment, 'calibrated') };
  const layers = model.layers.reduce((sum, layer) => sum + layer.count, 0);
  return {
    ...base,
    compiled: {
      ...base.compiled,
      deployment,
      grade: 'calibrated',
      table: calibratedTable(base.compiled.table, calibration, release.overhead, layers),
      requestSeconds: calibratedOverhead(release.overhead, calibration).request,
    },
  };
}

function scenarioOf(rows: readonly CalibrationRow[], index: number): CalibrationRow['scenario'] {
  const row = rows[index];
  if (row === undefined) throw new RangeError('no such row');
  return row.scenario;
}

/** Rows whose deployments are alike share their compilation. */
const keyOf = ({ model, hardware, engine, release, precision, parallelism, speculation }: Deployment): string =>
  JSON.stringify([model.name, hardware.name, engine.name, release, precision, parallelism, speculation]);
