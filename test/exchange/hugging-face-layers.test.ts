import { describe, expect, it } from 'vitest';
import { importHuggingFace } from '../../src/exchange/hugging-face/import-hugging-face.ts';
import { keyValueForm } from '../../src/profile/key-value-bytes.ts';
import type { Attention, Model } from '../../src/profile/model.ts';
import {
  deepseekV3,
  deepseekV4,
  gptOss120,
  latent,
  llama,
  nemotronNano,
  qwenNext,
} from './hugging-face-configurations.ts';

const read = (config: unknown): Model => importHuggingFace(config, {}, 'config.json').model;

/** Kinds of the first layers in one letter each: window, chunk, full, recurrent, none. */
function kinds(model: Model, count: number): string {
  const letters = model.layers.flatMap(({ count: layers, mixer }) =>
    Array.from({ length: layers }, () => {
      if (mixer.kind === 'recurrent') return 'r';
      if (mixer.kind === 'none') return '-';
      if (mixer.kind === 'latent-attention') return 'l';
      return mixer.window === undefined ? 'f' : mixer.chunked ? 'c' : 'w';
    }),
  );
  return letters.slice(0, count).join('');
}

const firstAttention = (model: Model): Attention => {
  const found = model.layers.map(({ mixer }) => mixer).find((mixer) => mixer.kind === 'attention');
  if (found?.kind !== 'attention') throw new Error('no attention layer');
  return found;
};

const small = [64, 8, 4, 2, 128, 100] as const;

describe('which layers look how far back', () => {
  it('takes a window alone for every layer', () => {
    const model = read(llama(small, { model_type: 'mistral', sliding_window: 4096, max_position_embeddings: 32768 }));
    expect(kinds(model, 8)).toBe('wwwwwwww');
    expect(firstAttention(model).window).toBe(4096);
  });

  it('ignores a window that the context never reaches', () => {
    const model = read(llama(small, { model_type: 'phi3', sliding_window: 262144, max_position_embeddings: 131072 }));
    expect(kinds(model, 8)).toBe('ffffffff');
  });

  it('heeds use_sliding_window and max_window_layers of Qwen 2', () => {
    const window = { model_type: 'qwen2', sliding_window: 4096, max_position_embeddings: 32768, max_window_layers: 5 };
    expect(kinds(read(llama(small, { ...window, use_sliding_window: false })), 8)).toBe('ffffffff');
    expect(kinds(read(llama(small, { ...window, use_sliding_window: true })), 8)).toBe('fffffwww');
  });

  it('windows the even layers of Gemma 2 and gpt-oss', () => {
    expect(kinds(read(llama(small, { model_type: 'gemma2', sliding_window: 4096 })), 4)).toBe('wfwf');
    expect(kinds(read(gptOss120), 4)).toBe('wfwf');
  });

  it('makes every sixth layer of Gemma 3 full, or what the pattern says', () => {
    expect(kinds(read(llama(small, { model_type: 'gemma3_text', sliding_window: 512 })), 8)).toBe('wwwwwfww');
    const fourth = { model_type: 'gemma3_text', sliding_window_attention_size: 512, sliding_window_pattern: 4 };
    expect(kinds(read(llama(small, fourth)), 8)).toBe('wwwfwwwf');
  });

  it('follows layer_types, whatever the family', () => {
    const types = [
      'full_attention',
      'sliding_attention',
      'attention',
      'sliding_attention',
      'full_attention',
      'full_attention',
      'deepseek_sparse_attention',
      'sliding_attention',
    ];
    const model = read(llama(small, { model_type: 'olmo3', sliding_window: 1024, layer_types: types }));
    expect(kinds(model, 8)).toBe('fwfwfffw');
  });

  it('reads an empty no_rope_layers of Llama 4 as every fourth layer full', () => {
    const experts = { num_local_experts: 4, num_experts_per_tok: 1, interleave_moe_layer_step: 1 };
    const config = llama(small, {
      model_type: 'llama4_text',
      attention_chunk_size: 16,
      no_rope_layers: [],
      ...experts,
    });
    expect(kinds(read({ model_type: 'llama4', text_config: config }), 8)).toBe('cccfcccf');
    const stated = { ...config, no_rope_layers: [0, 1, 1, 1, 0, 1, 1, 1] };
    expect(kinds(read(stated), 8)).toBe('fcccfccc');
  });

  it('reads hybrid_layer_pattern of MiMo-V2 with its own heads and sizes', () => {
    const model = read(
      llama([64, 4, 8, 2, 128, 100], {
        model_type: 'mimo_v2_flash',
        head_dim: 12,
        v_head_dim: 8,
        swa_num_attention_heads: 8,
        swa_num_key_value_heads: 4,
        swa_head_dim: 12,
        swa_v_head_dim: 8,
        sliding_window: 16,
        hybrid_layer_pattern: [0, 1, 1, 0],
        moe_layer_freq: [0, 1, 1, 1],
        n_routed_experts: 4,
        n_shared_experts: null,
        num_experts_per_tok: 2,
        moe_intermediate_size: 32,
      }),
    );
    expect(kinds(model, 4)).toBe('fwwf');
    // Full layers: 2 heads x (12 + 8) x 2 bytes x 2 layers; windowed: 4 heads.
    expect(keyValueForm(model, 2)).toEqual({ full: 160, windowed: [{ window: 16, perToken: 320 }], fixed: 0 });
    expect(model.layers.map(({ feedForward }) => feedForward.kind)).toEqual(['dense', 'experts', 'experts']);
  });

  it('puts attention where hybrids have it', () => {
    expect(kinds(read(qwenNext), 8)).toBe('rrrfrrrf');
    expect(kinds(read(nemotronNano), 13)).toBe('r-r-rf-r-r-rf');
    const jamba = llama([64, 8, 4, 2, 128, 100], {
      model_type: 'jamba',
      attn_layer_period: 8,
      attn_layer_offset: 4,
      expert_layer_period: 2,
      expert_layer_offset: 1,
      num_experts: 4,
      num_experts_per_tok: 2,
      mamba_d_state: 4,
      mamba_dt_rank: 4,
    });
    expect(kinds(read(jamba), 8)).toBe('rrrrfrrr');
    expect(read(jamba).layers.map(({ feedForward }) => feedForward.kind)).toContain('experts');
  });

  it('counts full layers of Kimi Linear from 1', () => {
    const linear = { full_attn_layers: [4, 8], head_dim: 16, num_heads: 4, short_conv_kernel_size: 4 };
    expect(kinds(read(llama(small, { model_type: 'kimi_linear', ...latent, linear_attn_config: linear })), 8)).toBe(
      'rrrlrrrl',
    );
  });
});

