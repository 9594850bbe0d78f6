import {
  attention,
  attentionKeys,
  ends,
  experts,
  gated,
  ggufFile,
  headNorms,
  repeat,
  sharedExpert,
  type KnownModel,
} from './gguf-models.ts';

// Gated delta nets with every fourth layer full attention.

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

const qwen36 = { hidden: 5120, heads: 24, keyValueHeads: 4, size: 256 };

export const qwen36With27B: KnownModel = {
  title: 'Qwen3.6-27B',
  file: ggufFile(
    'qwen35',
    {
      ...attentionKeys(qwen36),
      nextn_predict_layers: 1,
      'ssm.conv_kernel': 4,
      'ssm.inner_size': 6144,
      'ssm.state_size': 128,
      'ssm.time_step_rank': 48,
      'ssm.group_count': 16,
    },
    ends(5120, 248_320),
    repeat(65, (layer) => [
      ...(layer % 4 === 3 || layer === 64
        ? [...attention(qwen36, 2), ...headNorms(256)]
        : ([
            ['attn_norm.weight', 5120],
            ['attn_qkv.weight', 5120, 10_240],
            ['attn_gate.weight', 5120, 6144],
            ['ssm_conv1d.weight', 4, 10_240],
            ['ssm_dt.bias', 48],
            ['ssm_a', 48],
            ['ssm_alpha.weight', 5120, 48],
            ['ssm_beta.weight', 5120, 48],
            ['ssm_norm.weight', 128],
            ['ssm_out.weight', 6144, 5120],
          ] as const)),
      ...gated(5120, 17_408, 'post_attention_norm'),
      ...(layer === 64
        ? ([
            ['nextn.eh_proj.weight', 10_240, 5120],
            ['nextn.enorm.weight', 5120],
            ['nextn.hnorm.weight', 5120],
            ['nextn.shared_head_norm.weight', 5120],
          ] as const)
        : []),
    ]),
  ),
  parameters: 27_320_697_856,
};

const qwen3Next = { hidden: 2048, heads: 16, keyValueHeads: 2, size: 256 };

/** `fused`: one tensor for Q, K, V and Z (`ssm_in`), as files of autumn 2025 have it. */
export function qwen3NextWith80B(fused: boolean): KnownModel {
  const inputs = fused
    ? ([['ssm_in.weight', 2048, 12_288]] as const)
    : ([
        ['attn_qkv.weight', 2048, 8192],
        ['attn_gate.weight', 2048, 4096],
      ] as const);
  return {
    title: `Qwen3-Next-80B-A3B, ${fused ? 'ssm_in' : 'attn_qkv and attn_gate'}`,
    file: ggufFile(
      'qwen3next',
      {
        ...attentionKeys(qwen3Next),
        expert_used_count: 10,
        'ssm.conv_kernel': 4,
        'ssm.inner_size': 4096,
        'ssm.state_size': 128,
        'ssm.time_step_rank': 32,
        'ssm.group_count': 16,
      },
      ends(2048, 151_936),
      repeat(48, (layer) => [
        ...(layer % 4 === 3
          ? [...attention(qwen3Next, 2), ...headNorms(256)]
          : ([
              ['attn_norm.weight', 2048],
              ...inputs,
              ['ssm_conv1d.weight', 4, 8192],
              ['ssm_dt.bias', 32],
              ['ssm_a', 32],
              ['ssm_ba.weight', 2048, 64],
              ['ssm_norm.weight', 128],
              ['ssm_out.weight', 4096, 2048],
            ] as const)),
        ['post_attention_norm.weight', 2048],
        ...experts(2048, 512, 512),
        ...sharedExpert(2048, 512),
        ['ffn_gate_inp_shexp.weight', 2048],
      ]),
    ),
    parameters: 79_674_391_296,
  };
}
