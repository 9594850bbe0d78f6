import { matrixFormats, type MatrixFormat } from '../../quantity/matrix-format.ts';
import type { Hardware } from '../hardware.ts';
import { computedSixteenBit, hasSparsity, isDoubled, isGeForce, largestRatio, sixteenBitPeak } from './device-rates.ts';
import type { Finding, HardwareRule } from './finding.ts';
import { sparseBase, sparseByFormula, sparseByKnown, sparseBySibling, unequalSixteenBit } from './messages.ts';
import { shaderRateRule } from './shader-rate.ts';

/**
 * Data sheets print the rate with 2:1 structured sparsity first; no serving engine reaches it. Found by the formula
 * units x rate x clock, by the ratio to the 16-bit peak, or by a device of the same name that is known.
 */
export const sparsePeak: HardwareRule = {
  name: 'sparse-peak',
  find: (subject) => {
    const { hardware, known } = subject;
    const base = byFormula(hardware);
    if (base.length > 0) return base;
    // Next to a shader rate everything looks doubled.
    if (shaderRateRule.find(subject).length > 0) return [];
    const siblings = [...bySibling(hardware), ...byEqualFormats(hardware)];
    return siblings.length > 0 ? siblings : byKnown(hardware, known);
  },
};

type Found = readonly Omit<Finding, 'rule'>[];

const about = (ratio: number, target: number, tolerance: number): boolean => Math.abs(ratio / target - 1) <= tolerance;

function byFormula(hardware: Hardware): Found {
  const computed = computedSixteenBit(hardware);
  if (computed === undefined || !hasSparsity(hardware)) return [];
  return (['fp16', 'bf16'] as const).flatMap((format) => {
    const peak = hardware.matrix[format];
    // A quarter either way: clocks of data sheets and of cards differ. GeForce has a rule of its own for the factor 2.
    return peak !== undefined && about(peak / computed, 2, 0.25) && !isGeForce(hardware)
      ? [error(`matrix.${format}`, sparseByFormula(format, peak, computed))]
      : [];
  });
}

function bySibling(hardware: Hardware): Found {
  const base = sixteenBitPeak(hardware);
  if (base === undefined) return [];
  const high = matrixFormats.flatMap((format) => {
    const peak = hardware.matrix[format];
    const largest = largestRatio(hardware, format);
    if (peak === undefined || largest === undefined || largest === 0) return [];
    // GeForce doubles FP8 with FP16 accumulation: another rule.
    if (format === 'fp8' && isGeForce(hardware)) return [];
    const ratio = peak / base.peak;
    return ratio > 1.2 * largest
      ? [error(`matrix.${format}`, sparseBySibling(format, peak, base.format, ratio, largest, hasSparsity(hardware)))]
      : [];
  });
  // GeForce has a rule of its own for a doubled 16-bit rate.
  const narrow = isGeForce(hardware)
    ? undefined
    : (['fp8', 'int8'] as const).find(
        (format) => isDoubled(hardware, format) && about((hardware.matrix[format] ?? 0) / base.peak, 1, 0.1),
      );
  return narrow === undefined
    ? high
    : [...high, error(`matrix.${base.format}`, sparseBase(base.format, base.peak, narrow))];
}

/** Families with sparsity run both at one rate; MI100 and Gaudi 3, which do not, have none. */
function byEqualFormats(hardware: Hardware): Found {
  const { fp16, bf16 } = hardware.matrix;
  if (fp16 === undefined || bf16 === undefined || isGeForce(hardware) || !hasSparsity(hardware)) return [];
  const ratio = fp16 > bf16 ? fp16 / bf16 : bf16 / fp16;
  if (!about(ratio, 2, 0.05)) return [];
  return [error(fp16 > bf16 ? 'matrix.fp16' : 'matrix.bf16', unequalSixteenBit(fp16, bf16))];
}

function byKnown(hardware: Hardware, known: readonly Hardware[]): Found {
  if (!hasSparsity(hardware) || isGeForce(hardware)) return [];
  const like = known.filter((device) => device.name !== hardware.name && isNamedAfter(hardware, device));
  return matrixFormats.flatMap((format: MatrixFormat) => {
    const peak = hardware.matrix[format];
    const twin = like.find((device) => about((peak ?? 0) / (device.matrix[format] ?? Infinity), 2, 0.02));
    const dense = twin?.matrix[format];
    return peak === undefined || twin === undefined || dense === undefined
      ? []
      : [error(`matrix.${format}`, sparseByKnown(format, peak, twin.name, dense))];
  });
}

/** `my-h100` and `h100-at-home` are named after h100; `l40s` is not named after l40. */
function isNamedAfter(hardware: Hardware, device: Hardware): boolean {
  if (hardware.architecture !== device.architecture) return false;
  const words = `-${hardware.name}-`;
  return [device.name, ...device.aliases].some((name) => words.includes(`-${name}-`));
}

function error(path: string, message: string): Omit<Finding, 'rule'> {
  return { severity: 'error', path, message };
}
