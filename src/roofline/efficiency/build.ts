import type { Citation } from '../../profile/citation.ts';
import type {
  CollectiveEfficiency,
  DecodeAttentionEfficiency,
  Efficiency,
  ElementWiseEfficiency,
  ExpertsEfficiency,
  GemmClass,
  GemmEfficiency,
  PrefillAttentionEfficiency,
} from '../efficiency.ts';

/** Kernel libraries that have constants of their own. */
export const kernelLibraries = [
  'vllm',
  'trt-llm',
  'trt-llm-masked',
  'trt-llm-xqa8',
  'trt-llm-xqa',
  'llama.cpp',
  'llama.cpp-int8',
  'llama.cpp-fused',
  'eager',
  'mlx',
  'none',
] as const;
export type KernelLibrary = (typeof kernelLibraries)[number];

/** A device family, by every architecture name that means it, and its constants per kernel library. */
export interface FamilyEfficiency {
  readonly architectures: readonly string[];
  /** Used for every library that has no entry in `libraries`. */
  readonly typical: Efficiency;
  readonly libraries: Readonly<Partial<Record<KernelLibrary, Efficiency>>>;
}

/** Per-tensor FP8 products that find each activation tensor's scale on the fly. */
export type DynamicFp8 = Readonly<Record<'vllm' | 'trt-llm', GemmEfficiency>>;

/** Shares of peak and bandwidth, floor in seconds, q, passes over the input to quantise it. */
export const gemm = (
  compute: number,
  memory: number,
  floor: number,
  sharpness: number,
  quantisationPasses = 0,
): GemmEfficiency => Object.freeze({ compute, memory, floor, sharpness, quantisationPasses });

/** Shares, floor in seconds, half length in tokens. The two times add up (q = 1): prologue and epilogue do not overlap. */
export const prefill = (
  compute: number,
  memory: number,
  floor: number,
  halfLength: number,
): PrefillAttentionEfficiency => Object.freeze({ compute, memory, floor, sharpness: 1, halfLength });

/** Shares, floor in seconds, offset in tokens. q = 4: close to the textbook maximum, which the timings follow. */
export const decode = (
  compute: number,
  memory: number,
  floor: number,
  contextOffset: number,
): DecodeAttentionEfficiency => Object.freeze({ compute, memory, floor, sharpness: 4, contextOffset });

/**
 * Shares, floor in seconds, q, passes over the activations. One pass is
 * 2 bytes x (2 T H + (T k / ep)(2 H + 3 I / tp)) at full bandwidth: every token read once and written once, every
 * routed row gathered, multiplied up (gate, up, their product) and scattered. T tokens, H hidden, I width of an
 * expert, k experts a token. The definition is the one under which the published fits reproduce.
 */
export const experts = (
  compute: number,
  memory: number,
  floor: number,
  sharpness: number,
  activationPasses: number,
): ExpertsEfficiency => Object.freeze({ compute, memory, floor, sharpness, activationPasses });

export const elementWise = (memory: number, floor: number): ElementWiseEfficiency => Object.freeze({ memory, floor });

/** Own link: floor in seconds and share of its rate; host link likewise; q of both. */
export const collective = (
  floor: number,
  bandwidth: number,
  sharpness: number,
  hostFloor: number,
  hostBandwidth: number,
): CollectiveEfficiency => Object.freeze({ floor, bandwidth, sharpness, hostFloor, hostBandwidth });

/** Measured or assumed classes; the others take the nearest one, as named in `everyClass`. */
export type KnownClasses<T> = { readonly bf16: T } & Readonly<Partial<Record<GemmClass, T>>>;

/**
 * FP32 (TF32 units) like BF16; block FP8 and INT8 like FP8; FP8 without a unit and weight-only 8 bit like weight-only;
 * FP4 without a unit like weight-only. Where not even weight-only is known, BF16.
 */
export function everyClass<T>(known: KnownClasses<T>): Readonly<Record<GemmClass, T>> {
  const weightOnly = known['weight-only'] ?? known['weight-only-8'] ?? known.bf16;
  const weightOnly8 = known['weight-only-8'] ?? weightOnly;
  const fp8 = known.fp8 ?? weightOnly8;
  return Object.freeze({
    fp32: known.fp32 ?? known.bf16,
    bf16: known.bf16,
    fp8,
    'fp8-block': known['fp8-block'] ?? fp8,
    int8: known.int8 ?? fp8,
    fp4: known.fp4 ?? weightOnly,
    'weight-only': weightOnly,
    'weight-only-8': weightOnly8,
  });
}

