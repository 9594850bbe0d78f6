import { describe, expect, it } from 'vitest';
import { embeddingAndHead } from '../../src/operator/embedding.ts';
import type { Operator } from '../../src/operator/operator.ts';
import { largestLogit } from '../../src/operator/sampling.ts';
import { resolvePrecision } from '../../src/profile/precision.ts';
import { counted } from '../support/counted.ts';
import { toyModel } from '../support/toy.ts';

// Hidden size and vocabulary 1000: the head has 1e6 elements, 2e6 FLOP a row; a row of the table is 2000 bytes.

const precision = resolvePrecision(toyModel, {});
const greedy = { choice: largestLogit };

const named = (operators: readonly Operator[], name: string): ReturnType<typeof counted> =>
  counted(operators.filter((operator) => operator.name === name));

describe('embedding and head', () => {
  it('look up a row a token, and multiply a row a sequence', () => {
    const operators = embeddingAndHead(toyModel, precision, 1, greedy);
    expect(named(operators, 'embedding rows')).toEqual({ tokens: { activationBytes: 4000 } });
    expect(named(operators, 'output head')).toEqual({
      once: { weightBytes: 2e6 },
      rows: { flops: 2e6, activationBytes: 4000 },
    });
    expect(named(operators, 'sampling')).toEqual({ rows: { activationBytes: 10_000 } });
  });

  it('share the head among tensor ranks', () => {
    expect(named(embeddingAndHead(toyModel, precision, 4, greedy), 'output head')).toEqual({
      once: { weightBytes: 5e5 },
      rows: { flops: 5e5, activationBytes: 2500 },
    });
  });

  it('read the table as the head where they are tied', () => {
    const tied = { ...toyModel, embedding: { ...toyModel.embedding, tied: true } };
    expect(embeddingAndHead(tied, precision, 1, greedy)).toEqual(embeddingAndHead(toyModel, precision, 1, greedy));
  });

  it('multiply projections between table and layers for every token', () => {
    const projected = { ...toyModel, embedding: { ...toyModel.embedding, projectionParameters: 5000 } };
    expect(named(embeddingAndHead(projected, precision, 1, greedy), 'embedding projections')['tokens']).toEqual({
      flops: 10_000,
      activationBytes: 2010,
    });
  });
});
