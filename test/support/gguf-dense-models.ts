import {
  attention,
  attentionKeys,
  biases,
  ends,
  gated,
  ggufFile,
  headNorms,
  repeat,
  type KnownModel,
} from './gguf-models.ts';

// Dense transformers.

const gemma2Shape = { hidden: 3584, heads: 16, keyValueHeads: 8, size: 256 };

export const gemma2With9B: KnownModel = {
  title: 'Gemma-2-9B',
  file: ggufFile(
    'gemma2',
    { ...attentionKeys(gemma2Shape), 'attention.sliding_window': 4096, context_length: 8192 },
    ends(3584, 256_000, true),
    repeat(42, () => [
      ...attention(gemma2Shape),
      ['post_attention_norm.weight', 3584],
      ...gated(3584, 14_336),
      ['post_ffw_norm.weight', 3584],
    ]),
  ),
  parameters: 9_241_705_984,
};

const gemma3Shape = { hidden: 5376, heads: 32, keyValueHeads: 16, size: 128 };

export const gemma3With27B: KnownModel = {
  title: 'Gemma-3-27B',
  file: ggufFile(
    'gemma3',
    { ...attentionKeys(gemma3Shape), 'attention.sliding_window': 1024 },
    ends(5376, 262_208, true),
    repeat(62, () => [
      ...attention(gemma3Shape),
      ...headNorms(128),
      ['post_attention_norm.weight', 5376],
      ...gated(5376, 21_504),
      ['post_ffw_norm.weight', 5376],
    ]),
  ),
  parameters: 27_009_346_304,
};

export const phi3Medium: KnownModel = {
  title: 'Phi-3-medium, Q, K, V and gate, up fused',
  file: ggufFile(
    'phi3',
    {
      embedding_length: 5120,
      'attention.head_count': 40,
      'attention.head_count_kv': 10,
      'attention.sliding_window': 2047,
    },
    ends(5120, 32_064),
    repeat(40, () => [
      ['attn_norm.weight', 5120],
      ['attn_qkv.weight', 5120, 5120 + 2 * 1280],
      ['attn_output.weight', 5120, 5120],
      ['ffn_norm.weight', 5120],
      ['ffn_up.weight', 5120, 2 * 17_920],
      ['ffn_down.weight', 17_920, 5120],
    ]),
  ),
  parameters: 13_960_238_080,
};

export const phi2: KnownModel = {
  title: 'Phi-2, blocks in parallel',
  file: ggufFile(
    'phi2',
    { embedding_length: 2560, 'attention.head_count': 32 },
    [...ends(2560, 51_200), ['output_norm.bias', 2560], ['output.bias', 51_200]],
    repeat(32, () => [
      ['attn_norm.weight', 2560],
      ['attn_norm.bias', 2560],
      ['attn_qkv.weight', 2560, 7680],
      ['attn_qkv.bias', 7680],
      ['attn_output.weight', 2560, 2560],
      ['attn_output.bias', 2560],
      ['ffn_up.weight', 2560, 10_240],
      ['ffn_up.bias', 10_240],
      ['ffn_down.weight', 10_240, 2560],
      ['ffn_down.bias', 2560],
    ]),
  ),
  parameters: 2_779_683_840,
};

export const falcon7B: KnownModel = {
  title: 'Falcon-7B, one KV head, blocks in parallel',
  file: ggufFile(
    'falcon',
    { embedding_length: 4544, 'attention.head_count': 71, 'attention.head_count_kv': 1 },
    [...ends(4544, 65_024, true), ['output_norm.bias', 4544]],
    repeat(32, () => [
      ['attn_norm.weight', 4544],
      ['attn_norm.bias', 4544],
      ['attn_qkv.weight', 4544, 73 * 64],
      ['attn_output.weight', 4544, 4544],
      ['ffn_up.weight', 4544, 18_176],
      ['ffn_down.weight', 18_176, 4544],
    ]),
  ),
  // 7,217,189,760 with the head that the checkpoint stores again, less 65,024 x 4544.
  parameters: 7_217_189_760 - 65_024 * 4544,
};

const aya = { hidden: 4096, heads: 32, keyValueHeads: 8, size: 128 };

export const commandR: KnownModel = {
  title: 'Aya-23-8B (command-r)',
  file: ggufFile(
    'command-r',
    attentionKeys(aya),
    ends(4096, 256_000, true),
    repeat(32, () => [...attention(aya), ...gated(4096, 14_336, null)]),
  ),
  parameters: 8_028_033_024,
};

function biased(hidden: number): ReturnType<typeof ends> {
  return [
    ['attn_norm.weight', hidden],
    ['attn_norm.bias', hidden],
    ['attn_qkv.weight', hidden, 3 * hidden],
    ['attn_qkv.bias', 3 * hidden],
    ['attn_output.weight', hidden, hidden],
    ['attn_output.bias', hidden],
    ['ffn_norm.weight', hidden],
    ['ffn_norm.bias', hidden],
    ['ffn_up.weight', hidden, 4 * hidden],
    ['ffn_up.bias', 4 * hidden],
    ['ffn_down.weight', 4 * hidden, hidden],
    ['ffn_down.bias', hidden],
  ];
}

