import type { Efficiency, GemmClass, GemmEfficiency } from '../../src/roofline/efficiency.ts';

/** Peaks of the measured devices, dense FLOP/s and bytes/s, as their data sheets and the profiles have them. */
export interface MeasuredDevice {
  readonly bf16: number;
  readonly fp8: number;
  readonly fp4: number;
  readonly memory: number;
  readonly link: number;
}

const device = (bf16: number, fp8: number, fp4: number, memory: number, link: number): MeasuredDevice => ({
  bf16: bf16 * 1e12,
  fp8: fp8 * 1e12,
  fp4: fp4 * 1e12,
  memory: memory * 1e12,
  link: link * 1e9,
});

export const measuredDevices: Readonly<Record<string, MeasuredDevice>> = {
  a100: device(312, 624, 312, 2.039, 300),
  h100: device(989.4, 1978.9, 989.4, 3.35, 450),
  h200: device(989.4, 1978.9, 989.4, 4.8, 450),
  b200: device(2250, 4500, 9000, 7.7, 900),
  b300: device(2250, 4500, 14000, 8, 900),
  gb200: device(2500, 5000, 10000, 8, 900),
  gb300: device(2500, 5000, 15000, 8, 900),
  l40s: device(362.05, 733, 362.05, 0.864, 31.5),
  rtxpro6000: device(467.8, 935.6, 1871, 1.597, 63),
  b60: device(98.3, 98.3, 98.3, 0.456, 31.5),
};

const smooth = (a: number, b: number, q: number): number => (a ** q + b ** q) ** (1 / q);

const peakOf = (on: MeasuredDevice, name: GemmClass): number => {
  if (name === 'fp8' || name === 'fp8-block' || name === 'int8') return on.fp8;
  return name === 'fp4' ? on.fp4 : on.bf16;
};

/** Bytes of a stored weight, scales included: NVFP4 one byte for 16, INT4 two bytes for 128. */
const weightBytes: Readonly<Record<GemmClass, number>> = {
  fp32: 4,
  bf16: 2,
  fp8: 1,
  'fp8-block': 1 + 4 / 16384,
  int8: 1,
  fp4: 0.5 + 1 / 16,
  'weight-only': 0.5 + 2 / 128,
  'weight-only-8': 1,
};

/** ((2 M N K / P e)^q + ((weights + 2 M K + 2 M N) / W e)^q)^(1/q) + passes 2 M K / W + floor. */
export function gemmTime(
  [m, n, k]: readonly [number, number, number],
  name: GemmClass,
  block: GemmEfficiency,
  on: MeasuredDevice,
): number {
  const compute = (2 * m * n * k) / (peakOf(on, name) * block.compute);
  const memory = (weightBytes[name] * n * k + 2 * m * k + 2 * m * n) / (on.memory * block.memory);
  return smooth(compute, memory, block.sharpness) + (block.quantisationPasses * 2 * m * k) / on.memory + block.floor;
}

/** F = 4 b h d pairs, F (1 + half / S); bytes of q, k, v, o and of the cache written. */
export function prefillTime(
  [batch, tokens, heads, kvHeads]: readonly [number, number, number, number],
  { prefillAttention: block }: Efficiency,
  on: MeasuredDevice,
): number {
  const flops = 4 * batch * heads * 128 * ((tokens * (tokens + 1)) / 2) * (1 + block.halfLength / tokens);
  const bytes = batch * tokens * 128 * 2 * (2 * heads + 4 * kvHeads);
  return smooth(flops / (on.bf16 * block.compute), bytes / (on.memory * block.memory), block.sharpness) + block.floor;
}

/** Query heads of one KV head padded to 16; everything linear in (context + offset). */
export function decodeTime(
  [batch, context, heads, kvHeads]: readonly [number, number, number, number],
  { decodeAttention: block }: Efficiency,
  on: MeasuredDevice,
  cacheBytes: number,
): number {
  const flops = 4 * batch * context * 128 * kvHeads * Math.ceil(heads / kvHeads / 16) * 16;
  const bytes = 2 * batch * context * kvHeads * 128 * cacheBytes;
  const core = smooth(flops / (on.bf16 * block.compute), bytes / (on.memory * block.memory), block.sharpness);
  return core * (1 + block.contextOffset / context) + block.floor;
}

/** DeepSeek geometry: 192 / 128 per head and pair. */
export function latentPrefillTime(
  [batch, tokens, heads]: readonly [number, number, number],
  { latentPrefill: block }: Efficiency,
  on: MeasuredDevice,
): number {
  const flops = 2 * batch * heads * (192 + 128) * ((tokens * (tokens + 1)) / 2) * (1 + block.halfLength / tokens);
  const bytes = batch * tokens * (heads * (192 + 128) * 4 + 576 * 2);
  return smooth(flops / (on.bf16 * block.compute), bytes / (on.memory * block.memory), block.sharpness) + block.floor;
}

/** Absorbed: every head reads the latent of 576, its first 512 again as values. */
export function latentDecodeTime(
  [batch, context, heads]: readonly [number, number, number],
  { latentDecode: block }: Efficiency,
  on: MeasuredDevice,
): number {
  const flops = 2 * batch * context * (576 + 512) * Math.ceil(heads / 16) * 16;
  const bytes = batch * context * 576 * 2;
  const core = smooth(flops / (on.bf16 * block.compute), bytes / (on.memory * block.memory), block.sharpness);
  return core * (1 + block.contextOffset / context) + block.floor;
}

/** Balanced routing: as many experts touched as there are routed rows, up to all of a rank's. */
export function expertsTime(
  shape: readonly [number, number, number, number, number, number, number],
  name: GemmClass,
  { experts }: Efficiency,
  on: MeasuredDevice,
): number {
  const block = experts[name];
  const [tokens, hidden, width, topK, count, tensorRanks, expertRanks] = shape;
  const inner = width / tensorRanks;
  const rows = (tokens * topK) / expertRanks;
  const touched = Math.min(count / expertRanks, Math.max(1, Math.ceil(rows)));
  const compute = (6 * hidden * inner * rows) / (peakOf(on, name) * block.compute);
  const memory = (touched * 3 * hidden * inner * weightBytes[name]) / (on.memory * block.memory);
  const pass = (2 * (2 * tokens * hidden + rows * (2 * hidden + 3 * inner))) / on.memory;
  return smooth(compute, memory, block.sharpness) + block.activationPasses * pass + block.floor;
}

/** Latency floor x log2(n) against 2 (n - 1) / n of the bytes. */
export function allReduceTime(
  [ranks, bytes]: readonly [number, number],
  { collective }: Efficiency,
  on: MeasuredDevice,
  ownLink: boolean,
): number {
  const floor = ownLink ? collective.floor : collective.hostFloor;
  const share = ownLink ? collective.bandwidth : collective.hostBandwidth;
  return smooth(
    floor * Math.log2(ranks),
    (((2 * (ranks - 1)) / ranks) * bytes) / (share * on.link),
    collective.sharpness,
  );
}
