import type { SamplerCost } from '../profile/engine.ts';
import { samplingOf } from '../profile/sampling.ts';
import type { Deployment } from '../profile/scenario.ts';
import { type Operator, term } from './operator.ts';

/**
 * The largest logit: the 16-bit logits in, FP32 copies written and read once (engines convert to FP32 before sampling;
 * reference: engine sources, August 2026). Kernels: conversion, penalties or temperature, largest, copy.
 */
export const largestLogit: SamplerCost = { bytesPerLogit: 10, kernels: 4 };

/** What is left out of a draw before it, as an operator of its own. */
export const filterName = 'top-p and top-k';

/** What choosing a token takes per logit: in all cases, and before a draw from some. */
export interface LogitWork {
  readonly choice: SamplerCost;
  readonly filter?: SamplerCost;
}

/** What choosing a token takes in a deployment; a sampler whose costs are not known counts the largest logit alone. */
export function logitWork(deployment: Deployment): LogitWork {
  const { sampler } = deployment.release;
  const sampling = samplingOf(deployment);
  if (sampler === undefined || sampling === 'greedy') return { choice: largestLogit };
  const { draw, filter } = sampler;
  if (sampling === 'top-p' && filter.draws === true) return { choice: largestLogit, filter };
  const choice = {
    bytesPerLogit: largestLogit.bytesPerLogit + draw.bytesPerLogit,
    kernels: largestLogit.kernels + draw.kernels,
  };
  return sampling === 'top-p' ? { choice, filter } : { choice };
}

/** Choosing tokens over the whole vocabulary, on every rank: logits are gathered first. */
export const samplingOperators = (vocabulary: number, { choice, filter }: LogitWork): readonly Operator[] => [
  overLogits('sampling', vocabulary, choice),
  ...(filter === undefined ? [] : [overLogits(filterName, vocabulary, filter)]),
];

const overLogits = (name: string, vocabulary: number, { bytesPerLogit, kernels }: SamplerCost): Operator => ({
  name,
  kind: 'element-wise',
  count: kernels,
  terms: [term('rows', { activationBytes: vocabulary * bytesPerLogit })],
});
