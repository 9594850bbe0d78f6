import { direct, weightOnly, type NumberFormat } from './stored-format.ts';

const ieee = 'IEEE 754-2019; bfloat16 as in Intel document 338302';
const ocp = 'OCP Microscaling Formats (MX) Specification 1.0, 2023-09: one 8-bit scale per 32 elements';
const compressed = 'vllm-project/compressed-tensors: one 16-bit scale per group, packed zero points where asymmetric';
const awq = 'mit-han-lab/llm-awq and AutoAWQ: groups of 128 with a 16-bit scale and a 4-bit zero point';
const gptq = 'AutoGPTQ/GPTQModel: groups of 128 with a 16-bit scale and a packed zero point';

/** One scale for each output column of a typical matrix of 4096 rows: 16 bits / 4096. */
const perColumn = 16 / 4096;

const fp8Source = 'OCP 8-bit Floating Point Specification 1.0, 2023; scale per tensor';
const fp8: NumberFormat = direct('fp8', 8, 'fp8', fp8Source);

/** Formats that are one fixed name each; families with a number in the name are in packed-formats.ts. */
export const plainFormats: readonly NumberFormat[] = [
  direct('fp32', 32, 'fp32', ieee),
  direct('fp16', 16, 'fp16', ieee),
  direct('bf16', 16, 'bf16', ieee),
  fp8,
  { ...fp8, name: 'fp8-e5m2' },
  // DeepSeek-V3, Qwen3 FP8, MiniMax: one FP32 scale per block of 128 x 128.
  {
    ...direct(
      'fp8-block',
      8 + 32 / (128 * 128),
      'fp8',
      'deepseek-ai/DeepSeek-V3 config.json weight_block_size [128, 128]',
    ),
    defaultActivations: 'fp8',
  },
  { ...direct('mxfp8', 8 + 8 / 32, 'fp8', ocp) },
  { ...direct('mxfp6', 6 + 8 / 32, 'fp6', ocp) },
  direct('int8', 8 + perColumn, 'int8', 'SmoothQuant W8A8, arXiv 2211.10438; one scale per output column'),
  weightOnly('w8a16', 8 + perColumn, 'bf16', 'TensorRT-LLM INT8 weight-only: one 16-bit scale per output column'),
  weightOnly('w8a16-gptq', 8 + (16 + 8) / 128, 'fp16', gptq),
  // FP8 weights on devices without FP8 arithmetic (Marlin kernels).
  weightOnly('fp8-w8a16', 8, 'bf16', 'vllm-project/vllm marlin FP8 weight-only kernels'),
  weightOnly('w4a16', 4 + (16 + 4) / 128, 'fp16', awq),
  weightOnly('w4a16-awq', 4 + (16 + 4) / 128, 'fp16', awq),
  weightOnly('w4a16-gptq', 4 + (16 + 4) / 128, 'fp16', gptq),
  weightOnly('w4a16-autoround', 4 + (16 + 4) / 128, 'fp16', 'intel/auto-round: GPTQ layout, groups of 128'),
  weightOnly('w4a16-ct-g32-asym', 4 + (16 + 4) / 32, 'bf16', compressed),
  weightOnly(
    'int4',
    4 + 32 / 128,
    'bf16',
    'pytorch-labs/gpt-fast quantize.py: 16-bit scale and zero point per group of 128',
  ),
  {
    ...weightOnly('w4a8', 4 + (16 + 4) / 128, 'fp16', 'QServe W4A8, arXiv 2405.04532: weights widened to INT8'),
    arithmetic: 'int8',
    defaultActivations: 'int8',
  },
  {
    ...weightOnly('w4a8-awq', 4 + 16 / 128, 'fp16', 'NVIDIA/TensorRT-LLM W4A8_AWQ: INT4 weights widened to FP8'),
    arithmetic: 'fp8',
    defaultActivations: 'fp8',
  },
  weightOnly('w2a16-aqlm', 2 + 16 / 4096 + 0.03, 'fp16', 'AQLM 2x8 and 1x16 at about 2.03 bits, arXiv 2401.06118'),
  weightOnly('w2a16-quip#', 2 + perColumn, 'fp16', 'QuIP#, arXiv 2402.04396, 2 bits'),
  weightOnly('w2a16-qtip', 2 + perColumn, 'fp16', 'QTIP, arXiv 2406.11235, 2 bits'),
  weightOnly('nf4', 4 + 32 / 64, 'bf16', 'bitsandbytes 4-bit: one FP32 scale per 64'),
  weightOnly('nf4-double', 4.127, 'bf16', 'QLoRA double quantisation, arXiv 2305.14314: 0.127 bits of scales'),
  {
    ...direct('llm-int8', 8 + perColumn, 'int8', 'bitsandbytes LLM.int8(), arXiv 2208.07339'),
    defaultActivations: 'int8',
    dequantised: true,
  },
  direct('nvfp4', 4 + 8 / 16, 'fp4', 'NVIDIA/TensorRT-Model-Optimizer NVFP4: one FP8 scale per 16 elements'),
  weightOnly('nvfp4-w4a16', 4 + 8 / 16, 'bf16', 'vllm-project/vllm NVFP4 weight-only kernels (Marlin)'),
  // gpt-oss keeps all but the routed experts in BF16.
  {
    ...weightOnly('mxfp4', 4 + 8 / 32, 'bf16', `${ocp}; openai/gpt-oss config.json modules_to_not_convert`),
    native: 'fp4',
    scope: 'experts',
    elsewhere: 'bf16',
  },
  direct('mxfp4-w4a4', 4 + 8 / 32, 'fp4', `${ocp}; AMD Quark MXFP4 weights and activations`),
  {
    ...weightOnly('mxfp4-w4a8', 4 + 8 / 32, 'bf16', `${ocp}; weights widened to FP8`),
    arithmetic: 'fp8',
    defaultActivations: 'fp8',
    scope: 'experts',
    elsewhere: 'bf16',
  },
  {
    ...weightOnly('mlx-mxfp4', 4 + 8 / 32, 'bf16', 'ml-explore/mlx mxfp4 mode'),
    headBits: 4.25,
    embeddingBits: 4.25,
  },
  {
    ...weightOnly(
      'mlx-mxfp4-q8',
      4 + 8 / 32,
      'bf16',
      'mlx-community gpt-oss MXFP4-Q8: experts as shipped, the rest 8 bits in groups of 64',
    ),
    headBits: 8.5,
    embeddingBits: 8.5,
    scope: 'experts',
    elsewhere: 'mlx-q8-g64',
  },
  {
    ...weightOnly(
      'q4f16_1',
      4 + 16 / 32,
      'fp16',
      'mlc-ai/mlc-llm q4f16_1: groups of 32 with a 16-bit scale, embedding and head too',
    ),
    headBits: 4.5,
    embeddingBits: 4.5,
  },
  {
    ...weightOnly('gf4', 4, 'fp16', 'zeux/calm README: eight 3-bit values and an FP8 scale in 32 bits'),
    headBits: 4,
    embeddingBits: 4,
  },
];
