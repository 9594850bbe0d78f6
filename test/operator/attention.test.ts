import { describe, expect, it } from 'vitest';
import { attentionOperators } from '../../src/operator/attention.ts';
import { term } from '../../src/operator/operator.ts';
import { shardLayer } from '../../src/operator/shard.ts';
import type { Mixer } from '../../src/profile/model.ts';
import { ranks, toyAttention, toyLatent, toyLayer } from '../support/toy-parts.ts';

// 10 heads of 100: a query-key pair costs 2 x 10 x (100 + 100) = 4000 FLOP; an entry is 10 x 200 elements = 4000 bytes.
// Latent of 80 + 20: an entry is 100 elements whatever the heads; decode costs 2 x 4 x (2 x 80 + 20) = 1440 FLOP a pair.

const first = (): number => 0;

const sharded = (mixer: Mixer, tensor: number): Mixer => shardLayer(toyLayer({ mixer }), ranks({ tensor })).mixer;

describe('attention', () => {
  it('prefills over pairs, writes new entries and reads old ones', () => {
    const [prefill] = attentionOperators(toyAttention, 16, first, true);
    expect(prefill?.terms).toEqual([
      term('pairs/0', { flops: 4000 }),
      // Queries and result 2 x 1000, keys and values 2 x 2000 elements (read from the projection, written), 2 bytes each.
      term('prefillTokens', { activationBytes: (2000 + 4000) * 2, keyValueBytes: 4000 }),
      term('prefillContext/0', { keyValueBytes: 4000 }),
    ]);
  });

  it('decodes over the context at 4000 FLOP and bytes an entry', () => {
    const [, decode] = attentionOperators(toyAttention, 16, first, true);
    expect(decode?.terms).toEqual([term('decodeContext/0', { flops: 4000, keyValueBytes: 4000 })]);
    // One query row a KV head fills one of 16 rows of the matrix unit.
    expect(decode?.padding).toBe(16);
  });

  it('shares entries between grouped heads and stores them in the bits of the cache', () => {
    const [, decode] = attentionOperators({ ...toyAttention, heads: 40 }, 8, first, true);
    expect(decode?.terms).toEqual([term('decodeContext/0', { flops: 16_000, keyValueBytes: 2000 })]);
    expect(decode?.padding).toBe(4);
  });

  it('keeps one KV head on each rank when there are more ranks than heads', () => {
    const grouped = { ...toyAttention, heads: 16, keyValueHeads: 2 };
    for (const [tensor, bytes] of [
      [1, 800],
      [2, 400],
      [8, 400],
    ] as const) {
      const mixer = sharded(grouped, tensor);
      const [, decode] = mixer.kind === 'attention' ? attentionOperators(mixer, 16, first, true) : [];
      expect(decode?.terms[0]?.keyValueBytes).toBe(bytes);
      expect(decode?.terms[0]?.flops).toBe((2 * 16 * 200) / tensor);
    }
  });

  it('decodes latent attention on one latent for all heads', () => {
    const [prefill, decode] = attentionOperators(toyLatent, 16, first, true);
    expect(decode?.kind).toBe('latent-decode');
    expect(decode?.terms).toEqual([term('decodeContext/0', { flops: 1440, keyValueBytes: 200 })]);
    // Prefill unpacks keys of 50 and values of 30 for each of 4 heads.
    expect(prefill?.terms[0]).toEqual(term('pairs/0', { flops: 2 * 4 * 80 }));
    expect(prefill?.terms[1]?.keyValueBytes).toBe(200);
    const mixer = sharded(toyLatent, 4);
    const [, rank] = mixer.kind === 'latent-attention' ? attentionOperators(mixer, 16, first, true) : [];
    expect(rank?.terms).toEqual([term('decodeContext/0', { flops: 360, keyValueBytes: 200 })]);
  });

  it('scores the whole context before it reads the chosen entries', () => {
    const sparse = { topTokens: 64, heads: 2, headSize: 10 };
    const spans: string[] = [];
    const operators = attentionOperators(
      { ...toyAttention, sparse },
      16,
      (span) => {
        spans.push(String(span.window));
        return span.window === Infinity ? 1 : 0;
      },
      true,
    );
    expect(spans).toEqual(['64', 'Infinity']);
    const selector = operators.find(({ name }) => name === 'token selector (decode)');
    expect(selector?.terms).toEqual([term('decodeContext/1', { flops: 40, keyValueBytes: 20 })]);
  });

  it('moves 16 bytes for each score of each head where its softmax is not fused', () => {
    const [prefill, decode] = attentionOperators(toyAttention, 16, first, false);
    expect(prefill?.terms[0]).toEqual(term('pairs/0', { flops: 4000, activationBytes: 160 }));
    expect(decode?.terms[0]?.activationBytes).toBe(0);
  });
});
