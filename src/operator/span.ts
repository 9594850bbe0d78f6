import type { Mixer } from '../profile/model.ts';

/**
 * How far back a query of a layer looks: at most `window` cached entries, one entry for every `stride` tokens.
 * Full attention is { window: Infinity, stride: 1 }.
 */
export interface Span {
  readonly window: number;
  readonly stride: number;
  /** A query sees only its own block of `window` tokens, not the last `window` of them. */
  readonly chunked: boolean;
}

export const fullSpan: Span = Object.freeze({ window: Infinity, stride: 1, chunked: false });

/** Spans of a mixer's attention operators; a compressed cache has two (recent tokens, and entries for older ones). */
export function mixerSpans(mixer: Mixer): readonly Span[] {
  switch (mixer.kind) {
    case 'attention': {
      const topTokens = mixer.sparse?.topTokens ?? Infinity;
      if (mixer.compressed !== undefined) {
        const { localWindow, tokensPerEntry } = mixer.compressed;
        const local: Span = { window: localWindow, stride: 1, chunked: false };
        return tokensPerEntry === 0 ? [local] : [local, { window: topTokens, stride: tokensPerEntry, chunked: false }];
      }
      return [{ window: Math.min(mixer.window ?? Infinity, topTokens), stride: 1, chunked: mixer.chunked }];
    }
    case 'latent-attention':
      return [{ window: mixer.sparse?.topTokens ?? Infinity, stride: 1, chunked: false }];
    case 'recurrent':
    case 'none':
      return [];
  }
}

/** Entries that the query at position `context` reads; chunks count as windows once the first is full (an upper bound). */
export const attendedEntries = (span: Span, context: number): number => Math.min(context / span.stride, span.window);

/**
 * Query-key pairs of the queries between `from` and `to` tokens, causal: for full attention (to^2 - from^2) / 2,
 * the area under `attendedEntries`.
 */
export const attendedPairs = (span: Span, from: number, to: number): number => area(span, to) - area(span, from);

function area(span: Span, tokens: number): number {
  const { window, stride, chunked } = span;
  if (chunked && window < Infinity) {
    const whole = Math.floor(tokens / window);
    const rest = tokens - whole * window;
    return (whole * window * window + rest * rest) / 2;
  }
  const ramp = window * stride;
  return tokens <= ramp ? (tokens * tokens) / (2 * stride) : (window * ramp) / 2 + window * (tokens - ramp);
}

/**
 * Mean of `attendedEntries` over the contexts first, first + 1, ... last (whole numbers): what decode reads per
 * sequence and step on average over a whole answer. Closed form, so the cost does not grow with the answer.
 */
export function meanAttendedEntries(span: Span, first: number, last: number): number {
  const { window, stride } = span;
  const count = last - first + 1;
  const ramp = Math.floor(window * stride);
  if (last <= ramp) return (first + last) / 2 / stride;
  if (first > ramp) return window;
  const growing = ramp - first + 1;
  return (((first + ramp) / 2 / stride) * growing + window * (count - growing)) / count;
}
