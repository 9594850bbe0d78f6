import type { HardwareRule } from './finding.ts';
import { uncutInt8 } from './messages.ts';

/** Blackwell Ultra (B300, GB300) gave INT8 up for FP4; tables that copy B200 are 29 times too fast for INT8 models. */
export const uncutInt8Rule: HardwareRule = {
  name: 'uncut-int8',
  find: ({ hardware }) => {
    const { fp8, fp4, int8 } = hardware.matrix;
    if (hardware.architecture !== 'blackwell' || fp8 === undefined || fp4 === undefined || int8 === undefined)
      return [];
    // Four times would be the sparse FP4 of a B200.
    return fp4 / fp8 > 2.5 && fp4 / fp8 < 3.5 && int8 / fp8 > 0.1
      ? [{ severity: 'error', path: 'matrix.int8', message: uncutInt8(int8, fp8) }]
      : [];
  },
};
