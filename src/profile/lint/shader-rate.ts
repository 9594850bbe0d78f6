import { computedSixteenBit } from './device-rates.ts';
import type { HardwareRule } from './finding.ts';
import { shaderRate } from './messages.ts';

/**
 * GPU databases print the rate of the shaders as FP16: once, twice or four times FP32, and a quarter of what the
 * matrix units do. It turns the order of devices around (a T4 before a V100).
 */
export const shaderRateRule: HardwareRule = {
  name: 'shader-rate',
  find: ({ hardware }) => {
    const computed = computedSixteenBit(hardware);
    const { vectorFp32 } = hardware;
    if (computed === undefined || vectorFp32 === undefined) return [];
    return (['fp16', 'bf16'] as const).flatMap((format) => {
      const peak = hardware.matrix[format];
      if (peak === undefined) return [];
      const ofShaders = [1, 2, 4].find((multiple) => Math.abs(peak / (multiple * vectorFp32) - 1) <= 0.02);
      // A10G and L40 are cut to half of the formula and still no shader rate: twice FP32 has to be well below half.
      const limit = ofShaders === 1 ? 0.6 : 0.45;
      return ofShaders !== undefined && peak < limit * computed
        ? [{ severity: 'error', path: `matrix.${format}`, message: shaderRate(format, peak, computed) }]
        : [];
    });
  },
};
