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
  type KnownModel,
} from './gguf-models.ts';
import type { WrittenFile } from './gguf-writer.ts';

// Transformers with experts.

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
