import { combineBytes, dispatchBytes } from '../collective.ts';
import { activationBytesPerElement } from '../linear.ts';
import type { Operator } from '../operator.ts';
import { type CountFormula, counted, type FormulaContext, formula, layersOf, size } from './formula.ts';

/** Bytes that each rank sends, by the shape of the exchange. */
export function collectiveFormulas(
  operator: Operator,
  { amount, model, parallelism }: FormulaContext,
): readonly CountFormula[] {
  const { tensor, pipeline, expert } = parallelism;
  const hidden = size('hidden size', model.hiddenSize);
  const tokens = size('tokens', amount('tokens'));
  const ranks = size('ranks', operator.ranks ?? tensor);
  switch (operator.kind) {
    case 'all-reduce':
      return operator.name === 'gather of logits'
        ? [
            counted(
              'linkBytes',
              formula`${size('rows', amount('rows'))} * ${size('vocabulary', model.vocabulary)} * ${activationBytesPerElement} * (${ranks} - 1) / ${ranks}`,
            ),
          ]
        : [
            counted(
              'linkBytes',
              formula`${size('all-reduces', operator.count)} * 2 * (${ranks} - 1) / ${ranks} * ${tokens} * ${hidden} * ${activationBytesPerElement}`,
            ),
          ];
    case 'send':
      return [
        counted(
          'linkBytes',
          formula`(${size('stages', pipeline)} - 1) * ${tokens} * ${hidden} * ${activationBytesPerElement}`,
        ),
      ];
    case 'all-to-all': {
      const active = activeOf(operator);
      const distinct = formula`${ranks} * (1 - (1 - 1 / ${ranks}) ^ ${size('experts of a token', active)})`;
      return [
        counted(
          'linkBytes',
          formula`${layersOf(operator, 2)} * ${tokens} * ${distinct} * ${hidden} * (${size('bytes out', dispatchBytes)} + ${size('bytes back', combineBytes)}) * (${size('EP', expert)} - 1) / ${size('EP', expert)} / ${size('TP', tensor)}`,
        ),
      ];
    }
    default:
      return [];
  }
}

const activeOf = ({ layer }: Operator): number =>
  layer?.feedForward.kind === 'experts' ? layer.feedForward.active : 0;
