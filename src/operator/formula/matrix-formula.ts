import type { Matrix } from '../../profile/layer-matrices.ts';
import type { Attention, LatentAttention } from '../../profile/model.ts';
import { activationBytesPerElement } from '../linear.ts';
import type { Operator } from '../operator.ts';
import {
  type CountFormula,
  counted,
  type Formula,
  type FormulaContext,
  formula,
  type LayerShapes,
  layersOf,
  shared,
  size,
  sum,
} from './formula.ts';

/** How FLOPs and bytes of a matrix product follow from its rows and the matrices' sides. */
export function matrixFormulas(
  operator: Operator,
  layer: LayerShapes | undefined,
  context: FormulaContext,
): readonly CountFormula[] {
  const { matrices = [], weights } = operator;
  const flopTerm = operator.terms.find(({ flops }) => flops > 0);
  const passTerm = operator.terms.find(({ activationBytes }) => activationBytes > 0);
  const [first] = matrices;
  if (first === undefined || weights === undefined || flopTerm === undefined || passTerm === undefined) return [];
  // The two halves of a recurrent projection are two launches of one count.
  const layers = layersOf(operator, first.name === 'recurrent' ? 2 : 1);
  const inAll = layer === undefined ? { words: '', numbers: '' } : formula`${layers} * `;
  const elements = elementsOf(matrices, layer, context);
  const rows = context.amount(passTerm.variable);
  const charged = context.amount(flopTerm.variable);
  const rowsName = passTerm.variable === 'rows' ? 'rows' : 'tokens';
  const inputs = first.inputs * first.count;
  const outputs = matrices.reduce((total, matrix) => total + matrix.outputs * matrix.count, 0);
  return [
    counted(
      'flops',
      formula`${inAll}2 * ${size(charged === rows ? rowsName : `charged ${rowsName}`, charged)} * ${elements}`,
    ),
    counted('weightBytes', formula`${inAll}${elements} * ${size('bits', weights.bits)} / 8`),
    counted(
      'activationBytes',
      formula`${inAll}${size(rowsName, rows)} * (${size('inputs', inputs)} + ${size('outputs', outputs)}) * ${activationBytesPerElement}`,
    ),
  ];
}

/** Elements of fused matrices: what shares an input is one sum of outputs. */
function elementsOf(matrices: readonly Matrix[], layer: LayerShapes | undefined, context: FormulaContext): Formula {
  const sides = matrices.map((matrix) => sidesOf(matrix, layer, context));
  const inputs = [...new Set(sides.map(({ inputs: { numbers } }) => numbers))];
  return sum(
    inputs.flatMap((numbers) => {
      const group = sides.filter((each) => each.inputs.numbers === numbers);
      const [first] = group;
      if (first === undefined) return [];
      const together = headsTogether(matrices, layer) ?? sumOf(group.map(({ outputs }) => outputs));
      return [formula`${first.inputs} * ${together}`];
    }),
  );
}

/** Equal sides (gate and up) as a product. */
function sumOf(outputs: readonly Formula[]): Formula {
  const [first] = outputs;
  return first !== undefined &&
    outputs.length > 1 &&
    outputs.every(({ words, numbers }) => words === first.words && numbers === first.numbers)
    ? formula`${outputs.length} * ${first}`
    : sum(outputs);
}

interface Sides {
  readonly inputs: Formula;
  /** Times the number of such matrices, where there are several. */
  readonly outputs: Formula;
}

/** '(heads + 2 * KV heads) * head size', where keys and values are of one size. */
function headsTogether(matrices: readonly Matrix[], layer: LayerShapes | undefined): Formula | undefined {
  const names = matrices.map(({ name }) => name).join(' ');
  if (layer?.whole.mixer.kind !== 'attention' || layer.shard.mixer.kind !== 'attention') return undefined;
  const { whole, shard } = { whole: layer.whole.mixer, shard: layer.shard.mixer };
  if (names !== 'query key value' || whole.gated || whole.keySize !== whole.valueSize) return undefined;
  return formula`(${headsOf(whole, shard)} + 2 * ${keyValueHeadsOf(whole, shard)}) * ${size('head size', whole.keySize)}`;
}

export const headsOf = (whole: Attention | LatentAttention, shard: Attention | LatentAttention): Formula =>
  shared('heads', whole.heads, shard.heads);

export const keyValueHeadsOf = (whole: Attention, shard: Attention): Formula =>
  shared('KV heads', whole.keyValueHeads, shard.keyValueHeads);

