/**
 * Configurations in the fields of each model type, written from the dimensions that publishers state; only what the
 * importer needs. `total` is the published number of parameters of the language model.
 */
export interface KnownConfiguration {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly total: number;
  /** What the entry is here for. */
  readonly trap: string;
}

type Config = Readonly<Record<string, unknown>>;

/** Llama's names: width, layers, heads, key-value heads, MLP width, vocabulary. */
export function llama(
  [width, layers, heads, keyValueHeads, inner, vocabulary]: readonly [number, number, number, number, number, number],
  more: Config = {},
): Config {
  return {
    model_type: 'llama',
    hidden_size: width,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: keyValueHeads,
    intermediate_size: inner,
    vocab_size: vocabulary,
    torch_dtype: 'bfloat16',
    ...more,
  };
}

/** DeepSeek's latent attention; 128 key-value heads there are a decoy. */
export const latent: Config = {
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
};

export const deepseekV3: Config = llama([7168, 61, 128, 128, 18432, 129280], {
  model_type: 'deepseek_v3',
  ...latent,
  q_lora_rank: 1536,
  n_routed_experts: 256,
  num_experts_per_tok: 8,
  n_shared_experts: 1,
  moe_intermediate_size: 2048,
  first_k_dense_replace: 3,
  moe_layer_freq: 1,
  topk_method: 'noaux_tc',
  num_nextn_predict_layers: 1,
});

export const gptOss120: Config = llama([2880, 36, 64, 8, 2880, 201088], {
  model_type: 'gpt_oss',
  head_dim: 64,
  num_local_experts: 128,
  num_experts_per_tok: 4,
  sliding_window: 128,
  attention_bias: true,
});

export const nemotronNano: Config = {
  model_type: 'nemotron_h',
  hidden_size: 2688,
  hybrid_override_pattern: 'MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME',
  num_attention_heads: 32,
  num_key_value_heads: 2,
  head_dim: 128,
  mamba_num_heads: 64,
  mamba_head_dim: 64,
  // A decoy: the inner width is 64 x 64, not 2 x 2688.
  expand: 2,
  ssm_state_size: 128,
  n_groups: 8,
  conv_kernel: 4,
  intermediate_size: 1856,
  moe_intermediate_size: 1856,
  moe_shared_expert_intermediate_size: 3712,
  n_routed_experts: 128,
  num_experts_per_tok: 6,
  n_shared_experts: 1,
  vocab_size: 131072,
  tie_word_embeddings: false,
  time_step_limit: [0, Number.POSITIVE_INFINITY],
  torch_dtype: 'bfloat16',
};

export const qwenNext: Config = llama([2048, 48, 16, 2, 5120, 151936], {
  model_type: 'qwen3_next',
  head_dim: 256,
  full_attention_interval: 4,
  linear_num_key_heads: 16,
  linear_num_value_heads: 32,
  linear_key_head_dim: 128,
  linear_value_head_dim: 128,
  linear_conv_kernel_dim: 4,
  num_experts: 512,
  num_experts_per_tok: 10,
  moe_intermediate_size: 512,
  shared_expert_intermediate_size: 512,
  decoder_sparse_step: 1,
  mlp_only_layers: [],
});

export const deepseekV4: Config = {
  model_type: 'deepseek_v4',
  hidden_size: 4096,
  num_hidden_layers: 43,
  num_attention_heads: 64,
  num_key_value_heads: 1,
  head_dim: 512,
  q_lora_rank: 1024,
  o_lora_rank: 1024,
  o_groups: 8,
  qk_rope_head_dim: 64,
  index_n_heads: 64,
  index_head_dim: 128,
  index_topk: 512,
  sliding_window: 128,
  hc_mult: 4,
  num_hash_layers: 3,
  // One entry more than layers: the last is the prediction module's.
  compress_ratios: [0, 0, ...Array.from({ length: 41 }, (_, index) => (index % 2 === 0 ? 4 : 128)), 0],
  n_routed_experts: 256,
  num_experts_per_tok: 6,
  n_shared_experts: 1,
  moe_intermediate_size: 2048,
  expert_dtype: 'fp4',
  vocab_size: 129280,
  max_position_embeddings: 1048576,
  torch_dtype: 'bfloat16',
  quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
};
