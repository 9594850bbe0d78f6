import { computedSixteenBit, isGeForce } from './device-rates.ts';
import type { HardwareRule } from './finding.ts';
import { peakAboveFormula } from './messages.ts';

/** A peak that the enabled units cannot reach at the given clock: the full die in place of the product, for one. */
export const peakAboveFormulaRule: HardwareRule = {
  name: 'peak-above-formula',
  find: ({ hardware }) => {
    const computed = computedSixteenBit(hardware);
    if (computed === undefined || isGeForce(hardware)) return [];
    return (['fp16', 'bf16'] as const).flatMap((format) => {
      const peak = hardware.matrix[format];
      // Below 1.05 it is rounding; from 1.5 on it is sparsity or a whole system.
      if (peak === undefined || peak < 1.05 * computed || peak >= 1.5 * computed) return [];
      return [{ severity: 'warning', path: `matrix.${format}`, message: peakAboveFormula(format, peak, computed) }];
    });
  },
};
