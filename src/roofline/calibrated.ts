import type { Calibration } from '../profile/calibration.ts';
import type { EngineOverhead } from '../profile/engine.ts';
import type { TimedOperator } from './operator-seconds.ts';

/** An operator's seconds under a user's own factors: time over a faster rate, latency times a slower one. */
export function calibratedSeconds(timed: TimedOperator, { factors }: Calibration): TimedOperator {
  const { compute = 1, memory = 1, linkLatency = 1 } = factors;
  return {
    ...timed,
    slots: timed.slots.map((slot) => ({
      ...slot,
      // In a collective the first kind of seconds is latency.
      compute: timed.isCollective ? slot.compute * linkLatency : slot.compute / compute,
      weight: slot.weight / memory,
      keyValue: slot.keyValue / memory,
      activation: slot.activation / memory,
      beside: slot.beside / memory,
    })),
    rates: timed.isCollective
      ? { ...timed.rates, latency: timed.rates.latency * linkLatency }
      : {
          ...timed.rates,
          computeShare: timed.rates.computeShare * compute,
          memoryShare: timed.rates.memoryShare * memory,
        },
  };
}

/** The engine's overheads with those that a user's rows identified in their place. */
export const calibratedOverhead = (overhead: EngineOverhead, calibration: Calibration | undefined): EngineOverhead =>
  calibration === undefined ? overhead : { ...overhead, ...calibration.overhead };
