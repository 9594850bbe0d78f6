import type { HardwareRule } from './finding.ts';
import { physicalCapacity, reportedAbove, reportedFarBelow } from './messages.ts';

/** Stacks of Blackwell parts, GiB, and what their drivers expose of them (aiconfigurator system files, 095f58a). */
const stacks: readonly { readonly gibibytes: number; readonly exposed: string }[] = [
  { gibibytes: 192, exposed: '180 (B200) or 185 GiB (GB200)' },
  { gibibytes: 288, exposed: '268 (B300) or 277 GiB (GB300)' },
];

/** Marketing counts whole HBM stacks; the driver exposes less. */
export const exposedCapacity: HardwareRule = {
  name: 'exposed-capacity',
  find: ({ hardware }) => {
    const { capacity, reported } = hardware.memory;
    const path = 'memory.reported';
    if (reported !== undefined && reported > 1.001 * capacity) {
      return [{ severity: 'error', path, message: reportedAbove(reported, capacity) }];
    }
    if (reported !== undefined && reported < 0.85 * capacity) {
      return [{ severity: 'warning', path, message: reportedFarBelow(reported, capacity) }];
    }
    const stack = stacks.find(({ gibibytes }) => Math.abs(capacity / 2 ** 30 - gibibytes) < 0.5);
    if (hardware.architecture !== 'blackwell' || reported !== undefined || stack === undefined) return [];
    const message = physicalCapacity(stack.gibibytes, stack.exposed);
    return [{ severity: 'warning', path: 'memory.capacity', message }];
  },
};
