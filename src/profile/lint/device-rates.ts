import type { MatrixFormat } from '../../quantity/matrix-format.ts';
import type { Hardware } from '../hardware.ts';

/*
 * What the hardware of a family can do, from the architecture documents of the vendors (NVIDIA whitepapers of V100,
 * TU102, A100, GA102, H100, AD102, RTX Blackwell; AMD CDNA and RDNA instruction set guides; Intel XMX and AMX guides;
 * Habana MME), each checked against the published dense peaks of this repository's profiles (2026-12-01).
 */

/** Dense 16-bit FLOP of one unit in one clock; absent where the unit has no fixed rate. */
const sixteenBitRates: Readonly<Record<string, { readonly unit: string; readonly rate: number }>> = {
  volta: { unit: 'SM', rate: 1024 },
  turing: { unit: 'SM', rate: 1024 },
  ampere: { unit: 'SM', rate: 2048 },
  'ampere-graphics': { unit: 'SM', rate: 1024 },
  hopper: { unit: 'SM', rate: 4096 },
  ada: { unit: 'SM', rate: 1024 },
  blackwell: { unit: 'SM', rate: 8192 },
  'blackwell-graphics': { unit: 'SM', rate: 1024 },
  cdna1: { unit: 'CU', rate: 1024 },
  cdna2: { unit: 'CU', rate: 1024 },
  cdna3: { unit: 'CU', rate: 2048 },
  cdna4: { unit: 'CU', rate: 4096 },
  rdna1: { unit: 'CU', rate: 256 },
  rdna3: { unit: 'CU', rate: 512 },
  'rdna3.5': { unit: 'CU', rate: 512 },
  rdna4: { unit: 'CU', rate: 1024 },
  gaudi2: { unit: 'MME', rate: 131_072 },
  gaudi3: { unit: 'MME', rate: 131_072 },
  apple: { unit: 'GPU core', rate: 256 },
  'apple-tensor': { unit: 'GPU core', rate: 1024 },
  'cpu-amx': { unit: 'core', rate: 1024 },
  tenstorrent: { unit: 'Tensix', rate: 1024 },
};

/** Jetson modules carry the data-centre tensor cores of their generation. */
const moduleRates: Readonly<Record<string, number>> = { 'ampere-graphics': 2048, 'blackwell-graphics': 8192 };

/** GeForce and kin: FP16 with FP32 sums runs at half the rate of FP16 with FP16 sums. */
export function isGeForce(hardware: Hardware): boolean {
  const halved = hardware.matrixFp16Accumulate.fp16 !== undefined;
  return halved || /\bgeforce\b/i.test(hardware.title) || /^rtx-[2-5]0[5-9]0(-|$)/.test(hardware.name);
}

/** Dense 16-bit FLOP/s with FP32 accumulation that units x rate x clock give, where all three are known. */
export function computedSixteenBit(hardware: Hardware): number | undefined {
  const { count, kind, boostClock } = hardware.units;
  const known = sixteenBitRates[hardware.architecture];
  if (known === undefined || count === undefined || boostClock === undefined || kind !== known.unit) return undefined;
  const ofModule = hardware.formFactor === 'module' ? moduleRates[hardware.architecture] : undefined;
  const rate = ofModule ?? (isGeForce(hardware) ? known.rate / 2 : known.rate);
  return count * rate * boostClock;
}

/** The larger of the 16-bit peaks: what ratios between formats refer to. */
export function sixteenBitPeak(
  hardware: Hardware,
): { readonly format: MatrixFormat; readonly peak: number } | undefined {
  const { fp16 = 0, bf16 = 0 } = hardware.matrix;
  if (fp16 === 0 && bf16 === 0) return undefined;
  return bf16 >= fp16 ? { format: 'bf16', peak: bf16 } : { format: 'fp16', peak: fp16 };
}

type Ratios = Readonly<Partial<Record<MatrixFormat, number>>>;

/** Largest dense rate of each format as a multiple of the 16-bit one; formats that are absent do not exist there. */
const formatRatios: Readonly<Record<string, Ratios>> = {
  pascal: { int8: 4 },
  volta: {},
  turing: { int8: 2, int4: 4 },
  ampere: { tf32: 0.5, int8: 2, int4: 4 },
  'ampere-graphics': { tf32: 0.5, int8: 2, int4: 4 },
  hopper: { tf32: 0.5, fp8: 2, int8: 2 },
  ada: { tf32: 0.5, fp8: 2, int8: 2, int4: 4 },
  // Blackwell Ultra gives FP4 six times the 16-bit rate, and hardly any INT8.
  blackwell: { tf32: 0.5, fp8: 2, int8: 2, fp6: 2, fp4: 6.25 },
  'blackwell-graphics': { tf32: 0.5, fp8: 2, int8: 2, fp6: 2, fp4: 4 },
  cdna1: { fp32: 0.25, int8: 1, int4: 1 },
  cdna2: { fp32: 0.25, int8: 1, int4: 1 },
  cdna3: { fp32: 0.125, tf32: 0.5, fp8: 2, int8: 2 },
  cdna4: { fp32: 0.0625, fp8: 2, int8: 2, fp6: 4, fp4: 4 },
  rdna3: { int8: 1, int4: 2 },
  'rdna3.5': { int8: 1, int4: 2 },
  rdna4: { fp8: 2, int8: 2, int4: 4 },
  gaudi2: { fp32: 0.25, tf32: 0.25, fp8: 2 },
  gaudi3: { fp32: 0.25, tf32: 0.5, fp8: 1 },
  xe: { tf32: 0.5, int8: 2, int4: 4 },
};

const withSparsity: ReadonlySet<string> = new Set([
  'ampere',
  'ampere-graphics',
  'hopper',
  'ada',
  'blackwell',
  'blackwell-graphics',
  'cdna3',
  'cdna4',
  'rdna4',
  'neuron',
]);

/** Families where a format has exactly twice the 16-bit rate, so that no more than it is as suspicious as four times. */
const doubled: Readonly<Partial<Record<MatrixFormat, readonly string[]>>> = {
  fp8: ['hopper', 'ada', 'blackwell', 'blackwell-graphics', 'cdna3', 'cdna4', 'rdna4'],
  int8: ['ampere', 'ampere-graphics', 'hopper', 'ada', 'cdna3', 'cdna4', 'rdna4'],
};

/** Largest multiple of the 16-bit rate that a format can have; 0 where the hardware lacks it, undefined where unknown. */
export function largestRatio(hardware: Hardware, format: MatrixFormat): number | undefined {
  const ratios = formatRatios[hardware.architecture];
  if (ratios === undefined) return undefined;
  const ratio = ratios[format] ?? 0;
  // Integers and FP4 keep their full rate on GeForce, where the 16-bit rate with FP32 sums is halved.
  return isGeForce(hardware) && (format.startsWith('int') || format === 'fp4') ? 2 * ratio : ratio;
}

/** Families whose matrix units have a mode with 2:1 structured sparsity, so that vendors print a doubled figure. */
export function hasSparsity(hardware: Hardware): boolean {
  return withSparsity.has(hardware.architecture);
}

/** True where the format has exactly twice the 16-bit rate. */
export function isDoubled(hardware: Hardware, format: MatrixFormat): boolean {
  return doubled[format]?.includes(hardware.architecture) ?? false;
}

/** Families that have no BF16 matrix arithmetic. */
export function lacksBf16(hardware: Hardware): boolean {
  return ['pascal', 'volta', 'turing', 'rdna1'].includes(hardware.architecture);
}
