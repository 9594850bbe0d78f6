import type { Operator } from '../operator.ts';
import { shardLayer } from '../shard.ts';
import { attentionFormulas } from './attention-formula.ts';
import { collectiveFormulas } from './collective-formula.ts';
import { elementWiseFormulas, embeddingFormulas, logitFormulas, recurrenceFormulas } from './element-formula.ts';
import { expertsFormulas } from './experts-formula.ts';
import type { CountFormula, FormulaContext, LayerShapes } from './formula.ts';
import { filterName } from '../sampling.ts';
import { matrixFormulas } from './matrix-formula.ts';

/**
 * How every count of an operator follows from shapes, written a second time from the architecture: a test holds each
 * formula against what the operator counts.
 */
export function countFormulas(operator: Operator, context: FormulaContext): readonly CountFormula[] {
  const { layer: whole } = operator;
  const layer: LayerShapes | undefined =
    whole === undefined ? undefined : { whole, shard: shardLayer(whole, context.parallelism, context.dividesKeyValue) };
  switch (operator.kind) {
    case 'gemm':
      return matrixFormulas(operator, layer, context);
    case 'prefill-attention':
    case 'decode-attention':
    case 'latent-prefill':
    case 'latent-decode':
      return layer === undefined ? [] : attentionFormulas(operator, layer, context);
    case 'experts':
      return layer === undefined ? [] : expertsFormulas(operator, layer, context);
    case 'recurrence':
      return layer === undefined ? [] : recurrenceFormulas(operator, layer, context);
    case 'element-wise':
      if (layer !== undefined) return elementWiseFormulas(operator, layer, context);
      return modelFormulas(operator, context);
    case 'all-reduce':
    case 'all-to-all':
    case 'send':
      return collectiveFormulas(operator, context);
  }
}

/** What runs before and after the layers. */
function modelFormulas({ name }: Operator, context: FormulaContext): readonly CountFormula[] {
  const { choice, filter } = context.logits;
  if (name === filterName) return logitFormulas(context, filter?.bytesPerLogit ?? 0);
  return name === 'sampling' ? logitFormulas(context, choice.bytesPerLogit) : embeddingFormulas(context);
}
