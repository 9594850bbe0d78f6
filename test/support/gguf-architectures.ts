import {
  attention,
  attentionKeys,
  biases,
  ends,
  experts,
  gated,
  ggufFile,
  headNorms,
  repeat,
  sharedExpert,
} from './gguf-models.ts';
import type { WrittenFile } from './gguf-writer.ts';

/** A public model as a GGUF file would hold it, and the parameters that others publish for it. */
export interface KnownModel {
  readonly title: string;
  readonly file: WrittenFile;
  /** Of the language model (and prediction layers), without tables of rotation frequencies. */
  readonly parameters: number;
}

const mixtral = { hidden: 4096, heads: 32, keyValueHeads: 8, size: 128 };
const perExpert = Array.from({ length: 8 }, (_, expert) => [
  [`ffn_gate.${expert}.weight`, 4096, 14_336] as const,
  [`ffn_up.${expert}.weight`, 4096, 14_336] as const,
  [`ffn_down.${expert}.weight`, 14_336, 4096] as const,
]).flat();

/** Files from before April 2024 hold each expert by itself. */
export const mixtral8x7B: KnownModel = {
  title: 'Mixtral-8x7B, one tensor per expert',
  file: ggufFile(
    'llama',
    { ...attentionKeys(mixtral), expert_used_count: 2 },
    ends(4096, 32_000),
    repeat(32, () => [
      ...attention(mixtral),
      ['ffn_norm.weight', 4096],
      ['ffn_gate_inp.weight', 4096, 8],
      ...perExpert,
    ]),
  ),
  parameters: 46_702_792_704,
};

const qwen15Moe = { hidden: 2048, heads: 16, keyValueHeads: 16, size: 128 };

export const qwen2Moe: KnownModel = {
  title: 'Qwen1.5-MoE-A2.7B',
  file: ggufFile(
    'qwen2moe',
    { ...attentionKeys(qwen15Moe), expert_used_count: 4 },
    ends(2048, 151_936),
    repeat(24, () => [
      ...attention(qwen15Moe),
      ...biases(qwen15Moe),
      ['ffn_norm.weight', 2048],
      ...experts(2048, 1408, 60),
      ...sharedExpert(2048, 5632),
      ['ffn_gate_inp_shexp.weight', 2048],
    ]),
  ),
  parameters: 14_315_784_192,
};

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

