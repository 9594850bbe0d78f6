import { type Matrix, type MatrixName, mixerMatrices } from '../profile/layer-matrices.ts';
import type { Mixer, Recurrent } from '../profile/model.ts';
import type { Precision } from '../profile/precision.ts';
import { convolutionStateBytes, recurrentStateBytes } from '../profile/key-value-bytes.ts';
import { attentionOperators, type SpanIndex } from './attention.ts';
import { linear } from './linear.ts';
import { type Operator, term } from './operator.ts';

/** Matrices that engines run as one product, because they read the same input. */
const fusions: readonly { readonly name: string; readonly matrices: readonly MatrixName[] }[] = [
  { name: 'query, key and value projection', matrices: ['query', 'key', 'value', 'key-value'] },
  { name: 'latent projection', matrices: ['query-down', 'key-value-down'] },
  { name: 'query expansion', matrices: ['query-up'] },
  { name: 'key and value expansion', matrices: ['key-value-up'] },
  { name: 'selector projection', matrices: ['selector-query', 'selector-key', 'selector-weight'] },
  { name: 'output compression', matrices: ['output-down'] },
  { name: 'output projection', matrices: ['output', 'output-up'] },
  { name: 'auxiliary projections', matrices: ['auxiliary'] },
];

/** Operators of a (sharded) token mixer in one layer: its projections, and attention or recurrence. */
export function mixerOperators(
  hiddenSize: number,
  mixer: Mixer,
  precision: Precision,
  spanIndex: SpanIndex,
  fusedAttention: boolean,
): readonly Operator[] {
  switch (mixer.kind) {
    case 'attention':
    case 'latent-attention':
      return [
        ...projections(
          mixerMatrices(hiddenSize, mixer).map((matrix) => shaped(hiddenSize, matrix)),
          precision,
        ),
        ...attentionOperators(mixer, precision.keyValue.bits, spanIndex, fusedAttention),
      ];
    case 'recurrent':
      return recurrentOperators(hiddenSize, mixer, precision);
    case 'none':
      return [];
  }
}

/** What the profile keeps as a count of elements alone reads the hidden state: h x (elements / h). */
const shaped = (hiddenSize: number, matrix: Matrix): Matrix =>
  matrix.name === 'auxiliary' ? { ...matrix, inputs: hiddenSize, outputs: matrix.outputs / hiddenSize } : matrix;

function projections(matrices: readonly Matrix[], precision: Precision): readonly Operator[] {
  return fusions.flatMap(({ name, matrices: names }) => {
    const members = matrices.filter((matrix) => names.includes(matrix.name));
    return members.length === 0 ? [] : [linear(name, members, precision.attention, precision.activations)];
  });
}

/**
 * Mamba, delta nets and linear attention: projections like any matrix, and a recurrence that reads and writes the
 * fixed state of each sequence once a step.
 */
function recurrentOperators(hiddenSize: number, mixer: Recurrent, precision: Precision): readonly Operator[] {
  // The profile keeps the projections as one count; in and out projections together are h x (elements / h).
  const projection: Matrix = {
    name: 'recurrent',
    inputs: hiddenSize,
    outputs: mixer.matrixParameters / hiddenSize,
    count: 1,
  };
  const stateBytes = mixer.stateElements * recurrentStateBytes + mixer.convolutionElements * convolutionStateBytes;
  return [
    { ...linear('recurrent projections', [projection], precision.attention, precision.activations), count: 2 },
    {
      name: 'recurrence',
      kind: 'recurrence',
      count: 1,
      terms: [term('tokens', { flops: mixer.recurrenceFlops }), term('sequences', { keyValueBytes: 2 * stateBytes })],
    },
  ];
}
