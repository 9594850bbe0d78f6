import type { Model } from '../profile/model.ts';
import type { Precision } from '../profile/precision.ts';
import { activationBytesPerElement, linear } from './linear.ts';
import { type Operator, term } from './operator.ts';
import { type LogitWork, samplingOperators } from './sampling.ts';

/**
 * Before and after the layers: one row of the input table per token (the table itself is never read whole), the
 * output head for the rows that need a token, and sampling over the whole vocabulary.
 */
export function embeddingAndHead(
  model: Model,
  precision: Precision,
  tensorRanks: number,
  logits: LogitWork,
): readonly Operator[] {
  const { hiddenSize, vocabulary, embedding } = model;
  const rowBytes = 2 * hiddenSize * activationBytesPerElement;
  const projections =
    embedding.projectionParameters === 0
      ? []
      : [
          linear(
            'embedding projections',
            [
              {
                name: 'linear',
                inputs: hiddenSize,
                outputs: embedding.projectionParameters / hiddenSize,
                count: 1,
              },
            ],
            precision.embedding,
            precision.activations,
          ),
        ];
  return [
    { name: 'embedding rows', kind: 'element-wise', count: 1, terms: [term('tokens', { activationBytes: rowBytes })] },
    ...projections,
    linear(
      'output head',
      [{ name: 'linear', inputs: hiddenSize, outputs: vocabulary / tensorRanks, count: 1 }],
      precision.head,
      precision.activations,
      'rows',
    ),
    ...samplingOperators(vocabulary, logits),
  ];
}
