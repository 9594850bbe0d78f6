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

// Models with Mamba, delta nets or short convolutions in them.

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
const nemotronOrder = 'MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME'.split('');

/** One part per layer: Mamba-2, attention or experts without gates. */
export const nemotron3Nano: KnownModel = {
  title: 'Nemotron-3-Nano-30B-A3B',
  file: ggufFile(
    'nemotron_h_moe',
    {
      ...attentionKeys(nemotron),
      'attention.head_count_kv': nemotronOrder.map((kind) => (kind === '*' ? 2 : 0)),
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

/** Mamba-2 in files: inner width, state groups x size, heads. */
function mamba2Block(hidden: number, inner: number, groups: number, heads: number): ReturnType<typeof ends> {
  const channels = inner + 2 * groups * 128;
  return [
    ['attn_norm.weight', hidden],
    ['ssm_in.weight', hidden, inner + channels + heads],
    ['ssm_conv1d.weight', 4, channels],
    ['ssm_conv1d.bias', channels],
    ['ssm_dt.bias', heads],
    ['ssm_a', 1, heads],
    ['ssm_d', 1, heads],
    ['ssm_norm.weight', inner / groups, groups],
    ['ssm_out.weight', inner, hidden],
  ];
}

const ssm = { 'ssm.inner_size': 8192, 'ssm.state_size': 128, 'ssm.conv_kernel': 4, 'ssm.time_step_rank': 128 };
const wide = { hidden: 4096, heads: 32, keyValueHeads: 8, size: 128 };
const nemotronH = 'M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-'.split('');

export const nemotronH8B: KnownModel = {
  title: 'Nemotron-H-8B',
  file: ggufFile(
    'nemotron_h',
    {
      ...attentionKeys(wide),
      'attention.head_count_kv': nemotronH.map((kind) => (kind === '*' ? 8 : 0)),
      feed_forward_length: nemotronH.map((kind) => (kind === '-' ? 21_504 : 0)),
      ...ssm,
      'ssm.group_count': 8,
    },
    ends(4096, 131_072),
    repeat(52, (layer) => {
      if (nemotronH[layer] === '*') return attention(wide);
      if (nemotronH[layer] === 'M') return mamba2Block(4096, 8192, 8, 128);
      return [
        ['attn_norm.weight', 4096],
        ['ffn_up.weight', 4096, 21_504],
        ['ffn_down.weight', 21_504, 4096],
      ];
    }),
  ),
  // 24 x (4096 x 18,560 + 51,200 + 384 + 8192 + 8192 x 4096 + 4096), 24 x (8192 x 21,504 + 4096),
  // 4 x (2 x 4096^2 + 2 x 4096 x 1024 + 4096), 2 x 131,072 x 4096, 4096.
  parameters: 8_100_852_736,
};

const graniteAttention = new Set([5, 15, 25, 35]);

export const granite4HSmall: KnownModel = {
  title: 'Granite-4.0-H-Small',
  file: ggufFile(
    'granitehybrid',
    {
      ...attentionKeys(wide),
      'attention.head_count_kv': Array.from({ length: 40 }, (_, layer) => (graniteAttention.has(layer) ? 8 : 0)),
      expert_used_count: 10,
      ...ssm,
      'ssm.group_count': 1,
    },
    ends(4096, 100_352, true),
    repeat(40, (layer) => [
      ...(graniteAttention.has(layer) ? attention(wide) : mamba2Block(4096, 8192, 1, 128)),
      ['ffn_norm.weight', 4096],
      ...experts(4096, 768, 72),
      ...sharedExpert(4096, 1536),
    ]),
  ),
  parameters: 32_207_337_984,
};
