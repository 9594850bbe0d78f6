import { matrixFormats } from '../../quantity/matrix-format.ts';
import { lacksBf16, largestRatio } from './device-rates.ts';
import type { HardwareRule } from './finding.ts';
import { absentFormat } from './messages.ts';

/** A peak for a number format that the matrix units of the family lack: FP8 on A100, INT4 on H100 and Blackwell. */
export const absentFormatRule: HardwareRule = {
  name: 'absent-format',
  find: ({ hardware }) =>
    matrixFormats.flatMap((format) => {
      const peak = hardware.matrix[format];
      if (peak === undefined || format === 'fp16' || format === 'fp32') return [];
      const absent = format === 'bf16' ? lacksBf16(hardware) : largestRatio(hardware, format) === 0;
      const message = absentFormat(format, peak, hardware.architecture);
      return absent ? [{ severity: 'error', path: `matrix.${format}`, message }] : [];
    }),
};
