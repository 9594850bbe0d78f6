import { headCount, headSize, hiddenSize, vocabulary } from './dimensions.ts';
import type { Anatomy, Family } from './family.ts';
import { densePart } from './feed-forward.ts';
import { type Fields, flag, maybeWhole, raw, whole } from './fields.ts';
import { globalAndLocal, neverWindowed } from './layer-kinds.ts';
import { ConfigurationError, unsupported } from './messages.ts';
import { biases, fixed, transformer, type TransformerTraits } from './transformer.ts';

/** LayerNorm twice a layer, plain MLP, biases everywhere: GPT-2 and its generation. */
const gptLike: TransformerTraits = {
  norm: 'layer',
  normsPerLayer: fixed(2),
  gated: false,
  bias: biases(true, true),
  mlpBias: fixed(true),
  kinds: neverWindowed,
};

const gptJ: TransformerTraits = {
  ...gptLike,
  normsPerLayer: fixed(1),
  bias: biases(false, false),
  parallel: fixed(true),
  headBias: fixed(true),
};

const phi: TransformerTraits = {
  ...gptLike,
  normsPerLayer: fixed(1),
  parallel: fixed(true),
  headBias: fixed(true),
  // One LayerNorm each for queries and keys, over a head.
  layerVectors: (fields) => (flag(fields, ['qk_layernorm'], false) ? 4 * headSize(fields) : 0),
};

const falcon: TransformerTraits = {
  ...gptLike,
  normsPerLayer: falconNorms,
  bias: (fields) => ({ queryKeyValue: flag(fields, ['bias'], false), output: flag(fields, ['bias'], false) }),
  mlpBias: (fields) => flag(fields, ['bias'], false),
  parallel: (fields) => newFalcon(fields) || flag(fields, ['parallel_attn'], true),
};

const mpt: TransformerTraits = {
  ...gptLike,
  norm: 'layer-without-bias',
  bias: biases(false, false),
  mlpBias: fixed(false),
  notes: (fields) => (raw(fields, 'no_bias') === false ? ['no_bias is false: biases are not counted.'] : []),
};

/** Transformers of the years before Llama, and those that kept their form. */
export const classicFamilies: readonly Family[] = [
  { types: ['gpt2'], tied: true, build: transformer({ ...gptLike, lookups: learnedPositions(0) }) },
  { types: ['gpt_bigcode'], tied: true, build: transformer({ ...gptLike, lookups: learnedPositions(0) }) },
  {
    types: ['gpt_neo'],
    tied: true,
    build: transformer({
      ...gptLike,
      bias: biases(false, true),
      lookups: learnedPositions(0),
      kinds: globalAndLocal,
    }),
  },
  // Positions are offset by two rows.
  { types: ['opt'], tied: true, build: transformer({ ...gptLike, lookups: optLookups }) },
  {
    types: ['xglm'],
    tied: true,
    build: transformer({ ...gptLike, block: (fields) => densePart(fields, false, true) }),
  },
  {
    types: ['bloom'],
    tied: true,
    build: transformer({ ...gptLike, embeddingVectors: (fields) => 2 * hiddenSize(fields) }),
  },
  { types: ['gptj', 'codegen'], tied: 'never', build: transformer(gptJ) },
  {
    types: ['gpt_neox'],
    tied: false,
    build: transformer({
      ...gptLike,
      bias: (fields) => {
        const all = flag(fields, ['attention_bias'], true);
        return { queryKeyValue: all, output: all };
      },
      parallel: (fields) => flag(fields, ['use_parallel_residual'], true),
    }),
  },
  { types: ['phi', 'phi-msft'], tied: 'never', build: transformer(phi) },
  // Norms of query and key are LayerNorms over a head.
  {
    types: ['persimmon'],
    tied: false,
    build: transformer({
      ...gptLike,
      layerVectors: (fields) => (flag(fields, ['qk_layernorm'], true) ? 4 * headSize(fields) : 0),
    }),
  },
  { types: ['falcon', 'RefinedWeb', 'RefinedWebModel'], tied: true, build: transformer(falcon) },
  { types: ['mpt'], tied: true, build: transformer(mpt) },
  {
    types: ['chatglm'],
    tied: 'never',
    build: (fields) => (raw(fields, 'inner_hidden_size') === undefined ? chatGlm2(fields) : chatGlm1(fields)),
  },
];

/** ChatGLM 2, 3 and GLM-4-9B: a Llama in other words, with biases on query, key and value. */
const chatGlm2 = transformer({
  norm: 'rms',
  normsPerLayer: fixed(2),
  gated: true,
  bias: (fields) => {
    const all = flag(fields, ['add_bias_linear'], false);
    return { queryKeyValue: all || flag(fields, ['add_qkv_bias'], false), output: all };
  },
  mlpBias: (fields) => flag(fields, ['add_bias_linear'], false),
  kinds: neverWindowed,
});

/** ChatGLM-6B of the first generation: GPT-like, with rotary positions in two dimensions. */
const gptGlm = transformer(gptLike);

/** Its head is the embedding table: 6,173,286,400 parameters as loaded. */
function chatGlm1(fields: Fields): Anatomy {
  return { ...gptGlm(fields), tied: flag(fields, ['tie_word_embeddings'], true) };
}

function learnedPositions(extraRows: number): (fields: Fields) => number {
  return (fields) => {
    const rows = whole(fields, ['n_positions', 'n_ctx', 'max_position_embeddings'], 'the rows of learned positions');
    return (rows + extraRows) * hiddenSize(fields);
  };
}

function optLookups(fields: Fields): number {
  const width = hiddenSize(fields);
  const embedded = maybeWhole(fields, ['word_embed_proj_dim']) ?? width;
  if (embedded !== width) {
    const why = `the embedding table of ${vocabulary(fields)} rows is narrower than the width ${width}`;
    throw new ConfigurationError(unsupported(fields.where, 'word_embed_proj_dim', embedded, why));
  }
  return learnedPositions(2)(fields);
}

/** Falcon-7B has one norm for its parallel blocks, 40B and 180B one for each, Falcon 2 again one. */
function falconNorms(fields: Fields): number {
  if (newFalcon(fields)) return maybeWhole(fields, ['num_ln_in_parallel_attn']) ?? 2;
  return flag(fields, ['parallel_attn'], true) ? 1 : 2;
}

/** Falcon-40B predates the field: `RefinedWeb` with `n_head_kv` of 8. */
function newFalcon(fields: Fields): boolean {
  const grouped = maybeWhole(fields, ['n_head_kv']) ?? headCount(fields);
  return flag(fields, ['new_decoder_architecture'], grouped < headCount(fields));
}