/**
 * Static scales: the timings behind `measured` compute each tensor's scale on the fly (a maximum, then a cast), which
 * checkpoints with stored scales do not. What remains is the cast, 1.5 us (one more kernel in a graph) and `passes`
 * over the input: 2 where it is a kernel of its own (reads 2 bytes, writes 1, at about 0.75 of the bandwidth), 1 where
 * half of the casts are fused into the norm before them.
 */
export const withStaticScales = (measured: GemmEfficiency, bf16: GemmEfficiency, passes: number): GemmEfficiency =>
  Object.freeze({
    ...measured,
    floor: Math.min(measured.floor, bf16.floor + 1.5e-6),
    quantisationPasses: Math.min(measured.quantisationPasses, passes),
  });

/** A card under load for long reaches a share of what it computes in a burst. */
export const sustained = (burst: GemmEfficiency, share: number): GemmEfficiency =>
  Object.freeze({ ...burst, compute: share * burst.compute });

/** The same constants with some replaced. */
export const variant = (base: Efficiency, changes: Partial<Efficiency>): Efficiency =>
  Object.freeze({ ...base, ...changes });

export const efficiency = (all: Efficiency): Efficiency =>
  Object.freeze({ ...all, sources: Object.freeze(all.sources) });

/** A family known from end-to-end figures only: few numbers, spread over the operators in the same way for all. */
export interface Outline {
  /** Share of the 16-bit peak in large products. */
  readonly compute: number;
  /** Share of the 8-bit peak; as `compute` where absent. */
  readonly compute8?: number;
  /** Share of the 16-bit peak in products with weights of 4 bits; as `compute` where absent. */
  readonly computeWeightOnly?: number;
  /** Share of the bandwidth in reading 16-bit weights. */
  readonly memory: number;
  /** The same for weights of 4 bits; as `memory` where absent. */
  readonly memoryWeightOnly?: number;
  /** Seconds per kernel. */
  readonly floor: number;
  readonly sharpness: number;
  /** Prefill attention: share of the 16-bit peak and half length. */
  readonly prefillCompute: number;
  readonly halfLength: number;
  /** Share of the bandwidth in reading the KV cache. */
  readonly decodeMemory: number;
  /** Latent attention under llama.cpp; see `readTwice`. */
  readonly latent?: 'read-twice';
  readonly collective: CollectiveEfficiency;
  readonly evidence: Efficiency['evidence'];
  readonly sources: readonly Citation[];
}

/**
 * Latent attention in llama.cpp: the values are a view of the keys' first 512 of 576 elements, and its kernels read
 * both (ggml-org/llama.cpp src/models/deepseek2.cpp at 07bede6a8f32); with one shared entry for all heads they reach about half of
 * the share of plain attention (GLM-4.7 Flash on M2 Ultra and Strix Halo, 0 to 65,536 tokens deep).
 */
export const readTwice = (plain: DecodeAttentionEfficiency): DecodeAttentionEfficiency =>
  decode(plain.compute / 2, (plain.memory * 576) / (576 + 512), plain.floor, plain.contextOffset);

/**
 * Constants from an outline. Fused experts reach three quarters of the compute share of a dense product and pay eight
 * kernels; attention pays three. These proportions are those of the measured families (vLLM on Hopper and Blackwell).
 */
export function outlined(outline: Outline): Efficiency {
  const { compute, compute8 = compute, memory, floor, sharpness, prefillCompute, halfLength, decodeMemory } = outline;
  const { computeWeightOnly = compute, memoryWeightOnly = memory } = outline;
  const latentDecode = decode(0.3, decodeMemory, floor * 3, 150);
  const dense = everyClass({
    bf16: gemm(compute, memory, floor, sharpness),
    fp8: gemm(compute8, memory, floor * 1.5, sharpness, 2),
    'weight-only': gemm(computeWeightOnly, memoryWeightOnly, floor, sharpness),
    'weight-only-8': gemm(computeWeightOnly, (memory + memoryWeightOnly) / 2, floor, sharpness),
  });
  const sparse = everyClass({
    bf16: experts(0.75 * compute, memory, floor * 8, sharpness, 2.5),
    fp8: experts(0.75 * compute8, memory, floor * 8, sharpness, 3),
    'weight-only': experts(0.75 * computeWeightOnly, memoryWeightOnly, floor * 8, sharpness, 2.5),
  });
  return efficiency({
    gemm: dense,
    prefillAttention: prefill(prefillCompute, memory, floor * 3, halfLength),
    decodeAttention: decode(0.3, decodeMemory, floor * 3, 100),
    latentPrefill: prefill(prefillCompute, memory, floor * 3, halfLength),
    latentDecode: outline.latent === 'read-twice' ? readTwice(latentDecode) : latentDecode,
    experts: sparse,
    elementWise: elementWise(0.9 * memory, floor),
    collective: outline.collective,
    evidence: outline.evidence,
    sources: outline.sources,
  });
}
