import type { Finding, HardwareRule } from './finding.ts';
import { bandwidthRange, isDeviceMemory } from './memory-kinds.ts';
import { capacityAsBandwidth } from './messages.ts';

/** Devices of a tray, a server, a rack. */
const groups = [2, 4, 8, 16, 32, 36, 64, 72, 144];

/** The capacity of the device, or of a whole rack, in the place of the bandwidth: 13.4 TB of a GB200 rack as 13.4 TB/s. */
export const capacityAsBandwidthRule: HardwareRule = {
  name: 'capacity-as-bandwidth',
  find: ({ file, hardware }) => {
    const { bandwidth, capacity, kind } = hardware.memory;
    const range = bandwidthRange(kind);
    if (range === undefined || !isDeviceMemory(kind)) return [];
    // Capacities are spoken of in GB whichever GB is meant, so both readings of the number count.
    const same = (devices: number): boolean =>
      [capacity / 2 ** 30, capacity / 1e9].some((number) => Math.abs(bandwidth / 1e9 / (devices * number) - 1) < 0.01);
    const found = (devices: number): Omit<Finding, 'rule'> => ({
      severity: 'error',
      path: 'memory.bandwidth',
      message: capacityAsBandwidth(bandwidth, file.memory.capacity, devices),
    });
    if (bandwidth < range.least && same(1)) return [found(1)];
    const devices = [...new Set([...groups, hardware.link.domain])].find(same);
    return bandwidth > range.most && devices !== undefined ? [found(devices)] : [];
  },
};
