import type { LayerGroup, Mixer, Model } from './model.ts';

/** Bytes per element of a recurrent layer's state, kept in FP32 by every engine read so far (mamba_ssm_cache_dtype). */
export const recurrentStateBytes = 4;

/** Bytes per element of a recurrent layer's convolution tail, kept in the activations' 16-bit format. */
export const convolutionStateBytes = 2;

/**
 * What one sequence keeps in memory, as a function of its tokens T, bytes:
 * bytes(T) = full x T + sum over windows of perToken x min(T, window) + fixed.
 */
export interface KeyValueForm {
  /** Bytes per token of the layers that remember every token. */
  readonly full: number;
  /** Bytes per token of the layers that stop growing at their window, by window in tokens, ascending. */
  readonly windowed: readonly { readonly window: number; readonly perToken: number }[];
  /** State of recurrent layers, independent of T. */
  readonly fixed: number;
}

/** Cached elements of a token in one layer, split by how long they stay. */
interface CachedElements {
  readonly full: number;
  readonly windowed: number;
  readonly window: number;
}

const nothing: CachedElements = { full: 0, windowed: 0, window: 0 };

/** The form of the KV cache at `bytesPerElement` (2 for BF16, 1 for FP8). */
export function keyValueForm(model: Model, bytesPerElement: number): KeyValueForm {
  let full = 0;
  let fixed = 0;
  const windows = new Map<number, number>();
  for (const layer of model.layers) {
    const cached = cachedElements(layer.mixer);
    full += layer.count * cached.full * bytesPerElement;
    if (cached.windowed > 0) {
      const more = layer.count * cached.windowed * bytesPerElement;
      windows.set(cached.window, (windows.get(cached.window) ?? 0) + more);
    }
    fixed += recurrentBytes(layer);
  }
  const windowed = [...windows].map(([window, perToken]) => ({ window, perToken })).sort((a, b) => a.window - b.window);
  return { full, windowed, fixed };
}

/** Bytes that one more token adds while every window still grows. */
export function keyValueBytesPerToken(model: Model, bytesPerElement: number): number {
  const { full, windowed } = keyValueForm(model, bytesPerElement);
  return windowed.reduce((sum, { perToken }) => sum + perToken, full);
}

/** Bytes of a sequence of `tokens` tokens, recurrent state included. */
export function keyValueBytes(model: Model, bytesPerElement: number, tokens: number): number {
  const { full, windowed, fixed } = keyValueForm(model, bytesPerElement);
  return windowed.reduce(
    (sum, { window, perToken }) => sum + perToken * Math.min(tokens, window),
    full * tokens + fixed,
  );
}

function cachedElements(mixer: Mixer): CachedElements {
  if (mixer.kind === 'attention') return attentionElements(mixer);
  if (mixer.kind !== 'latent-attention') return nothing;
  return { ...nothing, full: mixer.keyValueRank + mixer.ropeSize + selectorKey(mixer.sparse) };
}

function attentionElements(mixer: Extract<Mixer, { kind: 'attention' }>): CachedElements {
  if (mixer.keyValue === 'shared') return nothing;
  if (mixer.compressed !== undefined) {
    const { tokensPerEntry, localWindow } = mixer.compressed;
    const entry = mixer.keyValueHeads * mixer.keySize;
    const full = tokensPerEntry === 0 ? 0 : (entry + selectorKey(mixer.sparse)) / tokensPerEntry;
    return { full, windowed: entry, window: localWindow };
  }
  const entry = mixer.keyValueHeads * (mixer.keySize + mixer.valueSize) + selectorKey(mixer.sparse);
  return mixer.window === undefined ? { ...nothing, full: entry } : { full: 0, windowed: entry, window: mixer.window };
}

/** The selector caches one key per token; a layer that reuses another's choice (0 heads) caches none. */
function selectorKey(sparse: { readonly heads: number; readonly headSize: number } | undefined): number {
  return sparse === undefined || sparse.heads === 0 ? 0 : sparse.headSize;
}

function recurrentBytes({ count, mixer }: LayerGroup): number {
  if (mixer.kind !== 'recurrent') return 0;
  return count * (mixer.stateElements * recurrentStateBytes + mixer.convolutionElements * convolutionStateBytes);
}
