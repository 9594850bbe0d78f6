import { describe, expect, it } from 'vitest';
import type { Attention } from '../../src/profile/model.ts';
import {
  activeCount,
  layerParameters,
  parameterCount,
  publishedScopeCount,
} from '../../src/profile/parameter-count.ts';
import { smallExperts, smallLayer, smallModel, withLayer } from './model-case.ts';

const attention: Attention = {
  kind: 'attention',
  heads: 2,
  keyValueHeads: 1,
  keySize: 4,
  valueSize: 4,
  chunked: false,
  gated: false,
  keyValue: 'own',
};
/** Parameters of one layer less its dense MLP (3 x 8 x 16) and its norms (16). */
const mixerOf = (mixer: Parameters<typeof withLayer>[0]['mixer']): number =>
  layerParameters(8, { ...smallLayer, ...(mixer === undefined ? {} : { mixer }) }) - 384 - 16;

describe('parameterCount', () => {
  it('adds tables, layers, vectors and head', () => {
    // Layer: q 8x8 + k 8x4 + v 8x4 + o 8x8 = 192, MLP 3 x 8 x 16 = 384, norms 16.
    expect(parameterCount(smallModel)).toEqual({
      total: 80 + 2 * 592 + 8 + 80,
      active: 80 + 2 * 592 + 8 + 80,
      embedding: 80,
      head: 80,
      mixers: 2 * 192,
      feedForwards: 2 * 384,
      routedExperts: 0,
      vectors: 2 * 16 + 8,
      layers: 2 * 592,
    });
  });

  it('counts a tied table once, and look-ups and projections with the embedding', () => {
    const tied = { ...smallModel, embedding: { tied: true, lookupParameters: 5, projectionParameters: 7 } };
    expect(parameterCount(tied)).toMatchObject({ total: 80 + 12 + 1184 + 8, embedding: 92, head: 0 });
  });

  it.each([
    ['keys and values of different sizes', { ...attention, valueSize: 2 }, 64 + 32 + 16 + 32],
    ['a query doubled by its gate', { ...attention, gated: true }, 128 + 32 + 32 + 64],
    ['no value projection', { ...attention, keyValue: 'key-is-value' as const }, 64 + 32 + 64],
    ['no keys and values at all', { ...attention, keyValue: 'shared' as const }, 64 + 64],
    // Selector: 8 x 3 x 2 queries, 8 x 2 key, 8 x 3 weights.
    ['a selector', { ...attention, sparse: { topTokens: 9, heads: 3, headSize: 2 } }, 192 + 48 + 16 + 24],
    ['a selector of another layer', { ...attention, sparse: { topTokens: 9, heads: 0, headSize: 2 } }, 192],
    // Query 8x3 + 3x8, one shared vector 8x4, output 2 x (4 x 5) + 10 x 8, auxiliary 11.
    [
      'low ranks and compressed entries',
      {
        ...attention,
        compressed: {
          queryRank: 3,
          outputRank: 5,
          outputGroups: 2,
          tokensPerEntry: 4,
          localWindow: 9,
          auxiliaryParameters: 11,
        },
      },
      24 + 24 + 32 + 40 + 80 + 11,
    ],
    // Down 8 x (5 + 2), up 5 x 2 x (3 + 4), output 2 x 4 x 8, query 8 x 2 x (3 + 2).
    [
      'a latent',
      { kind: 'latent-attention' as const, heads: 2, keyValueRank: 5, nopeSize: 3, ropeSize: 2, valueSize: 4 },
      56 + 70 + 64 + 80,
    ],
    // Query 8 x 6 + 6 x 10 in place of 80.
    [
      'a latent with a query rank',
      {
        kind: 'latent-attention' as const,
        heads: 2,
        queryRank: 6,
        keyValueRank: 5,
        nopeSize: 3,
        ropeSize: 2,
        valueSize: 4,
      },
      56 + 70 + 64 + 48 + 60,
    ],
    [
      'a recurrence',
      {
        kind: 'recurrent' as const,
        variant: 'mamba2' as const,
        matrixParameters: 77,
        stateElements: 5,
        convolutionElements: 3,
        recurrenceFlops: 9,
      },
      77,
    ],
    ['nothing', { kind: 'none' as const }, 0],
  ])('counts a mixer with %s', (_name, mixer, count) => {
    expect(mixerOf(mixer)).toBe(count);
  });

  it.each([
    ['plain MLP', { kind: 'dense' as const, width: 16, gated: false }, 256],
    ['a square matrix', { kind: 'linear' as const }, 64],
    ['nothing', { kind: 'none' as const }, 0],
    // Router 32, experts 4 x 3 x 8 x 6.
    ['experts', smallExperts, 32 + 576],
    ['experts without a gate', { ...smallExperts, gated: false }, 32 + 384],
    ['a shared expert', { ...smallExperts, sharedWidth: 5 }, 32 + 576 + 120],
    // Experts at width 3, two projections of 8 x 3.
    ['a latent', { ...smallExperts, latentSize: 3 }, 32 + 4 * 54 + 48],
    ['a dense MLP beside', { ...smallExperts, denseWidth: 7 }, 32 + 576 + 168],
    ['biases in experts', { ...smallExperts, vectorParametersPerExpert: 20 }, 32 + 576 + 80],
    ['a selection bias', { ...smallExperts, routerBias: true }, 32 + 576 + 4],
  ])('counts a block of %s', (_name, feedForward, count) => {
    expect(layerParameters(8, { ...smallLayer, feedForward }) - 192 - 16).toBe(count);
    const { total, layers } = parameterCount(withLayer({ feedForward }));
    expect(layers).toBe(2 * (count + 208));
    expect(total).toBe(layers + 168);
  });
});

