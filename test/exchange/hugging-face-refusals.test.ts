import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importHuggingFace } from '../../src/exchange/hugging-face/import-hugging-face.ts';
import { ConfigurationError } from '../../src/exchange/hugging-face/messages.ts';
import { ProfileError } from '../../src/profile/profile-error.ts';
import { modelToJson } from '../../src/profile/model-to-json.ts';
import { readModel } from '../../src/profile/read-model.ts';
import { deepseekV3, deepseekV4, gptOss120, llama, nemotronNano, qwenNext } from './hugging-face-configurations.ts';

const read = (config: unknown): unknown => importHuggingFace(config, {}, 'config.json');
const small = llama([64, 8, 4, 2, 128, 100]);

describe('what is refused', () => {
  it.each([
    [{ ...small, model_type: 'lama' }, "config.json: model type 'lama' is not understood, nearest known type 'llama'."],
    [{ ...small, model_type: 'rwkv7' }, "config.json: model type 'rwkv7' is not understood, no known type is near."],
    [
      { ...small, model_type: undefined, architectures: ['LlamaForCausalLM'] },
      'config.json: model_type is missing, and architectures names no known class, expected a Hugging Face config.json of a language model.',
    ],
    [[], 'config.json: the configuration is a list, expected a JSON object.'],
    [null, 'config.json: the configuration is null, expected a JSON object.'],
    [
      { ...small, hidden_size: undefined },
      'config.json: hidden_size (or n_embd, n_embed, d_model) is missing, expected the width of the model.',
    ],
    [{ ...small, hidden_size: '64' }, "config.json: hidden_size is '64', expected a whole number from 1 to 100000000."],
    [{ ...small, hidden_size: -64 }, 'config.json: hidden_size is -64, expected a whole number from 1 to 100000000.'],
    [
      { ...small, num_hidden_layers: Number.NaN },
      'config.json: num_hidden_layers is NaN, expected a whole number from 1 to 100000000.',
    ],
    [
      { ...small, num_hidden_layers: 50_000_000 },
      'config.json: num_hidden_layers is 50000000, expected at most 2000 layers.',
    ],
    [
      { ...small, num_key_value_heads: 3 },
      'config.json: num_key_value_heads is 3, expected a divisor of the 4 attention heads.',
    ],
    [
      { ...small, num_attention_heads: 6, num_key_value_heads: 6 },
      'config.json: num_attention_heads is 6, expected a divisor of the width 64.',
    ],
    [{ ...small, tie_word_embeddings: 'yes' }, "config.json: tie_word_embeddings is 'yes', expected true or false."],
    [
      { ...small, model_type: 'olmo3', layer_types: ['full_attention'] },
      'config.json: layer_types has 1 entries, expected one for each of the 8 layers.',
    ],
    [
      { ...nemotronNano, hybrid_override_pattern: 'MX' },
      /hybrid_override_pattern holds 'X', expected 'M', '\*', '-', 'E'/,
    ],
    [
      {
        model_type: 'opt',
        hidden_size: 1024,
        num_hidden_layers: 2,
        num_attention_heads: 4,
        max_position_embeddings: 8,
        vocab_size: 9,
        word_embed_proj_dim: 512,
      },
      /word_embed_proj_dim is 512, which is not modelled/,
    ],
    [
      { model_type: 'mistral3', text_config: { ...small, vocab_size: undefined } },
      'config.json: text_config.padded_vocab_size (or text_config.vocab_size) is missing, expected the rows of the embedding table.',
    ],
  ])('names what is wrong (%#)', (config, sentence) => {
    expect(() => read(config)).toThrow(sentence instanceof RegExp ? sentence : new ConfigurationError(sentence));
  });

  const anything = fc.oneof(
    fc.jsonValue(),
    fc.double(),
    fc.constantFrom(null, undefined, 0, -0, -1, 1e300, Number.NaN, 'auto', [], {}, true),
  );

  it.each([
    ['Llama', small],
    ['DeepSeek-V3', deepseekV3],
    ['DeepSeek-V4', deepseekV4],
    ['gpt-oss', gptOss120],
    ['Nemotron', nemotronNano],
    ['Qwen3-Next', qwenNext],
  ])('answers any change to a configuration of %s with a model or one sentence', (_name, config) => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(config)), anything, (key, value) => {
        try {
          const { model } = importHuggingFace({ ...config, [key]: value }, {}, 'config.json');
          expect(readModel(JSON.parse(modelToJson(model)), 'written').layers).toEqual(model.layers);
        } catch (error) {
          // A width so large that the profile refuses it is one sentence too.
          expect(error instanceof ConfigurationError || error instanceof ProfileError, String(error)).toBe(true);
          expect(error instanceof Error && !error.message.includes('\n')).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
