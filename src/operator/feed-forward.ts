import { expertElements, feedForwardMatrices, type Matrix } from '../profile/layer-matrices.ts';
import type { Experts, FeedForward } from '../profile/model.ts';
import type { Precision } from '../profile/precision.ts';
import type { Parallelism } from '../profile/scenario.ts';
import { activationBytesPerElement, linear } from './linear.ts';
import { type Operator, term } from './operator.ts';
import { busiestShare } from './visited-experts.ts';

/** Experts of a model that share a touched-experts variable: equal numbers, routed alike. */
export interface ExpertGroup {
  /** Experts that live on one rank. */
  readonly local: number;
  /** Chance that one token visits a given expert, in the mean. */
  readonly share: number;
  /** Tokens that reach this rank's experts, per token of its own attention group. */
  readonly tokenFactor: number;
  /** Ranks that share the experts of a layer and wait for the busiest; 1 = this one has all, or what each in the mean has. */
  readonly ranks: number;
}

export type ExpertIndex = (group: ExpertGroup) => number;

/** Router weights stay in 16 bits in every checkpoint read so far. */
const routerFormat = { name: 'bf16', bits: 16 };

/** Operators of a (sharded) feed-forward block in one layer. */
export function feedForwardOperators(
  hiddenSize: number,
  block: FeedForward,
  precision: Precision,
  parallelism: Parallelism,
  expertIndex: ExpertIndex,
  evenRanks = false,
): readonly Operator[] {
  switch (block.kind) {
    case 'dense':
    case 'linear':
      return dense(feedForwardMatrices(hiddenSize, block), precision.feedForward, precision);
    case 'experts':
      return expertOperators(hiddenSize, block, precision, parallelism, expertIndex, evenRanks);
    case 'none':
      return [];
  }
}

function dense(
  matrices: readonly Matrix[],
  format: Precision['feedForward'],
  precision: Precision,
): readonly Operator[] {
  const up = matrices.filter(({ name }) => name === 'gate' || name === 'up');
  const rest = matrices.filter(({ name }) => name === 'down' || name === 'linear');
  return [
    ...(up.length === 0 ? [] : [linear('MLP up', up, format, precision.activations)]),
    ...rest.map((matrix) => linear('MLP down', [matrix], format, precision.activations)),
  ];
}

function expertOperators(
  hiddenSize: number,
  block: Experts,
  precision: Precision,
  parallelism: Parallelism,
  expertIndex: ExpertIndex,
  evenRanks: boolean,
): readonly Operator[] {
  const { activations } = precision;
  const matrices = feedForwardMatrices(hiddenSize, block);
  const named = (name: Matrix['name']): readonly Matrix[] => matrices.filter((matrix) => matrix.name === name);
  const shared = feedForwardMatrices(hiddenSize, { kind: 'dense', width: block.sharedWidth, gated: block.gated });
  const plain = feedForwardMatrices(hiddenSize, { kind: 'dense', width: block.denseWidth, gated: block.gated });
  const latent = [...named('latent-down'), ...named('latent-up')];
  return [
    linear('router', named('router'), routerFormat, activations),
    ...latent.map((matrix) => linear('latent projection of experts', [matrix], precision.experts, activations)),
    routedExperts(hiddenSize, block, precision, parallelism, expertIndex, evenRanks),
    ...(block.sharedWidth === 0 ? [] : dense(shared, precision.sharedExperts, precision)).map((operator) => ({
      ...operator,
      name: operator.name.replace('MLP', 'shared expert'),
    })),
    ...(block.denseWidth === 0 ? [] : dense(plain, precision.feedForward, precision)),
  ];
}

/**
 * Routed experts as one fused operator: every token multiplies `active` experts, and only experts that some token
 * visits are read. Of expert-parallel ranks it is the busiest, unless all get the same.
 */
function routedExperts(
  hiddenSize: number,
  block: Experts,
  precision: Precision,
  parallelism: Parallelism,
  expertIndex: ExpertIndex,
  evenRanks: boolean,
): Operator {
  const spread = parallelism.expert > 1;
  const tokenFactor = spread ? parallelism.data : 1;
  const ranks = evenRanks ? 1 : parallelism.expert;
  const local = block.experts / parallelism.expert;
  const share = block.active / block.experts;
  const group: ExpertGroup = { local, share, tokenFactor, ranks };
  const visits = share * local * tokenFactor * busiestShare(local, share, ranks);
  const elements = expertElements(hiddenSize, block);
  const width = block.latentSize ?? hiddenSize;
  const inner = block.width * (block.gated ? 3 : 2);
  const index = expertIndex(group);
  return {
    name: 'experts',
    kind: 'experts',
    count: 1,
    weights: { ...precision.experts, activations: precision.activations },
    terms: [
      term('tokens', {
        // Gather and scatter of the hidden rows, and what passes between the two products of each visited expert
        // (the definition that fits measured fused MoE layers best, see efficiency/build.ts).
        activationBytes: (2 * width + visits * (2 * width + inner)) * activationBytesPerElement,
      }),
      term(`touchedExperts/${index}`, { weightBytes: (elements * precision.experts.bits) / 8 }),
      term(`chargedVisits/${index}`, { flops: 2 * elements }),
    ],
  };
}
