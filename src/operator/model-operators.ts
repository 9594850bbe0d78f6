import type { LayerGroup, Model } from '../profile/model.ts';
import type { Precision } from '../profile/precision.ts';
import type { Parallelism } from '../profile/scenario.ts';
import { layerCollectives, modelCollectives } from './collective.ts';
import { elementWiseOperator } from './element-wise.ts';
import { embeddingAndHead } from './embedding.ts';
import { type ExpertGroup, feedForwardOperators } from './feed-forward.ts';
import { mixerOperators } from './mixer.ts';
import { joined, type Operator, repeated, type Term } from './operator.ts';
import { largestLogit, type LogitWork } from './sampling.ts';
import { shardLayer } from './shard.ts';
import type { Span } from './span.ts';
import { unfusedOperator } from './unfused.ts';

/** Everything one rank does in a step of the whole model, with the spans and expert groups its variables refer to. */
export interface ModelOperators {
  readonly operators: readonly Operator[];
  readonly spans: readonly Span[];
  readonly expertGroups: readonly ExpertGroup[];
}

/** What an engine's kernels do at once. */
export interface KernelChoices {
  /** Attention keeps its scores on chip. */
  readonly fusedAttention?: boolean;
  /** Products that share their input, and the steps between products, run as few kernels. */
  readonly fusedKernels?: boolean;
  /** See `shardLayer`. */
  readonly dividesKeyValue?: boolean;
  /** Expert-parallel ranks all get the same number of tokens, instead of what popular experts bring them. */
  readonly evenRanks?: boolean;
  /** How tokens are chosen; absent = the largest logit. */
  readonly logits?: LogitWork;
}

const largestAlone: LogitWork = { choice: largestLogit };

/**
 * Operators of a step from the architecture alone. Layers that do the same are one operator with a count. Pipeline stages follow one another for any token, so a token's way through the model is the sum over all layers.
 */
export function modelOperators(
  model: Model,
  precision: Precision,
  parallelism: Parallelism,
  {
    fusedAttention = true,
    fusedKernels = true,
    dividesKeyValue = false,
    evenRanks = false,
    logits = largestAlone,
  }: KernelChoices = {},
): ModelOperators {
  const spans: Span[] = [];
  const expertGroups: ExpertGroup[] = [];
  const spanIndex = (span: Span): number => indexOfEqual(spans, span);
  const expertIndex = (group: ExpertGroup): number => indexOfEqual(expertGroups, group);
  const ofLayer = (layer: LayerGroup): readonly Operator[] => {
    const shard = shardLayer(layer, parallelism, dividesKeyValue);
    return [
      ...mixerOperators(model.hiddenSize, shard.mixer, precision, spanIndex, fusedAttention).map((operator) =>
        operator.kind === 'prefill-attention' && precision.keyValue.name.startsWith('fp8')
          ? { ...operator, fp8Cache: true }
          : operator,
      ),
      ...feedForwardOperators(model.hiddenSize, shard.feedForward, precision, parallelism, expertIndex, evenRanks),
      elementWiseOperator(model.hiddenSize, shard),
      ...(fusedKernels ? [] : [unfusedOperator(model.hiddenSize, shard)]),
      ...layerCollectives(model.hiddenSize, layer, parallelism),
    ];
  };
  const operators = [
    ...model.layers.flatMap((layer) => {
      const one = { ...layer, count: 1 };
      return ofLayer(layer).map((operator) => repeated(operator, layer.count, one));
    }),
    ...embeddingAndHead(model, precision, parallelism.tensor, logits),
    ...modelCollectives(model, parallelism),
  ];
  return { operators: model.layers.length > 1 ? merged(operators) : operators, spans, expertGroups };
}

function indexOfEqual<T extends object>(list: T[], value: T): number {
  const key = JSON.stringify(value, infinities);
  const found = list.findIndex((each) => JSON.stringify(each, infinities) === key);
  return found >= 0 ? found : list.push(value) - 1;
}

const infinities = (_key: string, value: unknown): unknown => (value === Infinity ? 'Infinity' : value);

/** Adds up operators of different layer groups that are the same per launch. */
function merged(operators: readonly Operator[]): readonly Operator[] {
  const groups = new Map<string, Operator>();
  for (const operator of operators) {
    const key = perLaunchKey(operator);
    const previous = groups.get(key);
    groups.set(key, previous === undefined ? operator : joined(previous, operator));
  }
  return [...groups.values()];
}

function perLaunchKey({ name, kind, count, weights, ranks, padding, terms, inputPass }: Operator): string {
  const perLaunch = [...terms, ...(inputPass === undefined ? [] : [inputPass])].map((each: Term) => [
    each.variable,
    ...[each.flops, each.weightBytes, each.keyValueBytes, each.activationBytes, each.linkBytes].map((value) =>
      (value / count).toPrecision(12),
    ),
  ]);
  return JSON.stringify([name, kind, weights, ranks, padding, perLaunch]);
}