function sidesOf(matrix: Matrix, layer: LayerShapes | undefined, { model, parallelism }: FormulaContext): Sides {
  const hidden = size('hidden size', model.hiddenSize);
  const plain: Sides = {
    inputs: matrix.inputs === model.hiddenSize ? hidden : size('inputs', matrix.inputs),
    outputs:
      matrix.outputs === model.hiddenSize
        ? formula`${hidden}${times(matrix.count)}`
        : formula`${size('outputs', matrix.outputs)}${times(matrix.count)}`,
  };
  if (layer === undefined) {
    // The head: its columns are shared; what else stands outside of the layers is whole on each rank.
    const columns = model.vocabulary / parallelism.tensor;
    return matrix.outputs === columns
      ? { inputs: hidden, outputs: shared('vocabulary', model.vocabulary, columns) }
      : plain;
  }
  return mixerSides(matrix, layer, hidden) ?? blockSides(matrix, layer, hidden) ?? plain;
}

const times = (count: number): Formula => (count === 1 ? { words: '', numbers: '' } : formula` * ${count}`);

function mixerSides({ name, count }: Matrix, { whole, shard }: LayerShapes, hidden: Formula): Sides | undefined {
  const [of, share] = [whole.mixer, shard.mixer];
  if (of.kind === 'attention' && share.kind === 'attention') return attentionSides(name, count, of, share, hidden);
  if (of.kind !== 'latent-attention' || share.kind !== 'latent-attention') return undefined;
  const heads = headsOf(of, share);
  const [rank, nope, rope] = [
    size('KV rank', of.keyValueRank),
    size('nope size', of.nopeSize),
    size('rope size', of.ropeSize),
  ];
  const queryRank = size('query rank', of.queryRank ?? 0);
  const value = size('value size', of.valueSize);
  const sides: Readonly<Partial<Record<Matrix['name'], Sides>>> = {
    query: { inputs: hidden, outputs: formula`${heads} * (${nope} + ${rope})` },
    'query-down': { inputs: hidden, outputs: queryRank },
    'query-up': { inputs: queryRank, outputs: formula`${heads} * (${nope} + ${rope})` },
    'key-value-down': { inputs: hidden, outputs: formula`(${rank} + ${rope})` },
    'key-value-up': { inputs: rank, outputs: formula`${heads} * (${nope} + ${value})` },
    output: { inputs: formula`${heads} * ${value}`, outputs: hidden },
  };
  return sides[name];
}

function attentionSides(
  name: Matrix['name'],
  count: number,
  whole: Attention,
  shard: Attention,
  hidden: Formula,
): Sides | undefined {
  const heads = headsOf(whole, shard);
  const keyHeads = keyValueHeadsOf(whole, shard);
  const [key, value] = [size('key size', whole.keySize), size('value size', whole.valueSize)];
  const sides: Readonly<Partial<Record<Matrix['name'], Sides>>> = {
    query: { inputs: hidden, outputs: whole.gated ? formula`${heads} * ${key} * 2` : formula`${heads} * ${key}` },
    key: { inputs: hidden, outputs: formula`${keyHeads} * ${key}` },
    'key-value': { inputs: hidden, outputs: formula`${keyHeads} * ${key}` },
    value: { inputs: hidden, outputs: formula`${keyHeads} * ${value}` },
    output: { inputs: formula`${heads} * ${value}`, outputs: hidden },
    'query-up': { inputs: size('query rank', whole.compressed?.queryRank ?? 0), outputs: formula`${heads} * ${key}` },
    'output-down': {
      inputs: formula`${heads} * ${key} / ${size('groups', count)}`,
      outputs: formula`${size('output rank', whole.compressed?.outputRank ?? 0)} * ${size('groups', count)}`,
    },
  };
  return sides[name];
}

function blockSides(matrix: Matrix, { whole, shard }: LayerShapes, hidden: Formula): Sides | undefined {
  const [of, share] = [whole.feedForward, shard.feedForward];
  if (matrix.name === 'recurrent' && whole.mixer.kind === 'recurrent' && shard.mixer.kind === 'recurrent') {
    const { matrixParameters } = whole.mixer;
    return {
      inputs: shared('elements of all projections', matrixParameters, shard.mixer.matrixParameters),
      outputs: size('1', 1),
    };
  }
  if (matrix.name !== 'up' && matrix.name !== 'gate' && matrix.name !== 'down') {
    return matrix.name === 'router' ? { inputs: hidden, outputs: size('experts', matrix.outputs) } : undefined;
  }
  const inner = matrix.name === 'down' ? matrix.inputs : matrix.outputs;
  const width = widthOf(inner, of, share);
  return matrix.name === 'down' ? { inputs: width, outputs: hidden } : { inputs: hidden, outputs: width };
}

/** The width of an MLP, or of one of those beside routed experts, as a share of the whole. */
function widthOf(
  inner: number,
  of: LayerShapes['whole']['feedForward'],
  share: LayerShapes['whole']['feedForward'],
): Formula {
  if (of.kind === 'dense' && share.kind === 'dense') return shared('width', of.width, share.width);
  if (of.kind === 'experts' && share.kind === 'experts') {
    return inner === share.sharedWidth && share.sharedWidth > 0
      ? shared('shared width', of.sharedWidth, share.sharedWidth)
      : shared('width', of.denseWidth, share.denseWidth);
  }
  return size('width', inner);
}
