import type { HardwareRule } from './finding.ts';
import { notUnified } from './messages.ts';

/** Where the CPU shares the memory, not all of it is free for the model. */
export const unifiedMemory: HardwareRule = {
  name: 'unified-memory',
  find: ({ hardware }) => {
    const shares = ['apple', 'apple-tensor', 'cpu', 'cpu-amx', 'npu'].includes(hardware.architecture);
    return shares && !hardware.memory.unified
      ? [{ severity: 'warning', path: 'memory.unified', message: notUnified(hardware.architecture) }]
      : [];
  },
};
