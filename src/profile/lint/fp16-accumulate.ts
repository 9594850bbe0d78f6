import { computedSixteenBit, isGeForce } from './device-rates.ts';
import type { Finding, HardwareRule } from './finding.ts';
import { fp16AccumulateAsWide, unevenAccumulate } from './messages.ts';

/** GeForce data sheets lead with FP16 accumulation; kernels of language models sum in FP32, at half that rate. */
export const fp16Accumulate: HardwareRule = {
  name: 'fp16-accumulate',
  find: ({ hardware }) => {
    if (!isGeForce(hardware)) return [];
    const found: Omit<Finding, 'rule'>[] = [];
    const computed = computedSixteenBit(hardware);
    for (const format of ['fp16', 'bf16'] as const) {
      const peak = hardware.matrix[format];
      if (peak !== undefined && computed !== undefined && peak > 1.6 * computed) {
        found.push({
          severity: 'error',
          path: `matrix.${format}`,
          message: fp16AccumulateAsWide(format, peak, computed),
        });
      }
    }
    const { fp8, fp16 } = hardware.matrix;
    if (fp8 !== undefined && fp16 !== undefined && fp8 > 3 * fp16) {
      const message = fp16AccumulateAsWide('fp8', fp8, 2 * fp16);
      found.push({ severity: 'error', path: 'matrix.fp8', message });
    }
    if (found.length > 0) return found;
    for (const format of ['fp16', 'fp8'] as const) {
      const narrow = hardware.matrixFp16Accumulate[format];
      const wide = hardware.matrix[format];
      if (narrow !== undefined && wide !== undefined && Math.abs(narrow / wide / 2 - 1) > 0.02) {
        const path = `matrixFp16Accumulate.${format}`;
        found.push({ severity: 'error', path, message: unevenAccumulate(format, narrow, wide) });
      }
    }
    return found;
  },
};
