import type { Calibration } from '../profile/calibration.ts';
import type { EngineOverhead } from '../profile/engine.ts';
import type { AssumedRates } from './operator-seconds.ts';
import { secondsPerSlot, slotsPerOperator, type StepTable } from './step-table.ts';

/**
 * A step table under a user's own factors: time over a faster rate, latency times a slower one, overheads in place of
 * the engine's. Links keep their rate: they are no part of the device's memory.
 * @param layers Of the model, each of which pays the overhead of a layer.
 */
export function calibratedTable(
  table: StepTable,
  calibration: Calibration,
  overhead: EngineOverhead,
  layers: number,
): StepTable {
  const { compute = 1, memory = 1, linkLatency = 1 } = calibration.factors;
  const slotSeconds = Float64Array.from(table.slotSeconds);
  const perOperator = slotsPerOperator * secondsPerSlot;
  for (let at = 0; at < slotSeconds.length; at += secondsPerSlot) {
    // In a collective the first kind of seconds is latency.
    const isCollective = table.isCollective[Math.floor(at / perOperator)] === 1;
    slotSeconds[at] = (slotSeconds[at] ?? 0) * (isCollective ? linkLatency : 1 / compute);
    for (const traffic of [1, 2, 3, 5]) slotSeconds[at + traffic] = (slotSeconds[at + traffic] ?? 0) / memory;
  }
  const { step, layer, sequence } = calibratedOverhead(overhead, calibration);
  return {
    ...table,
    slotSeconds,
    rates: table.rates.map((rates, index) => calibratedRates(rates, table.isCollective[index] === 1, calibration)),
    perStep: step + layer * layers,
    perSequence: sequence,
  };
}

function calibratedRates(rates: AssumedRates, isCollective: boolean, { factors }: Calibration): AssumedRates {
  const { compute = 1, memory = 1, linkLatency = 1 } = factors;
  return isCollective
    ? { ...rates, latency: rates.latency * linkLatency }
    : { ...rates, computeShare: rates.computeShare * compute, memoryShare: rates.memoryShare * memory };
}

/** The engine's overheads with those that a user's rows identified in their place. */
export const calibratedOverhead = (overhead: EngineOverhead, calibration: Calibration | undefined): EngineOverhead =>
  calibration === undefined ? overhead : { ...overhead, ...calibration.overhead };
