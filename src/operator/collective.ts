import type { LayerGroup, Model } from '../profile/model.ts';
import type { Parallelism } from '../profile/scenario.ts';
import { activationBytesPerElement } from './linear.ts';
import { type Operator, term } from './operator.ts';

/** Bytes per element of what a rank sends to experts elsewhere: dispatch in 8 bits, combine in 16 (DeepEP defaults). */
export const dispatchBytes = 1;
export const combineBytes = 2;

/** Collectives of one layer: all-reduces of tensor ranks, and the exchange with experts on other ranks. */
export function layerCollectives(hiddenSize: number, layer: LayerGroup, parallelism: Parallelism): readonly Operator[] {
  const exchanged = layer.feedForward.kind === 'experts' && parallelism.expert > 1 && parallelism.data > 1;
  const blocks = Number(layer.mixer.kind !== 'none') + Number(layer.feedForward.kind !== 'none' && !exchanged);
  // Serial blocks need one all-reduce each; parallel attention and MLP share one.
  const reductions = layer.parallelBlocks ? Math.min(1, blocks) : blocks;
  return [
    ...(parallelism.tensor > 1 && reductions > 0
      ? [{ ...allReduce('all-reduce', hiddenSize, parallelism.tensor), count: reductions }].map(perLaunch)
      : []),
    ...(exchanged && layer.feedForward.kind === 'experts'
      ? [expertExchange(hiddenSize, layer.feedForward.active, parallelism)]
      : []),
  ];
}

/** Collectives outside the layers: gathering the logits of tensor ranks, and handing over between pipeline stages. */
export function modelCollectives(model: Model, parallelism: Parallelism): readonly Operator[] {
  const { tensor, pipeline } = parallelism;
  return [
    ...(tensor > 1
      ? [
          {
            name: 'gather of logits',
            kind: 'all-reduce' as const,
            count: 1,
            ranks: tensor,
            terms: [
              term('rows', {
                linkBytes: (model.vocabulary * activationBytesPerElement * (tensor - 1)) / tensor,
              }),
              term('once', {}),
            ],
          },
        ]
      : []),
    ...(pipeline > 1
      ? [
          {
            name: 'hand-over between stages',
            kind: 'send' as const,
            count: pipeline - 1,
            // Stages lie next to each other: what joins them is what joins all ranks.
            ranks: pipeline * tensor,
            terms: [term('tokens', { linkBytes: model.hiddenSize * activationBytesPerElement * (pipeline - 1) })],
          },
        ]
      : []),
  ];
}

/** Ring all-reduce: each rank sends and receives 2 (n - 1) / n of the message. */
function allReduce(name: string, hiddenSize: number, ranks: number): Operator {
  const bytes = ((2 * (ranks - 1)) / ranks) * hiddenSize * activationBytesPerElement;
  return { name, kind: 'all-reduce', count: 1, ranks, terms: [term('tokens', { linkBytes: bytes })] };
}

/** Terms cover all launches of the count. */
const perLaunch = (operator: Operator): Operator => ({
  ...operator,
  terms: operator.terms.map((each) => ({ ...each, linkBytes: each.linkBytes * operator.count })),
});

/** Tokens travel to the distinct ranks that hold their experts, and back: E[distinct] = n (1 - (1 - 1/n)^k). */
function expertExchange(hiddenSize: number, active: number, parallelism: Parallelism): Operator {
  const ranks = parallelism.expert;
  const distinct = ranks * (1 - (1 - 1 / ranks) ** active);
  const bytes = (distinct * hiddenSize * (dispatchBytes + combineBytes) * (ranks - 1)) / ranks / parallelism.tensor;
  return {
    name: 'exchange with experts on other ranks',
    kind: 'all-to-all',
    count: 2,
    ranks,
    terms: [term('tokens', { linkBytes: bytes })],
  };
}
