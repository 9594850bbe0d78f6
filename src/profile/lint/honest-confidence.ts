import type { HardwareRule } from './finding.ts';
import { confidentUncited } from './messages.ts';

/** Confidence is that of the figures which decide: bandwidth and the 16-bit peak. */
export const honestConfidence: HardwareRule = {
  name: 'honest-confidence',
  find: ({ hardware }) => {
    if (hardware.confidence !== 'high') return [];
    const peaks = (['fp16', 'bf16'] as const).filter((format) => hardware.matrix[format] !== undefined);
    const paths = peaks.map((format) => `matrix.${format}`);
    const uncited = (path: string): boolean => hardware.uncited.includes(path);
    const allPeaks = paths.length > 0 && paths.every(uncited) ? paths : [];
    const fields = [...(uncited('memory.bandwidth') ? ['memory.bandwidth'] : []), ...allPeaks];
    return fields.length === 0 ? [] : [{ severity: 'warning', path: 'confidence', message: confidentUncited(fields) }];
  },
};