describe('what a layer caches', () => {
  it('takes the latent, not the decoy heads, for DeepSeek', () => {
    // 61 layers x (512 + 64) x 2 bytes.
    expect(keyValueForm(read(deepseekV3), 2)).toEqual({ full: 70272, windowed: [], fixed: 0 });
  });

  it('adds the key of an indexer only where a layer owns one', () => {
    const types = Array.from({ length: 61 }, (_, index) => (index < 3 ? 'full' : 'shared'));
    const sparse = { index_topk: 2048, index_n_heads: 64, index_head_dim: 128 };
    // 61 x 576 x 2 + 128 x 2 for each owner.
    expect(keyValueForm(read({ ...deepseekV3, ...sparse }), 2).full).toBe(70272 + 61 * 256);
    expect(keyValueForm(read({ ...deepseekV3, ...sparse, indexer_types: types }), 2).full).toBe(70272 + 3 * 256);
  });

  it('counts one entry for several tokens beyond the window of DeepSeek-V4', () => {
    // 21 layers of ratio 4 (512 + 128 elements), 20 of ratio 128 (512), 43 windows of 128 tokens, 2 bytes each.
    const form = keyValueForm(read(deepseekV4), 2);
    expect(form.full).toBe(21 * (640 / 4) * 2 + 20 * (512 / 128) * 2);
    expect(form.windowed).toEqual([{ window: 128, perToken: 43 * 512 * 2 }]);
  });

  it('leaves out layers that reuse keys and values, and keeps global heads of Gemma 4 apart', () => {
    const model = read({
      model_type: 'gemma4',
      text_config: llama([64, 6, 4, 1, 128, 100], {
        model_type: 'gemma4_text',
        head_dim: 16,
        global_head_dim: 32,
        num_global_key_value_heads: 2,
        attention_k_eq_v: true,
        num_kv_shared_layers: 2,
        sliding_window: 8,
        layer_types: [
          'sliding_attention',
          'full_attention',
          'sliding_attention',
          'full_attention',
          'sliding_attention',
          'full_attention',
        ],
      }),
    });
    // Own: 2 windowed x 1 x 32 and 2 full x 2 x 64 elements; the last two layers share.
    expect(keyValueForm(model, 1)).toEqual({ full: 256, windowed: [{ window: 8, perToken: 64 }], fixed: 0 });
    expect(model.layers.map(({ mixer }) => (mixer.kind === 'attention' ? mixer.keyValue : ''))).toEqual([
      'own',
      'key-is-value',
      'own',
      'key-is-value',
      'shared',
      'shared',
    ]);
  });

  it('keeps no text cache for cross-attention layers of Llama 3.2 Vision', () => {
    const text = llama(small, { model_type: 'mllama_text_model', cross_attention_layers: [3, 7] });
    // 6 layers x 2 heads x (16 + 16) x 2 bytes.
    expect(keyValueForm(read({ model_type: 'mllama', text_config: text }), 2).full).toBe(6 * 128);
  });

  it('keeps fixed states: convolution tail in 2 bytes, state in 4', () => {
    // 36 delta nets: state 32 x 128 x 128 x 4 + tail 3 x (2 x 2048 + 4096) x 2.
    expect(keyValueForm(read(qwenNext), 2).fixed).toBe(36 * (32 * 128 * 128 * 4 + 3 * 8192 * 2));
    // 23 Mamba 2 layers: state 4096 x 128 x 4 + tail 3 x (4096 + 2 x 8 x 128) x 2.
    expect(keyValueForm(read(nemotronNano), 2).fixed).toBe(23 * (4096 * 128 * 4 + 3 * 6144 * 2));
  });

  it('gives each layer of a searched architecture its own heads', () => {
    const block = (group: number | null, mult: number | null): unknown => ({
      attention: { n_heads_in_group: group, no_op: group === null },
      ffn: { ffn_mult: mult, no_op: mult === null },
    });
    const model = read({
      ...llama([768, 3, 8, 8, 1, 100]),
      model_type: 'nemotron-nas',
      num_key_value_heads: null,
      intermediate_size: null,
      block_configs: [block(4, 1), block(null, 2.5), block(8, null)],
    });
    // Two thirds of 768 = 512; of 2.5 x 768 = 1280: multiples of 256 already.
    expect(model.layers.map(({ feedForward }) => (feedForward.kind === 'dense' ? feedForward.width : 0))).toEqual([
      512, 1280, 0,
    ]);
    expect(model.layers.map(({ mixer }) => (mixer.kind === 'attention' ? mixer.keyValueHeads : 0))).toEqual([2, 0, 1]);
  });
});