describe('activeCount', () => {
  it('leaves out experts that a token does not visit, then the table, then the head', () => {
    // 2 of 4 experts idle: 2 layers x 2 x (144 + 5) less; tables of 80 each.
    const model = withLayer({ feedForward: { ...smallExperts, vectorParametersPerExpert: 5 } });
    const whole = parameterCount(model).total - 2 * 2 * 149;
    expect(activeCount(model)).toEqual({ whole, withoutEmbedding: whole - 80, layersOnly: whole - 160 });
  });

  it('keeps a tied table, which is the head', () => {
    const model = { ...smallModel, embedding: { tied: true, lookupParameters: 6, projectionParameters: 0 } };
    expect(activeCount(model)).toEqual({ whole: 1278, withoutEmbedding: 1272, layersOnly: 1192 });
  });
});

describe('publishedScopeCount', () => {
  const model = withLayer(
    { feedForward: { ...smallExperts, routerBias: true } },
    { extras: { mtpParameters: 100, towerParameters: 1000 } },
  );
  const total = parameterCount(model).total;

  it.each([
    ['lm', 0],
    ['lm+mtp', 100],
    ['lm+mtpnd', 100],
    ['lm+vision', 1000],
    ['lm+vision+mtp', 1100],
    ['lm+noebias', -8],
    ['lm+mtp+noebias', 92],
    ['lm+head', 0],
  ])('counts %s', (scope, more) => {
    expect(publishedScopeCount(model, scope)).toBe(total + more);
  });

  it('counts a tied head that the checkpoint stores again', () => {
    const tied = { ...smallModel, embedding: { ...smallModel.embedding, tied: true } };
    expect(publishedScopeCount(tied, 'lm+head')).toBe(parameterCount(smallModel).total);
  });

  it('refuses a scope that it does not know', () => {
    const sentence =
      "The scope 'lm+audio' is not known; expected 'lm' with any of '+mtp', '+mtpnd', '+vision', '+head', '+noebias'.";
    expect(() => publishedScopeCount(model, 'lm+audio')).toThrow(new RangeError(sentence));
    expect(() => publishedScopeCount(model, 'vision')).toThrow(RangeError);
  });
});
