import { describe, expect, it } from 'vitest';
import { embeddingAndHead } from '../../src/operator/embedding.ts';
import { term } from '../../src/operator/operator.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import { toyModel } from '../support/toy.ts';

// Hidden size and vocabulary 1000: the head has 1e6 elements, 2e6 FLOP a row; a row of the table is 2000 bytes.

const precision = resolvePrecision(toyModel, {});

describe('embedding and head', () => {
  it('look up a row a token, and multiply a row a sequence', () => {
    const [rows, head, sampling] = embeddingAndHead(toyModel, precision, 1);
    expect(rows?.terms).toEqual([term('tokens', { activationBytes: 4000 })]);
    expect(head?.terms).toEqual([
      term('once', { weightBytes: 2e6 }),
      term('rows', { flops: 2e6, activationBytes: 4000 }),
    ]);
    expect(sampling?.terms).toEqual([term('rows', { activationBytes: 10_000 })]);
  });

  it('share the head among tensor ranks', () => {
    const head = embeddingAndHead(toyModel, precision, 4).find(({ name }) => name === 'output head');
    expect(head?.terms.map(({ weightBytes, flops }) => [weightBytes, flops])).toEqual([
      [5e5, 0],
      [0, 5e5],
    ]);
  });

  it('read the table as the head where they are tied', () => {
    const tied = { ...toyModel, embedding: { ...toyModel.embedding, tied: true } };
    expect(embeddingAndHead(tied, precision, 1)).toEqual(embeddingAndHead(toyModel, precision, 1));
  });

  it('multiply projections between table and layers for every token', () => {
    const projected = { ...toyModel, embedding: { ...toyModel.embedding, projectionParameters: 5000 } };
    const projection = embeddingAndHead(projected, precision, 1)[1];
    expect(projection?.terms[1]).toEqual(term('tokens', { flops: 10_000, activationBytes: 2010 }));
  });
});
