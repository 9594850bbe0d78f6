import { quantile } from '../exchange/benchmark/distribution.ts';
import { calibrationModel } from './calibration-model.ts';
import type { CalibrationRow } from './calibration-row.ts';
import { dentsOf } from './doctor/several.ts';
import { MeasurementError, severalSystems } from './messages.ts';

/** Measured over predicted, against the median of its clock: beyond, no constant of the machine is the cause. */
const farthest = Math.log(3);

/** Rows that are far from all others, by reason; none where they are more than a fifth, which then is the machine. */
export function farRows(rows: readonly CalibrationRow[]): ReadonlyMap<CalibrationRow, string> {
  const predicted = calibrationModel(rows).logarithms({});
  const ratios = rows.map((row, index) => ({ row, ratio: Math.log(row.measured) - (predicted[index] ?? 0) }));
  const far = ratios.flatMap(({ row, ratio }) => {
    const usual = median(ratios.filter((each) => each.row.clock === row.clock).map((each) => each.ratio));
    return Math.abs(ratio - usual) > farthest
      ? [
          [
            row,
            `it is ${Math.exp(Math.abs(ratio - usual)).toFixed(1)} times off what other rows have: a queue, a length or a failure, not a constant`,
          ] as const,
        ]
      : [];
  });
  return new Map(far.length <= rows.length / 5 ? far : []);
}

/** TTFT of single requests that a longer and a shorter prompt contradict. */
export function dentedRows(rows: readonly CalibrationRow[]): ReadonlyMap<CalibrationRow, string> {
  const points = rows.flatMap((row) => {
    const { workload } = row.scenario;
    const alone = workload.load.kind !== 'rate' && workload.load.size === 1;
    return row.clock === 'ttft' && alone
      ? [{ prompt: workload.prompt - workload.cached, ttft: row.measured, where: row.where, row }]
      : [];
  });
  return new Map(
    dentsOf(points).map(({ point, shorter, longer }) => [
      point.row,
      `per token it is cheaper than ${shorter.prompt} and ${longer.prompt} tokens by more than a quarter: part of the prompt was probably cached`,
    ]),
  );
}

/** @throws MeasurementError where rows of several devices or engines are mixed. */
export function refuseMixture(rows: readonly CalibrationRow[]): void {
  const hardware = [...new Set(rows.map(({ scenario }) => scenario.deployment.hardware.title))];
  const engines = [...new Set(rows.map(({ scenario }) => scenario.deployment.engine.title))];
  if (hardware.length > 1) throw new MeasurementError(severalSystems('devices', hardware));
  if (engines.length > 1) throw new MeasurementError(severalSystems('engines', engines));
}

const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);
