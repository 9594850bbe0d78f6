import type { Deployment } from '../profile/scenario.ts';
import type { DeviceMemory } from './memory.ts';
import type { TimedOperator } from './operator-seconds.ts';

/** Share of the host link's rate that copies from pinned memory reach: about 26 of 31.5 GB/s (CUDA samples, bandwidthTest, PCIe 4 x16). */
export const hostCopyShare = 0.82;

type Offload = NonNullable<Deployment['offload']>;

/**
 * An operator some of whose weights or KV lie in host memory: these bytes cross the host link in every step instead of
 * the device's memory bus.
 * @param hostRate bytes/s that the host link reaches.
 */
export function offloaded(operator: TimedOperator, offload: Offload, hostRate: number): TimedOperator {
  const { weights = 0, keyValue = 0 } = offload;
  if (operator.isCollective) return operator;
  const { bandwidth, memoryShare } = operator.rates;
  const slower = (bandwidth * memoryShare) / hostRate;
  return {
    ...operator,
    slots: operator.slots.map((slot) => ({
      ...slot,
      weight: slot.weight * (1 - weights),
      keyValue: slot.keyValue * (1 - keyValue),
      link: slot.link + (slot.weight * weights + slot.keyValue * keyValue) * slower,
    })),
  };
}

/** Memory of a device that keeps only what is not offloaded. */
export function withoutOffloaded(memory: DeviceMemory, { weights = 0, keyValue = 0 }: Offload): DeviceMemory {
  const kept = 1 - keyValue;
  const freed = memory.weights * weights;
  const { full, windowed, fixed } = memory.keyValue;
  return {
    ...memory,
    weights: memory.weights - freed,
    keyValueCapacity: memory.keyValueCapacity + freed,
    keyValue: {
      full: full * kept,
      windowed: windowed.map(({ window, perToken }) => ({ window, perToken: perToken * kept })),
      fixed: fixed * kept,
    },
  };
}