describe('where a field stands', () => {
  it('prefers the text part, and takes the head tie from outside', () => {
    const text = llama(small, { model_type: 'qwen3_vl_text' });
    const outer = { model_type: 'qwen3_vl', hidden_size: 9999, text_config: text, tie_word_embeddings: true };
    expect(read(outer).hiddenSize).toBe(64);
    expect(read(outer).embedding.tied).toBe(true);
    expect(read({ ...outer, text_config: { ...text, tie_word_embeddings: false } }).embedding.tied).toBe(false);
  });

  it.each([
    ['llama', false],
    ['gemma2', true],
    ['cohere', true],
    ['starcoder2', true],
    ['qwen3', false],
    ['granite', true],
    ['baichuan', false],
  ])('ties the head of %s by its class default', (type, tied) => {
    expect(read(llama(small, { model_type: type })).embedding.tied).toBe(tied);
  });

  it('prefers model_max_length to a stale max_position_embeddings', () => {
    const config = llama(small, { model_type: 'cohere', max_position_embeddings: 8192, model_max_length: 131072 });
    expect(read(config).contextLimit).toBe(131072);
  });

  it('calls blocks that read one input parallel', () => {
    const gptj = { model_type: 'gptj', n_embd: 64, n_layer: 2, n_head: 4, vocab_size: 100 };
    expect(read(gptj).layers[0]?.parallelBlocks).toBe(true);
    expect(read(llama(small, { model_type: 'cohere' })).layers[0]?.parallelBlocks).toBe(true);
    expect(read(llama(small)).layers[0]?.parallelBlocks).toBe(false);
    expect(
      read({ ...llama(small), model_type: 'gpt_neox', use_parallel_residual: false }).layers[0]?.parallelBlocks,
    ).toBe(false);
  });
});
