import type { Mixer } from '../../profile/model.ts';
import { layerParameters } from '../../profile/parameter-count.ts';
import { hiddenSize, vocabulary } from './dimensions.ts';
import type { Layer } from './family.ts';
import { type Fields, maybeWhole } from './fields.ts';

/**
 * Multi-token-prediction modules in DeepSeek's form: a decoder layer like the last one, a projection of two hidden
 * states to one, norms of both and of the head; `copies` where the checkpoint stores embedding and head again.
 */
export function decoderModules(copies: boolean): (fields: Fields, layers: readonly Layer[]) => number {
  return (fields, layers) => {
    const modules = maybeWhole(fields, ['num_nextn_predict_layers'], 0) ?? 0;
    // GLM-5.2's module owns a selector although its last layers share one.
    const last = layers.findLast(({ mixer }) => !sharesSelector(mixer)) ?? layers.at(-1);
    if (modules === 0 || last === undefined) return 0;
    const width = hiddenSize(fields);
    const tables = copies ? 2 * vocabulary(fields) * width : 0;
    return modules * (layerParameters(width, last) + joint(width) + tables);
  };
}

/** Qwen3-Next and Qwen3.5: one full-attention layer, whether or not the configuration mentions it. */
export function attentionModule(fields: Fields, layers: readonly Layer[]): number {
  const modules = maybeWhole(fields, ['mtp_num_hidden_layers'], 0) ?? 1;
  const last = layers.findLast(({ mixer }) => mixer.kind === 'attention');
  if (last === undefined) return 0;
  const width = hiddenSize(fields);
  return modules * layerParameters(width, last) + joint(width);
}

function sharesSelector(mixer: Mixer): boolean {
  return mixer.kind === 'latent-attention' && mixer.sparse?.heads === 0;
}

/** Projection of embedding and hidden state to one, two input norms and a final norm. */
export function joint(width: number): number {
  return 2 * width * width + 3 * width;
}
