import { type Fields, flag, isRecord, maybePositive, maybeWhole, raw, section, word } from './fields.ts';
import { ConfigurationError, unknownQuantization } from './messages.ts';

/** AWQ's and GPTQ's usual group, which has a plain format name. */
const usualGroup = 128;

/** `quant_algo` of ModelOpt to a format name. */
const algorithms: Readonly<Record<string, string>> = {
  FP8: 'fp8',
  FP8_PER_CHANNEL_PER_TOKEN: 'fp8',
  FP8_PB_WO: 'fp8-block',
  FP8_BLOCK_SCALES: 'fp8-block',
  NVFP4: 'nvfp4',
  NVFP4_AWQ: 'nvfp4',
  W4A16_NVFP4: 'nvfp4-w4a16',
  W4A16: 'w4a16',
  W4A16_AWQ: 'w4a16-awq',
  W4A8_AWQ: 'w4a8-awq',
  W8A16: 'w8a16',
  INT8_SQ: 'int8',
  W8A8_SQ_PER_CHANNEL: 'int8',
  MXFP4: 'mxfp4',
  MXFP8: 'mxfp8',
};

type Reader = (quantization: Fields, width: number) => string;

/** `quant_method` to the reader of its format name. */
const methods: Readonly<Record<string, Reader>> = {
  gptq: (quantization, width) => grouped(quantization, width, 'gptq'),
  awq: (quantization, width) => grouped(quantization, width, 'awq'),
  'auto-round': (quantization, width) => grouped(quantization, width, 'autoround'),
  'intel/auto-round': (quantization, width) => grouped(quantization, width, 'autoround'),
  bitsandbytes: bitsAndBytes,
  fp8: blockwise,
  fbgemm_fp8: () => 'fp8',
  mxfp4: () => 'mxfp4',
  'compressed-tensors': compressedTensors,
  modelopt: byAlgorithm,
  modelopt_fp4: () => 'nvfp4',
  quark: quark,
  exl2: (quantization) => `exl2-${decimals(maybePositive(quantization, ['bits']) ?? 4)}-bpw`,
  exl3: (quantization) => `exl3-${decimals(maybePositive(quantization, ['bits']) ?? 4)}-bpw`,
  aqlm: () => 'w2a16-aqlm',
  quip: () => 'w2a16-quip#',
};

export const methodNames: readonly string[] = Object.keys(methods);

/** The format that a quantization section converts its layers to. `width` stands in for "one group per column". */
export function formatOf(quantization: Fields, width: number): string {
  const method = word(quantization, 'quant_method');
  const algorithm = word(quantization, 'quant_algo');
  if (algorithm !== undefined && (method === undefined || method === 'modelopt'))
    return algorithmFormat(quantization, algorithm);
  if (method === undefined) return oldStyle(quantization, width);
  const reader = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (reader === undefined) throw new ConfigurationError(unknownQuantization(quantization.where, method, methodNames));
  return reader(quantization, width);
}

export function algorithmFormat(quantization: Fields, algorithm: string): string {
  const format = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  if (format !== undefined) return format;
  throw new ConfigurationError(unknownQuantization(quantization.where, algorithm, Object.keys(algorithms)));
}

/** Files beside the configuration: AutoGPTQ's `quantize_config.json`, AWQ's `quant_config.json`. */
function oldStyle(quantization: Fields, width: number): string {
  const isAwq = raw(quantization, 'w_bit', 'q_group_size', 'zero_point') !== undefined;
  return grouped(quantization, width, isAwq ? 'awq' : 'gptq');
}

function grouped(quantization: Fields, width: number, kind: 'gptq' | 'awq' | 'autoround'): string {
  const bits = maybeWhole(quantization, ['bits', 'w_bit']) ?? 4;
  const stated = maybeWhole(quantization, ['group_size', 'q_group_size'], -1) ?? usualGroup;
  // -1: one scale for a whole column.
  const group = stated <= 0 ? width : stated;
  if (group === usualGroup && (bits === 4 || (bits === 8 && kind === 'gptq'))) return `w${bits}a16-${kind}`;
  return kind === 'awq' ? `w${bits}a16-awq-g${group}` : `w${bits}a16-g${group}`;
}

function bitsAndBytes(quantization: Fields): string {
  if (flag(quantization, ['load_in_8bit', '_load_in_8bit'], false)) return 'llm-int8';
  return flag(quantization, ['bnb_4bit_use_double_quant'], false) ? 'nf4-double' : 'nf4';
}

function blockwise(quantization: Fields): string {
  return Array.isArray(raw(quantization, 'weight_block_size')) ? 'fp8-block' : 'fp8';
}

function byAlgorithm(quantization: Fields): string {
  const algorithm = word(quantization, 'quant_algo');
  return algorithm === undefined ? compressedTensors(quantization) : algorithmFormat(quantization, algorithm);
}

/** The first group of `config_groups` that quantises weights. */
function compressedTensors(quantization: Fields): string {
  if (word(quantization, 'format')?.startsWith('mxfp4') === true) return 'mxfp4';
  const groups = section(quantization, 'config_groups');
  const first = groups === undefined ? undefined : Object.values(groups.values).find(isRecord);
  const weights = isRecord(first?.['weights']) ? first['weights'] : undefined;
  if (weights === undefined) {
    throw new ConfigurationError(unknownQuantization(quantization.where, 'compressed-tensors', methodNames));
  }
  return schemeFormat({ ...quantization, values: weights }, isRecord(first?.['input_activations']));
}

function schemeFormat(weights: Fields, activations: boolean): string {
  const bits = maybeWhole(weights, ['num_bits']) ?? 8;
  const group = maybeWhole(weights, ['group_size'], -1) ?? usualGroup;
  if (word(weights, 'type') === 'float') {
    if (bits === 4) return activations ? 'nvfp4' : 'nvfp4-w4a16';
    if (!activations) return 'fp8-w8a16';
    return word(weights, 'strategy') === 'block' ? 'fp8-block' : 'fp8';
  }
  if (bits === 8) return activations ? 'int8' : 'w8a16';
  if (activations) return 'w4a8';
  const symmetric = flag(weights, ['symmetric'], true);
  return symmetric || group !== 32 ? `w${bits}a16-ct-g${group > 0 ? group : usualGroup}` : 'w4a16-ct-g32-asym';
}

/** AMD Quark: data type of the weights in `global_quant_config`. */
function quark(quantization: Fields): string {
  const global = section(quantization, 'global_quant_config');
  const weight = global === undefined ? undefined : section(global, 'weight');
  const type = weight === undefined ? undefined : word(weight, 'dtype');
  if (type === 'fp4') return 'mxfp4-w4a4';
  if (type?.startsWith('fp8') === true) return 'fp8';
  if (type === 'int4') return 'w4a16';
  if (type === 'int8') return 'int8';
  throw new ConfigurationError(unknownQuantization(quantization.where, `quark ${type ?? ''}`.trim(), methodNames));
}

function decimals(bits: number): string {
  return Number.isInteger(bits) ? bits.toFixed(1) : String(bits);
}