export const gpt2: KnownModel = {
  title: 'GPT-2',
  file: ggufFile(
    'gpt2',
    { embedding_length: 768, 'attention.head_count': 12, context_length: 1024 },
    [...ends(768, 50_257, true), ['output_norm.bias', 768], ['position_embd.weight', 768, 1024]],
    repeat(12, () => biased(768)),
  ),
  parameters: 124_439_808,
};

export const bloom1B7: KnownModel = {
  title: 'BLOOM-1B7',
  file: ggufFile(
    'bloom',
    { embedding_length: 2048, 'attention.head_count': 16 },
    [
      ...ends(2048, 250_880, true),
      ['output_norm.bias', 2048],
      ['token_embd_norm.weight', 2048],
      ['token_embd_norm.bias', 2048],
    ],
    repeat(24, () => biased(2048)),
  ),
  parameters: 1_722_408_960,
};

export const mpt7B: KnownModel = {
  title: 'MPT-7B',
  file: ggufFile(
    'mpt',
    { embedding_length: 4096, 'attention.head_count': 32 },
    ends(4096, 50_432, true),
    repeat(32, () => biased(4096).filter(([name]) => name.endsWith('.weight'))),
  ),
  // 50,432 x 4096 + 32 x (12 x 4096^2 + 2 x 4096) + 4096, as Databricks publishes: 6.65B.
  parameters: 6_649_286_656,
};

export const olmo2With7B: KnownModel = {
  title: 'OLMo-2-7B, norms after the blocks',
  file: ggufFile(
    'olmo2',
    { embedding_length: 4096, 'attention.head_count': 32, 'attention.head_count_kv': 32 },
    ends(4096, 100_352),
    repeat(32, () => [
      ...attention({ hidden: 4096, heads: 32, keyValueHeads: 32, size: 128 }).slice(1),
      ...headNorms(4096),
      ['post_attention_norm.weight', 4096],
      ...gated(4096, 11_008, 'post_ffw_norm'),
    ]),
  ),
  parameters: 7_298_617_344,
};

const qwen2Shape = { hidden: 3584, heads: 28, keyValueHeads: 4, size: 128 };

export const qwen25With7B: KnownModel = {
  title: 'Qwen2.5-7B',
  file: ggufFile(
    'qwen2',
    attentionKeys(qwen2Shape),
    ends(3584, 152_064),
    repeat(28, () => [...attention(qwen2Shape), ...biases(qwen2Shape), ...gated(3584, 18_944)]),
  ),
  parameters: 7_615_616_512,
};

const gemma4Pattern = (layer: number): boolean => layer % 6 !== 5;

/** 24 layers with K and V, 18 that reuse them and hold matrices all the same; per-layer embeddings of 256. */
export const gemma4E4B: KnownModel = {
  title: 'Gemma-4-E4B',
  file: ggufFile(
    'gemma4',
    {
      embedding_length: 2560,
      embedding_length_per_layer_input: 256,
      'attention.head_count': 8,
      'attention.head_count_kv': 2,
      'attention.key_length': 512,
      'attention.value_length': 512,
      'attention.key_length_swa': 256,
      'attention.value_length_swa': 256,
      'attention.sliding_window': 512,
      'attention.sliding_window_pattern': Array.from({ length: 42 }, (_, layer) => gemma4Pattern(layer)),
      'attention.shared_kv_layers': 18,
    },
    [
      ...ends(2560, 262_144, true),
      ['rope_freqs.weight', 256],
      ['per_layer_token_embd.weight', 42 * 256, 262_144],
      ['per_layer_model_proj.weight', 2560, 42 * 256],
      ['per_layer_proj_norm.weight', 256],
    ],
    repeat(42, (layer) => {
      const shape = { hidden: 2560, heads: 8, keyValueHeads: 2, size: gemma4Pattern(layer) ? 256 : 512 };
      return [
        ...attention(shape),
        ...headNorms(shape.size),
        ['post_attention_norm.weight', 2560],
        ...gated(2560, 10_240),
        ['post_ffw_norm.weight', 2560],
        ['inp_gate.weight', 2560, 256],
        ['proj.weight', 256, 2560],
        ['post_norm.weight', 2560],
        ['layer_output_scale.weight', 1],
      ];
    }),
  ),
  // 7,518,069,290 as llama-bench counts, less 256 frequencies and the K and V of 18 layers, 3 of them of 2 x 512.
  parameters: 7_518_069_290 - 256 - 2 * 2560 * (15 * 512 + 3 * 1024),
};

const starcoder = { hidden: 6144, heads: 48, keyValueHeads: 4, size: 128 };

