import { combineBytes, dispatchBytes } from '../collective.ts';
import { activationBytesPerElement } from '../linear.ts';
import type { Operator } from '../operator.ts';
import { type CountFormula, counted, type Formula, type FormulaContext, formula, layersOf, size } from './formula.ts';

/** Bytes that each rank sends, by the shape of the exchange. */
export function collectiveFormulas(
  operator: Operator,
  { amount, model, parallelism }: FormulaContext,
): readonly CountFormula[] {
  const { tensor, pipeline, expert } = parallelism;
  const hidden = size('hidden size', model.hiddenSize);
  const tokens = size('tokens', amount('tokens'));
  const ranks = size('ranks', operator.ranks ?? tensor);
  const { kind, name, count } = operator;
  if (kind === 'send') {
    return message(formula`(${size('stages', pipeline)} - 1) * ${tokens} * ${hidden} * ${activationBytesPerElement}`);
  }
  if (kind === 'all-to-all') {
    const distinct = formula`${ranks} * (1 - (1 - 1 / ${ranks}) ^ ${size('experts of a token', activeOf(operator))})`;
    const sent = formula`(${size('bytes out', dispatchBytes)} + ${size('bytes back', combineBytes)})`;
    return message(
      formula`${layersOf(operator, 2)} * ${tokens} * ${distinct} * ${hidden} * ${sent} * (${size('EP', expert)} - 1) / ${size('EP', expert)} / ${size('TP', tensor)}`,
    );
  }
  if (name === 'gather of logits') {
    return message(
      formula`${size('rows', amount('rows'))} * ${size('vocabulary', model.vocabulary)} * ${activationBytesPerElement} * (${ranks} - 1) / ${ranks}`,
    );
  }
  return message(
    formula`${size('all-reduces', count)} * 2 * (${ranks} - 1) / ${ranks} * ${tokens} * ${hidden} * ${activationBytesPerElement}`,
  );
}

const message = (bytes: Formula): readonly CountFormula[] => [counted('linkBytes', bytes)];

const activeOf = ({ layer }: Operator): number =>
  layer?.feedForward.kind === 'experts' ? layer.feedForward.active : 0;
