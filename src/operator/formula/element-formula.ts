import { convolutionStateBytes, recurrentStateBytes } from '../../profile/key-value-bytes.ts';
import { activatedElements, rotatedElements } from '../element-wise.ts';
import { activationBytesPerElement } from '../linear.ts';
import type { Operator } from '../operator.ts';
import { unfused, unfusedName } from '../unfused.ts';
import {
  type CountFormula,
  counted,
  type FormulaContext,
  formula,
  type LayerShapes,
  layersOf,
  shared,
  size,
} from './formula.ts';

/** What runs between the products of a layer. */
export function elementWiseFormulas(
  operator: Operator,
  { shard }: LayerShapes,
  { amount, model }: FormulaContext,
): readonly CountFormula[] {
  if (operator.name === unfusedName) {
    const { products, nodes } = unfused(model.hiddenSize, shard);
    return [
      counted(
        'activationBytes',
        formula`${layersOf(operator, products + nodes)} * ${size('tokens', amount('tokens'))} * ${size('nodes', nodes)} * 2 * ${size('hidden size', model.hiddenSize)} * ${activationBytesPerElement}`,
      ),
    ];
  }
  const blocks = Number(shard.mixer.kind !== 'none') + Number(shard.feedForward.kind !== 'none');
  const elements = formula`(4 * ${size('blocks', blocks)} * ${size('hidden size', model.hiddenSize)} + 2 * ${size('rotated elements', rotatedElements(shard.mixer))} + ${size('activated elements', activatedElements(shard.feedForward))})`;
  return [
    counted(
      'activationBytes',
      formula`${layersOf(operator, 2 * blocks)} * ${size('tokens', amount('tokens'))} * ${elements} * ${activationBytesPerElement}`,
    ),
  ];
}

/** The recurrence of Mamba, delta nets and linear attention: fixed work a token, a fixed state a sequence. */
export function recurrenceFormulas(
  operator: Operator,
  { whole: { mixer: whole }, shard: { mixer: shard } }: LayerShapes,
  { amount }: FormulaContext,
): readonly CountFormula[] {
  if (whole.kind !== 'recurrent' || shard.kind !== 'recurrent') return [];
  const layers = layersOf(operator);
  const state = shared('state elements', whole.stateElements, shard.stateElements);
  const tail = shared('convolution elements', whole.convolutionElements, shard.convolutionElements);
  const work = shared('FLOPs of a token', whole.recurrenceFlops, shard.recurrenceFlops);
  return [
    counted('flops', formula`${layers} * ${size('tokens', amount('tokens'))} * ${work}`),
    counted(
      'keyValueBytes',
      formula`${layers} * ${size('sequences', amount('sequences'))} * 2 * (${state} * ${recurrentStateBytes} + ${tail} * ${convolutionStateBytes})`,
    ),
  ];
}

/** Rows of the input table in and out. */
export const embeddingFormulas = ({ amount, model }: FormulaContext): readonly CountFormula[] => [
  counted(
    'activationBytes',
    formula`${size('tokens', amount('tokens'))} * 2 * ${size('hidden size', model.hiddenSize)} * ${activationBytesPerElement}`,
  ),
];

/** The logits of every row, as often as choosing a token passes them. */
export const logitFormulas = ({ amount, model }: FormulaContext, bytesPerLogit: number): readonly CountFormula[] => [
  counted(
    'activationBytes',
    formula`${size('rows', amount('rows'))} * ${size('vocabulary', model.vocabulary)} * ${size('bytes of a logit', bytesPerLogit)}`,
  ),
];