export const starcoder2With15B: KnownModel = {
  title: 'StarCoder2-15B',
  file: ggufFile(
    'starcoder2',
    { ...attentionKeys(starcoder), 'attention.sliding_window': 4096 },
    [...ends(6144, 49_152), ['output_norm.bias', 6144]],
    repeat(40, () => [
      ...attention(starcoder),
      ...biases(starcoder, true),
      ['attn_norm.bias', 6144],
      ['ffn_norm.weight', 6144],
      ['ffn_norm.bias', 6144],
      ['ffn_up.weight', 6144, 24_576],
      ['ffn_up.bias', 24_576],
      ['ffn_down.weight', 24_576, 6144],
      ['ffn_down.bias', 6144],
    ]),
  ),
  parameters: 15_957_889_024,
};

export const minicpm3With4B: KnownModel = {
  title: 'MiniCPM3-4B, latent attention with compressed queries',
  file: ggufFile(
    'minicpm3',
    { embedding_length: 2560, 'attention.head_count': 40, 'attention.kv_lora_rank': 256, 'attention.q_lora_rank': 768 },
    [...ends(2560, 73_448, true), ['rope_factors_long.weight', 16], ['rope_factors_short.weight', 16]],
    repeat(62, () => [
      ['attn_norm.weight', 2560],
      ['attn_q_a.weight', 2560, 768],
      ['attn_q_a_norm.weight', 768],
      ['attn_q_b.weight', 768, 40 * 96],
      ['attn_kv_a_mqa.weight', 2560, 288],
      ['attn_kv_a_norm.weight', 256],
      ['attn_kv_b.weight', 256, 40 * 128],
      ['attn_output.weight', 40 * 64, 2560],
      ...gated(2560, 6400),
    ]),
  ),
  parameters:
    62 * (2560 * 768 + 768 + 768 * 3840 + 2560 * 288 + 256 + 256 * 5120 + 2560 ** 2 + 3 * 2560 * 6400 + 5120) +
    2560 +
    73_448 * 2560,
};

const gemmaShape = { hidden: 2048, heads: 8, keyValueHeads: 1, size: 256 };

export const gemma2B: KnownModel = {
  title: 'Gemma-2B',
  file: ggufFile(
    'gemma',
    attentionKeys(gemmaShape),
    ends(2048, 256_000, true),
    repeat(18, () => [...attention(gemmaShape), ...gated(2048, 16_384)]),
  ),
  parameters: 2_506_172_416,
};

/** GLM-4-9B as it is in files of the architectures chatglm (2024) and, with norms after the blocks, glm4 (2025). */
export function glm4With9B(architecture: 'chatglm' | 'glm4'): KnownModel {
  const after = architecture === 'glm4' ? (['post_attention_norm', 'post_ffw_norm'] as const) : [];
  return {
    title: `GLM-4-9B (${architecture})`,
    file: ggufFile(
      architecture,
      { embedding_length: 4096, 'attention.head_count': 32, 'attention.head_count_kv': 2 },
      ends(4096, 151_552),
      repeat(40, () => [
        ['attn_norm.weight', 4096],
        ['attn_qkv.weight', 4096, 36 * 128],
        ['attn_qkv.bias', 36 * 128],
        ['attn_output.weight', 4096, 4096],
        ['ffn_norm.weight', 4096],
        ['ffn_up.weight', 4096, 2 * 13_696],
        ['ffn_down.weight', 13_696, 4096],
        ...after.map((norm) => [`${norm}.weight`, 4096] as const),
      ]),
    ),
    // 9,399,951,360 for glm-4-9b-chat; two more norms of 4096 in 40 layers for GLM-4-9B-0414.
    parameters: 9_399_951_360 + after.length * 40 * 4096,
  };
}

const stable = { hidden: 2048, heads: 32, keyValueHeads: 32, size: 64 };

export const stablelm2With1B6: KnownModel = {
  title: 'StableLM-2-1.6B',
  file: ggufFile(
    'stablelm',
    attentionKeys(stable),
    [...ends(2048, 100_352), ['output_norm.bias', 2048]],
    repeat(24, () => [
      ...attention(stable),
      ...biases(stable),
      ['attn_norm.bias', 2048],
      ...gated(2048, 5632),
      ['ffn_norm.bias', 2048],
    ]),
  ),
  parameters: 1_644_515_328,
};

const graniteShape = { hidden: 2048, heads: 32, keyValueHeads: 8, size: 64 };

export const granite32With2B: KnownModel = {
  title: 'Granite-3.2-2B',
  file: ggufFile(
    'granite',
    attentionKeys(graniteShape),
    ends(2048, 49_155, true),
    repeat(40, () => [...attention(graniteShape), ...gated(2048, 8192)]),
  ),
  // 49,155 x 2048 + 40 x (2 x 2048^2 + 2 x 2048 x 512 + 3 x 2048 x 8192 + 4096) + 2048.
  parameters: 2_533_531_648,
};
