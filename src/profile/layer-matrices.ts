import type { Attention, Experts, FeedForward, LatentAttention, Mixer, SparseSelector } from './model.ts';

/** A weight matrix that every token which reaches it multiplies: `inputs` x `outputs` elements, `count` of them. */
export interface Matrix {
  readonly name: MatrixName;
  readonly inputs: number;
  readonly outputs: number;
  readonly count: number;
}

export type MatrixName =
  | 'query'
  | 'query-down'
  | 'query-up'
  | 'key'
  | 'value'
  | 'key-value'
  | 'key-value-down'
  | 'key-value-up'
  | 'output'
  | 'output-down'
  | 'output-up'
  | 'selector-query'
  | 'selector-key'
  | 'selector-weight'
  | 'auxiliary'
  | 'recurrent'
  | 'linear'
  | 'up'
  | 'gate'
  | 'down'
  | 'router'
  | 'expert'
  | 'shared-expert'
  | 'latent-down'
  | 'latent-up';

/**
 * Matrices of a token mixer for a hidden size. Shapes of one layer, unsharded; recurrent mixers appear as one
 * matrix of all their projection elements.
 */
export function mixerMatrices(hiddenSize: number, mixer: Mixer): readonly Matrix[] {
  if (mixer.kind === 'none') return [];
  if (mixer.kind === 'recurrent') return [matrix('recurrent', 1, mixer.matrixParameters)];
  if (mixer.kind === 'latent-attention') return latentAttention(hiddenSize, mixer);
  return mixer.compressed === undefined
    ? plainAttention(hiddenSize, mixer)
    : compressedAttention(hiddenSize, mixer, mixer.compressed);
}

/** Matrices of a feed-forward block. Routed experts appear with `count` experts, each as one matrix of all its elements. */
export function feedForwardMatrices(hiddenSize: number, block: FeedForward): readonly Matrix[] {
  if (block.kind === 'none') return [];
  if (block.kind === 'linear') return [matrix('linear', hiddenSize, hiddenSize)];
  if (block.kind === 'dense') return multilayer(hiddenSize, block.width, block.gated);
  return expertBlock(hiddenSize, block);
}

/** Elements of one routed expert's matrices. */
export function expertElements(hiddenSize: number, block: Experts): number {
  return (block.gated ? 3 : 2) * (block.latentSize ?? hiddenSize) * block.width;
}

/** Elements of a list of matrices. */
export function elements(matrices: readonly Matrix[]): number {
  return matrices.reduce((sum, { inputs, outputs, count }) => sum + inputs * outputs * count, 0);
}

function plainAttention(hiddenSize: number, mixer: Attention): readonly Matrix[] {
  const queries = mixer.heads * mixer.keySize * (mixer.gated ? 2 : 1);
  const key = matrix('key', hiddenSize, mixer.keyValueHeads * mixer.keySize);
  const value = matrix('value', hiddenSize, mixer.keyValueHeads * mixer.valueSize);
  const keyValue = { own: [key, value], 'key-is-value': [key], shared: [] }[mixer.keyValue];
  return [
    matrix('query', hiddenSize, queries),
    ...keyValue,
    matrix('output', mixer.heads * mixer.valueSize, hiddenSize),
    ...selector(hiddenSize, hiddenSize, mixer.sparse),
  ];
}

function latentAttention(hiddenSize: number, mixer: LatentAttention): readonly Matrix[] {
  const queries = mixer.heads * (mixer.nopeSize + mixer.ropeSize);
  const query =
    mixer.queryRank === undefined
      ? [matrix('query', hiddenSize, queries)]
      : [matrix('query-down', hiddenSize, mixer.queryRank), matrix('query-up', mixer.queryRank, queries)];
  return [
    ...query,
    matrix('key-value-down', hiddenSize, mixer.keyValueRank + mixer.ropeSize),
    matrix('key-value-up', mixer.keyValueRank, mixer.heads * (mixer.nopeSize + mixer.valueSize)),
    matrix('output', mixer.heads * mixer.valueSize, hiddenSize),
    ...selector(hiddenSize, mixer.queryRank ?? hiddenSize, mixer.sparse),
  ];
}

function compressedAttention(
  hiddenSize: number,
  mixer: Attention,
  low: NonNullable<Attention['compressed']>,
): readonly Matrix[] {
  const queries = mixer.heads * mixer.keySize;
  return [
    matrix('query-down', hiddenSize, low.queryRank),
    matrix('query-up', low.queryRank, queries),
    matrix('key-value', hiddenSize, mixer.keyValueHeads * mixer.keySize),
    matrix('output-down', queries / low.outputGroups, low.outputRank, low.outputGroups),
    matrix('output-up', low.outputGroups * low.outputRank, hiddenSize),
    // The selector's keys come out of its own compressor, which is part of the auxiliary matrices.
    ...selector(hiddenSize, low.queryRank, mixer.sparse).filter(({ name }) => name !== 'selector-key'),
    matrix('auxiliary', 1, low.auxiliaryParameters),
  ];
}

/** DeepSeek sparse attention's indexer: queries from `queryInputs`, one key head, one weight per head. */
function selector(hiddenSize: number, queryInputs: number, sparse: SparseSelector | undefined): readonly Matrix[] {
  if (sparse === undefined || sparse.heads === 0) return [];
  return [
    matrix('selector-query', queryInputs, sparse.heads * sparse.headSize),
    matrix('selector-key', hiddenSize, sparse.headSize),
    matrix('selector-weight', hiddenSize, sparse.heads),
  ];
}

function multilayer(hiddenSize: number, width: number, gated: boolean): readonly Matrix[] {
  const up = matrix('up', hiddenSize, width);
  const down = matrix('down', width, hiddenSize);
  return gated ? [matrix('gate', hiddenSize, width), up, down] : [up, down];
}

function expertBlock(hiddenSize: number, block: Experts): readonly Matrix[] {
  const parts = block.gated ? 3 : 2;
  const latent =
    block.latentSize === undefined
      ? []
      : [matrix('latent-down', hiddenSize, block.latentSize), matrix('latent-up', block.latentSize, hiddenSize)];
  const shared = block.sharedWidth === 0 ? [] : [matrix('shared-expert', hiddenSize, parts * block.sharedWidth)];
  return [
    matrix('router', hiddenSize, block.experts),
    matrix('expert', block.latentSize ?? hiddenSize, parts * block.width, block.experts),
    ...shared,
    ...latent,
    ...(block.denseWidth === 0 ? [] : multilayer(hiddenSize, block.denseWidth, block.gated)),
  ];
}

function matrix(name: MatrixName, inputs: number, outputs: number, count = 1): Matrix {
  return { name, inputs, outputs, count };
}
