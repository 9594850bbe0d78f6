import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attendedEntries,
  attendedPairs,
  fullSpan,
  meanAttendedEntries,
  mixerSpans,
  type Span,
} from '../../src/operator/span.ts';
import { toyAttention } from '../support/toy-parts.ts';

// Full attention, tokens 2..4 new: (16 - 4) / 2 = 6 pairs, the area under y = x between 2 and 4.
// Window 2: the area under min(x, 2) between 0 and 4 is 2 + 4 = 6. Two chunks of 2: 2 + 2 = 4.
// Stride 2: (16 - 4) / 2 / 2 = 3.

const windowed: Span = { window: 2, stride: 1, chunked: false };

describe('attended pairs', () => {
  it('are the triangle of full attention', () => {
    expect(attendedPairs(fullSpan, 0, 4)).toBe(8);
    expect(attendedPairs(fullSpan, 2, 4)).toBe(6);
  });

  it('grow no more than the window, the chunk or the stride lets them', () => {
    expect(attendedPairs(windowed, 0, 4)).toBe(6);
    expect(attendedPairs({ ...windowed, chunked: true }, 0, 4)).toBe(4);
    expect(attendedPairs({ ...fullSpan, stride: 2 }, 2, 4)).toBe(3);
  });

  it('equal the sum over single queries, each seen from its middle', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        (window, stride, bounded, chunked, from, tokens) => {
          const span = { window: bounded ? window : Infinity, stride: chunked ? 1 : stride, chunked };
          let pairs = 0;
          for (let query = from; query < from + tokens; query++) pairs += seenFrom(span, query + 0.5);
          expect(attendedPairs(span, from, from + tokens)).toBeCloseTo(pairs, 6);
        },
      ),
    );
  });

  it('of a prompt in pieces add up to those of the whole', () => {
    expect(attendedPairs(windowed, 0, 1.5) + attendedPairs(windowed, 1.5, 7)).toBe(attendedPairs(windowed, 0, 7));
  });
});

/** Entries that a query sees when `position` tokens lie before it. */
const seenFrom = ({ window, stride, chunked }: Span, position: number): number =>
  chunked && window < Infinity ? position % window : Math.min(position / stride, window);

describe('attended entries of decode', () => {
  it('are the context up to the window, one for every stride', () => {
    expect(attendedEntries(fullSpan, 100)).toBe(100);
    expect(attendedEntries({ ...fullSpan, stride: 4 }, 100)).toBe(25);
    expect(attendedEntries({ window: 16, stride: 4, chunked: false }, 100)).toBe(16);
  });

  it('have a mean over an answer that equals the sum over its contexts', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constant(Infinity)),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 400 }),
        (window, stride, first, more) => {
          const span = { window, stride, chunked: false };
          let sum = 0;
          for (let context = first; context <= first + more; context++) sum += attendedEntries(span, context);
          expect(meanAttendedEntries(span, first, first + more)).toBeCloseTo(sum / (more + 1), 9);
        },
      ),
    );
  });
});

describe('spans of a mixer', () => {
  it('are one for plain, windowed and sparse attention', () => {
    expect(mixerSpans(toyAttention)).toEqual([fullSpan]);
    expect(mixerSpans({ ...toyAttention, window: 512 })).toEqual([{ window: 512, stride: 1, chunked: false }]);
    const sparse = { topTokens: 64, heads: 2, headSize: 8 };
    expect(mixerSpans({ ...toyAttention, sparse })).toEqual([{ window: 64, stride: 1, chunked: false }]);
    expect(mixerSpans({ ...toyAttention, window: 32, sparse })[0]?.window).toBe(32);
  });

  it('are two for a cache compressed in time: recent tokens, and entries for older ones', () => {
    const compressed = {
      queryRank: 1,
      outputRank: 1,
      outputGroups: 1,
      tokensPerEntry: 4,
      localWindow: 128,
      auxiliaryParameters: 0,
    };
    expect(mixerSpans({ ...toyAttention, compressed })).toEqual([
      { window: 128, stride: 1, chunked: false },
      { window: Infinity, stride: 4, chunked: false },
    ]);
    expect(mixerSpans({ ...toyAttention, compressed: { ...compressed, tokensPerEntry: 0 } })).toHaveLength(1);
  });

  it('are none for layers without a cache of tokens', () => {
    expect(mixerSpans({ kind: 'none' })).toEqual([]);
  });
});
