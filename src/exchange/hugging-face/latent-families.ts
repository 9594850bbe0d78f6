import { layerCount } from './dimensions.ts';
import { llamaLike } from './dense-families.ts';
import type { Family } from './family.ts';
import { plainExperts } from './feed-forward.ts';
import { maybeWhole, word } from './fields.ts';
import { latentPart, selectorOwners } from './latent-attention.ts';
import { neverWindowed } from './layer-kinds.ts';
import { decoderModules } from './multi-token.ts';
import { transformer, type TransformerTraits } from './transformer.ts';

const latent: TransformerTraits = {
  ...llamaLike,
  kinds: neverWindowed,
  // DeepSeek-OCR's decoder is a DeepSeek-V2 without latent attention.
  mixer: (fields, _kind, index) =>
    maybeWhole(fields, ['kv_lora_rank']) === undefined
      ? undefined
      : latentPart(fields, selectorOwners(fields, layerCount(fields))[index]),
  experts: (fields) => ({ ...plainExperts, routerBias: word(fields, 'topk_method') === 'noaux_tc' }),
};

/** Checkpoints of DeepSeek-V3 hold embedding and head once more in the MTP module, those of GLM-5 do not. */
const withCopies: TransformerTraits = { ...latent, multiToken: decoderModules(true) };
const withoutCopies: TransformerTraits = { ...latent, multiToken: decoderModules(false) };

/** Dense blocks where the file names no experts; scaled embeddings change no count. */
const miniCpm3: TransformerTraits = { ...latent, multiToken: () => 0 };

/** Models with one latent per token in place of keys and values. */
export const latentFamilies: readonly Family[] = [
  { types: ['deepseek_v2', 'deepseek_vl_v2'], tied: false, build: transformer(latent) },
  { types: ['deepseek_v3', 'deepseek_v32', 'kimi_k2', 'kimi_k25'], tied: false, build: transformer(withCopies) },
  { types: ['glm_moe_dsa'], tied: false, build: transformer(withoutCopies) },
  {
    types: ['glm4_moe_lite'],
    tied: false,
    build: transformer({ ...withoutCopies, experts: () => ({ ...plainExperts, routerBias: true }) }),
  },
  { types: ['minicpm3'], architectures: ['MiniCPM3ForCausalLM'], tied: true, build: transformer(miniCpm3) },
];
