import type { HardwareRule } from './finding.ts';
import { isDeviceMemory } from './memory-kinds.ts';
import { decimalCapacity } from './messages.ts';

/** '80 GB' of HBM is 80 GiB: taken as decimal it loses 7 %, several GiB of KV cache. */
export const decimalCapacityRule: HardwareRule = {
  name: 'decimal-capacity',
  find: ({ file, hardware }) => {
    const { capacity, reported, kind } = hardware.memory;
    const written = file.memory.capacity;
    // More than a terabyte is the figure of a whole system: another rule.
    if (reported !== undefined || !isDeviceMemory(kind) || capacity > 1.1e12 || !/\d\s*[GT]B$/.test(written.trim()))
      return [];
    const message = decimalCapacity(written, capacity / 2 ** 30);
    return [{ severity: 'warning', path: 'memory.capacity', message }];
  },
};
