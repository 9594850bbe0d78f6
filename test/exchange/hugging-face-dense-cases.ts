import { type KnownConfiguration, llama } from './hugging-face-configurations.ts';

/** Llama-shaped dense models. */
export const denseCases: readonly KnownConfiguration[] = [
  { name: 'Llama 2 7B', config: llama([4096, 32, 32, 32, 11008, 32000]), total: 6738415616, trap: 'plain' },
  {
    name: 'LLaMA 13B',
    config: { ...llama([5120, 40, 40, 40, 13824, 32000]), num_key_value_heads: null },
    total: 13015864320,
    trap: 'null key-value heads mean one per head',
  },
  {
    name: 'Llama 3.2 1B',
    config: llama([2048, 16, 32, 8, 8192, 128256], { head_dim: 64, tie_word_embeddings: true }),
    total: 1235814400,
    trap: 'tied head',
  },
  {
    name: 'Mistral Nemo 12B',
    config: llama([5120, 40, 32, 8, 14336, 131072], { model_type: 'mistral', head_dim: 128, sliding_window: null }),
    total: 12247782400,
    trap: 'head_dim x heads is not the width',
  },
  {
    name: 'Qwen2 7B',
    config: llama([3584, 28, 28, 4, 18944, 152064], {
      model_type: 'qwen2',
      sliding_window: 131072,
      use_sliding_window: false,
    }),
    total: 7615616512,
    trap: 'biases that no field announces',
  },
  {
    name: 'Qwen 7B',
    config: {
      model_type: 'qwen',
      hidden_size: 4096,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      kv_channels: 128,
      intermediate_size: 22016,
      vocab_size: 151936,
      seq_length: 8192,
    },
    total: 7721324544,
    trap: 'intermediate size counts both halves',
  },
  {
    name: 'Qwen3 8B',
    config: llama([4096, 36, 32, 8, 12288, 151936], { model_type: 'qwen3', head_dim: 128 }),
    total: 8190735360,
    trap: 'norms of query and key',
  },
  {
    name: 'Phi-3 medium',
    config: llama([5120, 40, 40, 10, 17920, 32064], { model_type: 'phi3', sliding_window: 2047 }),
    total: 13960238080,
    trap: 'fused projections',
  },
  {
    name: 'OLMo 2 7B',
    config: llama([4096, 32, 32, 32, 11008, 100352], { model_type: 'olmo2' }),
    total: 7298617344,
    trap: 'norms over all heads',
  },
  {
    name: 'GLM-4 9B 0414',
    config: llama([4096, 40, 32, 2, 13696, 151552], { model_type: 'glm4', head_dim: 128, attention_bias: true }),
    total: 9400279040,
    trap: 'bias on three projections, four norms',
  },
  {
    name: 'StableLM 2 12B',
    config: llama([5120, 40, 32, 8, 13824, 100352], {
      model_type: 'stablelm',
      qk_layernorm: true,
      use_parallel_residual: true,
    }),
    total: 12143185920,
    trap: 'one norm for parallel blocks',
  },
  {
    name: 'StableLM 2 1.6B',
    config: llama([2048, 24, 32, 32, 5632, 100352], { model_type: 'stablelm', use_qkv_bias: true }),
    total: 1644515328,
    trap: 'use_qkv_bias',
  },
  {
    name: 'Aya 23 8B',
    config: llama([4096, 32, 32, 8, 14336, 256000], { model_type: 'cohere' }),
    total: 8028033024,
    trap: 'tied by default, parallel, norms without bias',
  },
  {
    name: 'StarCoder2 3B',
    config: llama([3072, 30, 24, 2, 12288, 49152], { model_type: 'starcoder2', use_bias: true, sliding_window: 4096 }),
    total: 3030371328,
    trap: 'plain MLP, biases, tied by default',
  },
  {
    name: 'InternLM2 1.8B',
    config: llama([2048, 24, 16, 8, 8192, 92544], { model_type: 'internlm2', bias: false }),
    total: 1889110016,
    trap: 'bias field',
  },
  {
    name: 'Baichuan2 7B',
    config: {
      ...llama([4096, 32, 32, 32, 11008, 125696]),
      model_type: 'baichuan',
      num_key_value_heads: undefined,
      tie_word_embeddings: true,
    },
    total: 7505973248,
    trap: 'separate head whatever the flag says',
  },
  {
    name: 'Granite 3.2 2B',
    config: llama([2048, 40, 32, 8, 8192, 49155], { model_type: 'granite', tie_word_embeddings: true }),
    total: 2533531648,
    trap: 'odd vocabulary',
  },
  {
    name: 'Seed OSS 36B',
    config: llama([5120, 64, 80, 8, 27648, 155136], {
      model_type: 'seed_oss',
      head_dim: 128,
      attention_bias: true,
      attention_out_bias: false,
    }),
    total: 36151104512,
    trap: 'output bias has a field of its own',
  },
];
