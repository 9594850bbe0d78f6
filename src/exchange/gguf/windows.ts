import type { GgufKeys } from './gguf-keys.ts';

/** How far back a layer looks: `window` absent = the whole context. */
export interface Reach {
  readonly window?: number;
  readonly chunked: boolean;
}

/** Period n: of n layers one attends to everything, the last, or the first where `fullFirst`; 0 = none does. */
interface Pattern {
  readonly period: number;
  readonly fullFirst: boolean;
}

/**
 * Patterns that files do not spell out, by architecture.
 * Source: github.com/ggml-org/llama.cpp src/models/*.cpp, `hparams.set_swa_pattern(period, dense_first)`, 2026;
 * phi3 and starcoder2 by their own configurations (`sliding_window` without a pattern: all layers).
 */
const patterns: Readonly<Record<string, Pattern>> = {
  afmoe: { period: 4, fullFirst: false },
  cohere2: { period: 4, fullFirst: false },
  deepseek4: { period: 0, fullFirst: false },
  exaone4: { period: 4, fullFirst: false },
  'exaone-moe': { period: 4, fullFirst: false },
  gemma2: { period: 2, fullFirst: false },
  gemma3: { period: 6, fullFirst: false },
  gemma3n: { period: 5, fullFirst: false },
  'gpt-oss': { period: 2, fullFirst: false },
  laguna: { period: 4, fullFirst: true },
  llama4: { period: 4, fullFirst: false },
  olmo2: { period: 4, fullFirst: false },
  phi3: { period: 0, fullFirst: false },
  plamo3: { period: 8, fullFirst: false },
  smallthinker: { period: 4, fullFirst: true },
  starcoder2: { period: 0, fullFirst: false },
};

/** Llama 4 attends within chunks of this many tokens; no key says so (llama.cpp src/models/llama4.cpp, 2026). */
const llama4Chunk = 8192;

/** Reach of every layer's attention, and whether the file leaves open which layers its window is for. */
export function reachOfLayers(keys: GgufKeys): { readonly reach: (layer: number) => Reach; readonly unclear?: number } {
  const chunked = keys.architecture === 'llama4';
  const window = keys.optional('attention.sliding_window') ?? (chunked ? llama4Chunk : 0);
  const full: Reach = { chunked: false };
  if (window === 0) return { reach: () => full };
  const windowed: Reach = { window, chunked };
  const flags = keys.list('attention.sliding_window_pattern');
  if (flags !== undefined) return { reach: (layer) => ((flags[layer] ?? 0) === 0 ? full : windowed) };
  const known = Object.hasOwn(patterns, keys.architecture) ? patterns[keys.architecture] : undefined;
  const period = keys.optional('attention.sliding_window_pattern') ?? known?.period;
  if (period === undefined) return { reach: () => full, unclear: window };
  const fullAt = known?.fullFirst === true ? 0 : period - 1;
  return { reach: (layer) => (period > 0 && layer % period === fullAt ? full : windowed) };
}
