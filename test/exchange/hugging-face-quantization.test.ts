import { describe, expect, it } from 'vitest';
import { importHuggingFace } from '../../src/exchange/hugging-face/import-hugging-face.ts';
import type { Checkpoint } from '../../src/profile/model.ts';
import { findNumberFormat } from '../../src/quantity/number-format.ts';
import { deepseekV4, gptOss120, llama } from './hugging-face-configurations.ts';

const dense = llama([64, 4, 4, 2, 128, 100]);
const experts = llama([64, 4, 4, 2, 128, 100], {
  model_type: 'deepseek',
  n_routed_experts: 8,
  num_experts_per_tok: 2,
  n_shared_experts: 1,
  moe_intermediate_size: 32,
});

function checkpoint(config: Readonly<Record<string, unknown>>, quantization?: unknown, extras = {}): Checkpoint {
  const whole = quantization === undefined ? config : { ...config, quantization_config: quantization };
  return importHuggingFace(whole, extras, 'config.json').model.checkpoint;
}

const perLayer = (part: string): string[] => [0, 1, 2, 3].map((layer) => `model.layers.${layer}.${part}`);

describe('checkpoint formats', () => {
  it.each([
    ['GPTQ', { quant_method: 'gptq', bits: 4, group_size: 128, desc_act: true }, 'w4a16-gptq'],
    ['GPTQ with one scale a column', { quant_method: 'gptq', bits: 4, group_size: -1 }, 'w4a16-g64'],
    ['GPTQ in 3 bits', { quant_method: 'gptq', bits: 3, group_size: 64 }, 'w3a16-g64'],
    [
      'AWQ',
      {
        quant_method: 'awq',
        bits: 4,
        group_size: 128,
        zero_point: true,
        version: 'gemm',
        modules_to_not_convert: null,
      },
      'w4a16-awq',
    ],
    ['AWQ in groups of 64', { quant_method: 'awq', bits: 4, group_size: 64 }, 'w4a16-awq-g64'],
    ['AutoRound', { quant_method: 'auto-round', bits: 4, group_size: 128 }, 'w4a16-autoround'],
    [
      'NF4',
      {
        quant_method: 'bitsandbytes',
        load_in_4bit: true,
        bnb_4bit_quant_type: 'nf4',
        bnb_4bit_use_double_quant: false,
        llm_int8_skip_modules: null,
      },
      'nf4',
    ],
    ['NF4 twice', { quant_method: 'bitsandbytes', load_in_4bit: true, bnb_4bit_use_double_quant: true }, 'nf4-double'],
    ['LLM.int8', { quant_method: 'bitsandbytes', load_in_8bit: true }, 'llm-int8'],
    [
      'FP8 in blocks',
      { quant_method: 'fp8', weight_block_size: [128, 128], activation_scheme: 'dynamic' },
      'fp8-block',
    ],
    ['FP8 per tensor', { quant_method: 'fp8', activation_scheme: 'static' }, 'fp8'],
    ['EXL2', { quant_method: 'exl2', bits: 4, head_bits: 6 }, 'exl2-4.0-bpw'],
    ['EXL2 with a fraction', { quant_method: 'exl2', bits: 4.25 }, 'exl2-4.25-bpw'],
    [
      'compressed-tensors FP8 by channel',
      {
        quant_method: 'compressed-tensors',
        format: 'float-quantized',
        config_groups: {
          group_0: { weights: { num_bits: 8, type: 'float', strategy: 'channel' }, input_activations: { num_bits: 8 } },
        },
      },
      'fp8',
    ],
    [
      'compressed-tensors FP8 by block',
      {
        quant_method: 'compressed-tensors',
        config_groups: {
          group_0: { weights: { num_bits: 8, type: 'float', strategy: 'block' }, input_activations: { num_bits: 8 } },
        },
      },
      'fp8-block',
    ],
    [
      'compressed-tensors int4',
      {
        quant_method: 'compressed-tensors',
        config_groups: {
          group_0: { weights: { num_bits: 4, type: 'int', group_size: 128, symmetric: true }, input_activations: null },
        },
      },
      'w4a16-ct-g128',
    ],
    [
      'compressed-tensors int8',
      {
        quant_method: 'compressed-tensors',
        config_groups: { group_0: { weights: { num_bits: 8, type: 'int' }, input_activations: { num_bits: 8 } } },
      },
      'int8',
    ],
    ['ModelOpt NVFP4', { quant_method: 'modelopt', quant_algo: 'NVFP4' }, 'nvfp4'],
    ['no method, only an algorithm', { quant_algo: 'FP8', ignore: ['lm_head'] }, 'fp8'],
    ['Quark', { quant_method: 'quark', global_quant_config: { weight: { dtype: 'fp4' } } }, 'mxfp4-w4a4'],
  ])('reads %s', (_name, quantization, format) => {
    expect(checkpoint(dense, quantization).layers).toBe(format);
    expect(findNumberFormat(format)?.name).toBeDefined();
  });

  it.each([
    ['bfloat16', 'bf16'],
    ['float16', 'fp16'],
    ['float32', 'fp32'],
  ])('takes %s from torch_dtype or dtype', (type, format) => {
    expect(checkpoint({ ...dense, torch_dtype: type })).toEqual({ layers: format });
    expect(checkpoint({ ...dense, torch_dtype: undefined, dtype: type })).toEqual({ layers: format });
  });

  it('says so where no data type is stated', () => {
    const { notes } = importHuggingFace({ ...dense, torch_dtype: undefined }, {}, 'config.json');
    expect(notes).toEqual(['The configuration names no data type: bf16 is assumed.']);
  });

  it('quantises only the experts of gpt-oss', () => {
    const names = ['model.layers.*.self_attn', 'model.layers.*.mlp.router', 'model.embed_tokens', 'lm_head'];
    expect(checkpoint(gptOss120, { quant_method: 'mxfp4', modules_to_not_convert: names })).toEqual({
      layers: 'bf16',
      experts: 'mxfp4',
    });
  });

  it('reads regular expressions in a list without evaluating them', () => {
    const ignore = ['lm_head', 're:.*self_attn.*', 're:.*shared_experts.*', 're:.*mlp\\.(gate|up|gate_up|down)_proj.*'];
    const weights = { num_bits: 4, type: 'int', group_size: 32, symmetric: true };
    const section = {
      quant_method: 'compressed-tensors',
      config_groups: { group_0: { weights, input_activations: null } },
      ignore,
    };
    expect(checkpoint(experts, section)).toEqual({ layers: 'bf16', experts: 'w4a16-ct-g32' });
  });

  it('leaves attention in 16 bits where every layer is listed, not where one is', () => {
    const section = { quant_method: 'modelopt', quant_algo: 'NVFP4', kv_cache_scheme: { num_bits: 8, type: 'float' } };
    expect(checkpoint(dense, { ...section, ignore: ['lm_head', ...perLayer('self_attn*')] })).toEqual({
      layers: 'nvfp4',
      attention: 'bf16',
      keyValue: 'fp8',
    });
    expect(checkpoint(dense, { ...section, ignore: ['model.layers.0.self_attn*'] })).toEqual({
      layers: 'nvfp4',
      keyValue: 'fp8',
    });
    expect(checkpoint(experts, { ...section, ignore: perLayer('mlp.shared_experts*'), kv_cache_scheme: null })).toEqual(
      { layers: 'nvfp4', sharedExperts: 'bf16' },
    );
  });

  it('ignores lists of norms and routers', () => {
    const names = [...perLayer('input_layernorm'), ...perLayer('mlp.gate'), ...perLayer('self_attn.q_a_layernorm')];
    expect(
      checkpoint(experts, { quant_method: 'fp8', weight_block_size: [128, 128], modules_to_not_convert: names }),
    ).toEqual({ layers: 'fp8-block' });
  });

  it('takes hf_quant_config.json where config.json is silent', () => {
    const hfQuantConfig = {
      producer: { name: 'modelopt' },
      quantization: { quant_algo: 'FP8', kv_cache_quant_algo: 'FP8', exclude_modules: ['lm_head'] },
    };
    expect(checkpoint(dense, undefined, { hfQuantConfig })).toEqual({ layers: 'fp8', keyValue: 'fp8' });
  });

  it('takes the old files beside it', () => {
    expect(checkpoint(dense, undefined, { quantizeConfig: { bits: 4, group_size: 128, desc_act: false } }).layers).toBe(
      'w4a16-gptq',
    );
    expect(
      checkpoint(dense, undefined, { quantizeConfig: { w_bit: 4, q_group_size: 128, zero_point: true } }).layers,
    ).toBe('w4a16-awq');
  });

  it('finds the section inside the text part', () => {
    const text = { ...dense, quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] } };
    expect(checkpoint({ model_type: 'kimi_k25', text_config: text })).toEqual({ layers: 'fp8-block' });
  });

  it('keeps experts of DeepSeek-V4 in FP4 beside FP8', () => {
    expect(checkpoint(deepseekV4)).toEqual({ layers: 'fp8-block', experts: 'mxfp4-w4a8' });
  });

  it('lets the commonest format of each part hold where precision is mixed', () => {
    const quantized_layers = {
      'model.layers.0.self_attn.q_proj': { quant_algo: 'FP8' },
      'model.layers.0.self_attn.o_proj': { quant_algo: 'FP8' },
      'model.layers.0.mlp.experts.0.up_proj': { quant_algo: 'W4A16_NVFP4', group_size: 16 },
      'model.layers.0.mlp.experts.1.up_proj': { quant_algo: 'W4A16_NVFP4', group_size: 16 },
      'model.layers.0.mlp.experts.2.up_proj': { quant_algo: 'FP8' },
      'model.layers.0.mlp.shared_experts.up_proj': { quant_algo: 'FP8' },
      lm_head: { quant_algo: 'NVFP4' },
    };
    const section = { quant_method: 'modelopt', quant_algo: 'MIXED_PRECISION', quantized_layers };
    expect(checkpoint(experts, section)).toEqual({ layers: 'fp8', experts: 'nvfp4-w4a16', head: 'nvfp4' });
  });

  it('names a method that it does not know', () => {
    expect(() => checkpoint(dense, { quant_method: 'gptk', bits: 4 })).toThrow(
      "config.json: the quantization method 'gptk' is not understood, nearest known method 'gptq'.",
    );
    expect(() => checkpoint(dense, { quant_algo: 'NVFP5' })).toThrow(
      "config.json: the quantization method 'NVFP5' is not understood, nearest known method 'NVFP4'.",
    );
  });
});
