import { capacityAsBandwidthRule } from './capacity-as-bandwidth.ts';
import type { HardwareRule } from './finding.ts';
import { bandwidthRange } from './memory-kinds.ts';
import { bandwidthOfKind } from './messages.ts';

/** A bandwidth that no device with such memory has had: GB/s for TB/s, one stack for all, Gbit/s for GB/s. */
export const bandwidthOfKindRule: HardwareRule = {
  name: 'bandwidth-of-kind',
  find: (subject) => {
    const { bandwidth, kind } = subject.hardware.memory;
    const range = bandwidthRange(kind);
    if (range === undefined || (bandwidth >= range.least && bandwidth <= range.most)) return [];
    // That rule says what the number is.
    if (capacityAsBandwidthRule.find(subject).length > 0) return [];
    const message = bandwidthOfKind(bandwidth, kind, range.least, range.most);
    return [{ severity: 'error', path: 'memory.bandwidth', message }];
  },
};