/** Five windowed layers with 8 KV heads of 256, then a full one with 2 of 512 whose V is its K. */
export const gemma4With26B: KnownModel = {
  title: 'Gemma-4-26B-A4B',
  file: ggufFile(
    'gemma4',
    {
      embedding_length: 2816,
      'attention.head_count': 16,
      'attention.head_count_kv': Array.from({ length: 30 }, (_, layer) => (layer % 6 === 5 ? 2 : 8)),
      'attention.key_length': 512,
      'attention.value_length': 512,
      'attention.key_length_swa': 256,
      'attention.value_length_swa': 256,
      'attention.sliding_window': 1024,
      'attention.sliding_window_pattern': Array.from({ length: 30 }, (_, layer) => layer % 6 !== 5),
      'attention.shared_kv_layers': 0,
      expert_used_count: 8,
    },
    [...ends(2816, 262_144, true), ['rope_freqs.weight', 256]],
    repeat(30, (layer) => {
      const full = layer % 6 === 5;
      const shape = { hidden: 2816, heads: 16, keyValueHeads: full ? 2 : 8, size: full ? 512 : 256 };
      return [
        ...attention(shape).filter(([name]) => !full || name !== 'attn_v.weight'),
        ...headNorms(shape.size),
        ['post_attention_norm.weight', 2816],
        ...gated(2816, 2112),
        ['post_ffw_norm.weight', 2816],
        ['post_ffw_norm_1.weight', 2816],
        ['post_ffw_norm_2.weight', 2816],
        ['pre_ffw_norm_2.weight', 2816],
        ['ffn_gate_inp.weight', 2816, 128],
        ['ffn_gate_inp.scale', 2816],
        ['ffn_gate_up_exps.weight', 2816, 2 * 704, 128],
        ['ffn_down_exps.weight', 704, 2816, 128],
        ['ffn_down_exps.scale', 128],
        ['layer_output_scale.weight', 1],
      ];
    }),
  ),
  parameters: 25_233_141_790,
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

/** DeepSeek-V2-Lite; `split`: K-up and V-up as newer files have them. */
export function deepseekV2Lite(split: boolean): KnownModel {
  const up = split
    ? ([
        ['attn_k_b.weight', 128, 512, 16],
        ['attn_v_b.weight', 512, 128, 16],
      ] as const)
    : ([['attn_kv_b.weight', 512, 16 * 256]] as const);
  return {
    title: `DeepSeek-V2-Lite, ${split ? 'attn_k_b and attn_v_b' : 'attn_kv_b'}`,
    file: ggufFile(
      'deepseek2',
      {
        embedding_length: 2048,
        'attention.head_count': 16,
        'attention.head_count_kv': split ? 1 : 16,
        'attention.kv_lora_rank': 512,
        expert_used_count: 6,
        leading_dense_block_count: 1,
      },
      ends(2048, 102_400),
      repeat(27, (layer) => [
        ['attn_norm.weight', 2048],
        ['attn_q.weight', 2048, 16 * 192],
        ['attn_kv_a_mqa.weight', 2048, 576],
        ['attn_kv_a_norm.weight', 512],
        ...up,
        ['attn_output.weight', 2048, 2048],
        ...(layer === 0
          ? gated(2048, 10_944)
          : [['ffn_norm.weight', 2048] as const, ...experts(2048, 1408, 64), ...sharedExpert(2048, 2816)]),
      ]),
    ),
    parameters: 15_706_484_224,
  };
}

const glm = { hidden: 4096, heads: 96, keyValueHeads: 8, size: 128 };

/** 46 layers and one for multi-token prediction, which holds copies of embedding and head. */
export const glm45Air: KnownModel = {
  title: 'GLM-4.5-Air',
  file: ggufFile(
    'glm4moe',
    { ...attentionKeys(glm), expert_used_count: 8, nextn_predict_layers: 1 },
    ends(4096, 151_552),
    repeat(47, (layer) => [
      ...attention(glm),
      ...biases(glm),
      ...(layer === 0
        ? gated(4096, 10_944, 'post_attention_norm')
        : [
            ['post_attention_norm.weight', 4096] as const,
            ...experts(4096, 1408, 128),
            ['exp_probs_b.bias', 128] as const,
            ...sharedExpert(4096, 1408),
          ]),
      ...(layer === 46
        ? ([
            ['nextn.eh_proj.weight', 8192, 4096],
            ['nextn.enorm.weight', 4096],
            ['nextn.hnorm.weight', 4096],
            ['nextn.shared_head_norm.weight', 4096],
            ['nextn.embed_tokens.weight', 4096, 151_552],
            ['nextn.shared_head_head.weight', 4096, 151_552],
          ] as const)
        : []),
    ]),
  ),
  parameters: 110_468_824_832,
};

const qwen35 = { hidden: 2048, heads: 16, keyValueHeads: 2, size: 256 };

/** Three gated delta nets (16 key heads, 32 value heads of 128), then attention with an output gate. */
export const qwen36MoE: KnownModel = {
  title: 'Qwen3.6-35B-A3B',
  file: ggufFile(
    'qwen35moe',
    {
      ...attentionKeys(qwen35),
      expert_used_count: 8,
      nextn_predict_layers: 1,
      'ssm.conv_kernel': 4,
      'ssm.inner_size': 4096,
      'ssm.state_size': 128,
      'ssm.time_step_rank': 32,
      'ssm.group_count': 16,
    },
    ends(2048, 248_320),
    repeat(41, (layer) => [
      ...(layer % 4 === 3 || layer === 40
        ? [...attention(qwen35, 2), ...headNorms(256)]
        : ([
            ['attn_norm.weight', 2048],
            ['attn_qkv.weight', 2048, 8192],
            ['attn_gate.weight', 2048, 4096],
            ['ssm_conv1d.weight', 4, 8192],
            ['ssm_dt.bias', 32],
            ['ssm_a', 32],
            ['ssm_alpha.weight', 2048, 32],
            ['ssm_beta.weight', 2048, 32],
            ['ssm_norm.weight', 128],
            ['ssm_out.weight', 4096, 2048],
          ] as const)),
      ['post_attention_norm.weight', 2048],
      ...experts(2048, 512, 256),
      ...sharedExpert(2048, 512),
      ['ffn_gate_inp_shexp.weight', 2048],
      ...(layer === 40
        ? ([
            ['nextn.eh_proj.weight', 4096, 2048],
            ['nextn.enorm.weight', 2048],
            ['nextn.hnorm.weight', 2048],
            ['nextn.shared_head_norm.weight', 2048],
          ] as const)
        : []),
    ]),
  ),
  parameters: 35_505_251_456,
};

export const mamba28B: KnownModel = {
  title: 'Mamba-2.8B',
  file: ggufFile(
    'mamba',
    {
      embedding_length: 2560,
      'ssm.inner_size': 5120,
      'ssm.state_size': 16,
      'ssm.conv_kernel': 4,
      'ssm.time_step_rank': 160,
    },
    ends(2560, 50_280, true),
    repeat(64, () => [
      ['attn_norm.weight', 2560],
      ['ssm_in.weight', 2560, 10_240],
      ['ssm_conv1d.weight', 4, 5120],
      ['ssm_conv1d.bias', 5120],
      ['ssm_x.weight', 5120, 192],
      ['ssm_dt.weight', 160, 5120],
      ['ssm_dt.bias', 5120],
      ['ssm_a', 16, 5120],
      ['ssm_d', 5120],
      ['ssm_out.weight', 5120, 2560],
    ]),
  ),
  parameters: 2_768_345_600,
};

export const mamba2With27B: KnownModel = {
  title: 'Mamba2-2.7B',
  file: ggufFile(
    'mamba2',
    {
      embedding_length: 2560,
      'ssm.inner_size': 5120,
      'ssm.state_size': 128,
      'ssm.conv_kernel': 4,
      'ssm.time_step_rank': 80,
      'ssm.group_count': 1,
    },
    ends(2560, 50_288, true),
    repeat(64, () => [
      ['attn_norm.weight', 2560],
      ['ssm_in.weight', 2560, 10_576],
      ['ssm_conv1d.weight', 4, 5376],
      ['ssm_conv1d.bias', 5376],
      ['ssm_dt.bias', 80],
      ['ssm_a', 1, 80],
      ['ssm_d', 1, 80],
      ['ssm_norm.weight', 5120, 1],
      ['ssm_out.weight', 5120, 2560],
    ]),
  ),
  parameters: 2_702_599_680,
};

const nemotron = { hidden: 2688, heads: 32, keyValueHeads: 2, size: 128 };
const nemotronOrder = 'MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME';

/** One part per layer: Mamba-2, attention or experts without gates. */
export const nemotron3Nano: KnownModel = {
  title: 'Nemotron-3-Nano-30B-A3B',
  file: ggufFile(
    'nemotron_h_moe',
    {
      ...attentionKeys(nemotron),
      'attention.head_count_kv': [...nemotronOrder].map((kind) => (kind === '*' ? 2 : 0)),
      expert_used_count: 6,
      'ssm.inner_size': 4096,
      'ssm.state_size': 128,
      'ssm.conv_kernel': 4,
      'ssm.time_step_rank': 64,
      'ssm.group_count': 8,
    },
    ends(2688, 131_072),
    repeat(52, (layer) => {
      if (nemotronOrder[layer] === '*') return attention(nemotron);
      if (nemotronOrder[layer] === 'M') {
        return [
          ['attn_norm.weight', 2688],
          ['ssm_in.weight', 2688, 2 * 4096 + 2 * 8 * 128 + 64],
          ['ssm_conv1d.weight', 4, 6144],
          ['ssm_conv1d.bias', 6144],
          ['ssm_dt.bias', 64],
          ['ssm_a', 1, 64],
          ['ssm_d', 1, 64],
          ['ssm_norm.weight', 512, 8],
          ['ssm_out.weight', 4096, 2688],
        ];
      }
      return [
        ['attn_norm.weight', 2688],
        ['ffn_gate_inp.weight', 2688, 128],
        ['exp_probs_b.bias', 128],
        ['ffn_up_exps.weight', 2688, 1856, 128],
        ['ffn_down_exps.weight', 1856, 2688, 128],
        ['ffn_up_shexp.weight', 2688, 3712],
        ['ffn_down_shexp.weight', 3712, 2688],
      ];
    }),
  ),
  // 31,577,937,344 without the 23 x 128 selection biases of the routers.
  parameters: 31_577_937_344 + 23 * 128,
};

const scout = { hidden: 5120, heads: 40, keyValueHeads: 8, size: 128 };

export const llama4Scout: KnownModel = {
  title: 'Llama-4-Scout',
  file: ggufFile(
    'llama4',
    { ...attentionKeys(scout), expert_used_count: 1, context_length: 10_485_760 },
    [...ends(5120, 202_048), ['rope_freqs.weight', 64]],
    repeat(48, () => [
      ...attention(scout),
      ['ffn_norm.weight', 5120],
      ...experts(5120, 8192, 16),
      ...sharedExpert(5120, 8192),
    ]),
  ),
  parameters: 107_769_861_120,
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

const qwen3Moe = { hidden: 2048, heads: 32, keyValueHeads: 4, size: 128 };

export const qwen3With30B: KnownModel = {
  title: 'Qwen3-30B-A3B',
  file: ggufFile(
    'qwen3moe',
    { ...attentionKeys(qwen3Moe), expert_used_count: 8 },
    ends(2048, 151_936),
    repeat(48, () => [
      ...attention(qwen3Moe),
      ...headNorms(128),
      ['ffn_norm.weight', 2048],
      ...experts(2048, 768, 128),
    ]),
  ),
  parameters: 30_532_122_624,
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

const v4Ratios = Array.from({ length: 43 }, (_, layer) => (layer < 2 ? 0 : layer % 2 === 0 ? 4 : 128));

export const deepseekV4Flash: KnownModel = {
  title: 'DeepSeek-V4-Flash',
  file: withTokenMaps(
    ggufFile(
      'deepseek4',
      {
        embedding_length: 4096,
        'attention.head_count': 64,
        'attention.head_count_kv': 1,
        'attention.sliding_window': 128,
        'attention.compress_ratios': v4Ratios,
        'attention.output_group_count': 8,
        'attention.output_lora_rank': 1024,
        'attention.indexer.head_count': 64,
        'attention.indexer.key_length': 128,
        'attention.indexer.top_k': 512,
        expert_used_count: 6,
      },
      [
        ...ends(4096, 129_280),
        ['output_hc_fn.weight', 16_384, 4],
        ['output_hc_base.weight', 4],
        ['output_hc_scale.weight', 1],
      ],
      repeat(43, (layer) => [
        ['attn_norm.weight', 4096],
        ['attn_sinks.weight', 64],
        ['attn_q_a.weight', 4096, 1024],
        ['attn_q_a_norm.weight', 1024],
        ['attn_q_b.weight', 1024, 64 * 512],
        ['attn_kv.weight', 4096, 512],
        ['attn_kv_a_norm.weight', 512],
        ['attn_output_a.weight', 4096, 8192],
        ['attn_output_b.weight', 8192, 4096],
        ...(['attn', 'ffn'] as const).flatMap(
          (part) =>
            [
              [`hc_${part}_fn.weight`, 16_384, 24],
              [`hc_${part}_base.weight`, 24],
              [`hc_${part}_scale.weight`, 3],
            ] as const,
        ),
        ...compressor('attn', v4Ratios[layer] ?? 0, 512),
        ...(v4Ratios[layer] === 4
          ? ([
              ['indexer.proj.weight', 4096, 64],
              ['indexer.attn_q_b.weight', 1024, 64 * 128],
              ...compressor('indexer', 4, 128),
            ] as const)
          : []),
        ['ffn_norm.weight', 4096],
        ...(layer < 3 ? [['ffn_gate_tid2eid.weight', 6, 129_280] as const] : [['exp_probs_b.bias', 256] as const]),
        ...experts(4096, 2048, 256),
        ...sharedExpert(4096, 2048),
      ]),
    ),
  ),
  // 284,334,567,511 as llama-bench counts, less the maps from tokens to experts of three layers.
  parameters: 284_334_567_511 - 3 * 6 * 129_280,
};

/** With 4 tokens an entry two windows overlap: twice the width. */
function compressor(part: string, ratio: number, size: number): ReturnType<typeof ends> {
  if (ratio === 0) return [];
  const width = ratio === 4 ? 2 * size : size;
  return [
    [`${part}_compressor_kv.weight`, 4096, width],
    [`${part}_compressor_gate.weight`, 4096, width],
    [`${part}_compressor_ape.weight`, width, ratio],
    [`${part}_compressor_norm.weight`, size],
  ];
}

function withTokenMaps(file: WrittenFile): WrittenFile {
  return {
    ...file,
    tensors: file.tensors.map((tensor) => (tensor.name.includes('tid2eid') ? { ...tensor, type: 'I32' } : tensor)),
  };
}

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

const jambaShape = { hidden: 4096, heads: 32, keyValueHeads: 8, size: 128 };

/** Attention in layers 4, 12, 20, 28; experts in every odd layer. */
export const jamba52B: KnownModel = {
  title: 'Jamba-v0.1',
  file: ggufFile(
    'jamba',
    {
      ...attentionKeys(jambaShape),
      'attention.head_count_kv': Array.from({ length: 32 }, (_, layer) => (layer % 8 === 4 ? 8 : 0)),
      expert_used_count: 2,
      'ssm.inner_size': 8192,
      'ssm.state_size': 16,
      'ssm.conv_kernel': 4,
      'ssm.time_step_rank': 256,
    },
    ends(4096, 65_536),
    repeat(32, (layer) => [
      ...(layer % 8 === 4
        ? attention(jambaShape)
        : ([
            ['attn_norm.weight', 4096],
            ['ssm_in.weight', 4096, 16_384],
            ['ssm_conv1d.weight', 4, 8192],
            ['ssm_conv1d.bias', 8192],
            ['ssm_x.weight', 8192, 288],
            ['ssm_dt.weight', 256, 8192],
            ['ssm_dt.bias', 8192],
            ['ssm_dt_norm.weight', 256],
            ['ssm_b_norm.weight', 16],
            ['ssm_c_norm.weight', 16],
            ['ssm_a', 16, 8192],
            ['ssm_d', 8192],
            ['ssm_out.weight', 8192, 4096],
          ] as const)),
      ...(layer % 2 === 0 ? gated(4096, 14_336) : [['ffn_norm.weight', 4096] as const, ...experts(4096, 14_336, 16)]),
    ]),
  ),
  parameters: 51_570_323_328,
};

const lfm = { hidden: 2048, heads: 32, keyValueHeads: 8, size: 64 };
const lfmAttention = new Set([2, 5, 8, 10, 12, 14]);

export const lfm2With1B2: KnownModel = {
  title: 'LFM2-1.2B, short convolutions',
  file: ggufFile(
    'lfm2',
    {
      ...attentionKeys(lfm),
      'attention.head_count_kv': Array.from({ length: 16 }, (_, layer) => (lfmAttention.has(layer) ? 8 : 0)),
      'shortconv.l_cache': 3,
    },
    [
      ['token_embd.weight', 2048, 65_536],
      ['token_embd_norm.weight', 2048],
    ],
    repeat(16, (layer) => [
      ...(lfmAttention.has(layer)
        ? [...attention(lfm), ...headNorms(64)]
        : ([
            ['attn_norm.weight', 2048],
            ['shortconv.conv.weight', 3, 2048],
            ['shortconv.in_proj.weight', 2048, 6144],
            ['shortconv.out_proj.weight', 2048, 2048],
          ] as const)),
      ...gated(2048, 8192),
    ]),
  ),
  // 65,536 x 2048 + 16 x 3 x 2048 x 8192 + 10 x 2048 x (8192 + 3) + 6 x (10,485,760 + 128) + 33 x 2048.
  parameters: 1_170_340_608,
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

export const knownModels: readonly KnownModel[] = [
  mixtral8x7B,
  qwen2Moe,
  gemma2With9B,
  gemma3With27B,
  gemma4With26B,
  phi3Medium,
  phi2,
  falcon7B,
  commandR,
  gpt2,
  bloom1B7,
  mpt7B,
  deepseekV2Lite(false),
  deepseekV2Lite(true),
  glm45Air,
  qwen36MoE,
  mamba28B,
  mamba2With27B,
  nemotron3Nano,
  llama4Scout,
  olmo2With7B,
  qwen25With7B,
  qwen3With30B,
  gemma4E4B,
  deepseekV4Flash,
  starcoder2With15B,
  jamba52B,
  lfm2With1B2,
  minicpm3With4B,
];
