import { activationBytesPerElement } from '../linear.ts';
import type { Operator } from '../operator.ts';
import { expertTensorRanks } from '../shard.ts';
import { busiestShare } from '../visited-experts.ts';
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

/** How FLOPs and bytes of routed experts follow from visits, and from the experts that some token visits. */
export function expertsFormulas(
  operator: Operator,
  { whole: { feedForward: whole }, shard: { feedForward: shard } }: LayerShapes,
  { amount, model, parallelism, precision, evenRanks }: FormulaContext,
): readonly CountFormula[] {
  if (whole.kind !== 'experts' || shard.kind !== 'experts') return [];
  const layers = layersOf(operator);
  const variable = (prefix: string): number =>
    operator.terms.reduce((found, each) => (each.variable.startsWith(prefix) ? amount(each.variable) : found), 0);
  const width = shared('expert width', whole.width, shard.width, expertTensorRanks(parallelism));
  const inputs =
    whole.latentSize === undefined ? size('hidden size', model.hiddenSize) : size('latent size', whole.latentSize);
  const parts = size('matrices', whole.gated ? 3 : 2);
  const elements = formula`${parts} * ${inputs} * ${width}`;
  const visits = variable('chargedVisits/');
  const evenly = (whole.active * (parallelism.expert > 1 ? parallelism.data : 1)) / parallelism.expert;
  const ranks = evenRanks ? 1 : parallelism.expert;
  const busiest = busiestShare(whole.experts / parallelism.expert, whole.active / whole.experts, ranks);
  const perToken =
    busiest === 1
      ? size('visits of a token', evenly)
      : formula`${size('visits of a token', evenly)} * ${size('tokens of the busiest rank over the mean', busiest)}`;
  const touched = size('experts visited', variable('touchedExperts/'));
  return [
    counted('flops', formula`${layers} * 2 * ${size('visits', visits)} * ${elements}`),
    counted('weightBytes', formula`${layers} * ${touched} * ${elements} * ${size('bits', precision.experts.bits)} / 8`),
    counted(
      'activationBytes',
      formula`${layers} * ${size('tokens', amount('tokens'))} * (2 * ${inputs} + ${perToken} * (2 * ${inputs} + ${parts} * ${width})) * ${activationBytesPerElement}`,
    ),
  ];
}
