import type { Checkpoint } from '../../profile/model.ts';
import { hasExperts } from './feed-forward.ts';
import { type Fields, fieldsOf, isRecord, list, raw, section, word } from './fields.ts';
import { algorithmFormat, formatOf } from './quantization-methods.ts';

/** Formats of `torch_dtype` or `dtype`. */
const baseFormats: Readonly<Record<string, string>> = {
  bfloat16: 'bf16',
  float16: 'fp16',
  half: 'fp16',
  float32: 'fp32',
  'torch.bfloat16': 'bf16',
  'torch.float16': 'fp16',
  'torch.float32': 'fp32',
};

/** Five names of the same list: modules that stay in the base format. */
const exclusionNames = [
  'modules_to_not_convert',
  'ignored_layers',
  'ignore',
  'exclude_modules',
  'llm_int8_skip_modules',
];

/** Parts of a model that a checkpoint may store apart. */
type Part = 'attention' | 'sharedExperts' | 'experts' | 'dense' | 'head' | 'embedding';

/** From this share of its layers or projections on, a part counts as left out. */
const mostOf = 0.5;

export interface QuantizationSources {
  /** Text part of the configuration. */
  readonly text: Fields;
  /** The configuration itself: the section may stand in either. */
  readonly outer: Fields;
  readonly hfQuantConfig?: unknown;
  readonly quantizeConfig?: unknown;
}

export interface QuantizationResult {
  readonly checkpoint: Checkpoint;
  readonly notes: readonly string[];
}

/** Formats of the checkpoint, from the configuration and the files that older and NVIDIA repositories keep beside it. */
export function checkpointOf(sources: QuantizationSources, width: number, layers: number): QuantizationResult {
  const { base, notes } = baseFormat(sources);
  const quantization = quantizationSection(sources);
  if (quantization === undefined) return { checkpoint: { layers: base }, notes };
  const excluded = list(quantization, ...exclusionNames) ?? [];
  const keyValue = keyValueFormat(quantization);
  const mixed = section(quantization, 'quantized_layers');
  const checkpoint =
    word(quantization, 'quant_algo') === 'MIXED_PRECISION' && mixed !== undefined
      ? mixedCheckpoint(sources.text, quantization, mixed, base, width)
      : uniformCheckpoint(sources.text, formatOf(quantization, width), base, excludedParts(excluded, layers));
  return { checkpoint: { ...checkpoint, ...(keyValue === undefined ? {} : { keyValue }) }, notes };
}

function baseFormat({ text, outer }: QuantizationSources): {
  readonly base: string;
  readonly notes: readonly string[];
} {
  const stated = word(text, 'torch_dtype', 'dtype') ?? word(outer, 'torch_dtype', 'dtype');
  const base = stated === undefined || !Object.hasOwn(baseFormats, stated) ? undefined : baseFormats[stated];
  if (base !== undefined) return { base, notes: [] };
  const note =
    stated === undefined
      ? 'The configuration names no data type: bf16 is assumed.'
      : `The data type '${stated.slice(0, 40)}' is not known: bf16 is assumed.`;
  return { base: 'bf16', notes: [note] };
}

function quantizationSection({ text, outer, hfQuantConfig, quantizeConfig }: QuantizationSources): Fields | undefined {
  const own = section(outer, 'quantization_config') ?? section(text, 'quantization_config');
  if (own !== undefined && raw(own, 'quant_method', 'quant_algo', 'config_groups', 'bits') !== undefined) return own;
  if (isRecord(hfQuantConfig)) {
    return section(fieldsOf(hfQuantConfig, outer.where, 'hf_quant_config.'), 'quantization');
  }
  return isRecord(quantizeConfig) ? fieldsOf(quantizeConfig, outer.where, 'quantize_config.') : undefined;
}

/** One format for all that is converted, and what the list of exclusions leaves in the base format. */
function uniformCheckpoint(text: Fields, format: string, base: string, excluded: ReadonlySet<Part>): Checkpoint {
  // DeepSeek-V4 stores routed experts in FP4 beside FP8 for the rest.
  const experts = word(text, 'expert_dtype') === 'fp4' ? 'mxfp4-w4a8' : format;
  // mxfp4 of gpt-oss converts experts only, whatever its list says.
  const onlyExperts = format === 'mxfp4' || (excluded.has('attention') && excluded.has('dense'));
  if (onlyExperts && !excluded.has('experts')) {
    return {
      layers: base,
      experts,
      ...(excluded.has('sharedExperts') || format === 'mxfp4' ? {} : { sharedExperts: format }),
    };
  }
  return {
    layers: excluded.has('dense') ? base : format,
    ...(excluded.has('attention') ? { attention: base } : excluded.has('dense') ? { attention: format } : {}),
    ...(excluded.has('experts') ? { experts: base } : experts === format ? {} : { experts }),
    ...(excluded.has('sharedExperts') ? { sharedExperts: base } : {}),
  };
}

/** A format for every module by name: the commonest of each part holds for it. */
function mixedCheckpoint(text: Fields, quantization: Fields, modules: Fields, base: string, width: number): Checkpoint {
  const votes = new Map<Part, Map<string, number>>();
  for (const [name, value] of Object.entries(modules.values)) {
    const part = partOf(name);
    const algorithm = isRecord(value) ? value['quant_algo'] : undefined;
    if (part === undefined || typeof algorithm !== 'string') continue;
    const format = algorithmFormat(quantization, algorithm);
    const counts = votes.get(part) ?? new Map<string, number>();
    votes.set(part, counts.set(format, (counts.get(format) ?? 0) + 1));
  }
  // DeepSeek-V4 copies convert experts and keep the base's own FP8 elsewhere.
  const rest =
    word(quantization, 'quant_method') === 'fp8'
      ? formatOf({ ...quantization, values: withoutAlgorithm(quantization) }, width)
      : base;
  const winner = (part: Part): string => commonest(votes.get(part)) ?? rest;
  const experts = hasExperts(text)
    ? ([
        ['experts', winner('experts')],
        ['sharedExperts', winner('sharedExperts')],
      ] as const)
    : [];
  const head = commonest(votes.get('head'));
  const attention = winner('attention');
  const dense = commonest(votes.get('dense')) ?? attention;
  return {
    layers: dense,
    ...(attention === dense ? {} : { attention }),
    ...Object.fromEntries(experts.filter(([, format]) => format !== dense)),
    ...(head === undefined ? {} : { head }),
  };
}

function withoutAlgorithm(quantization: Fields): Readonly<Record<string, unknown>> {
  return { ...quantization.values, quant_algo: undefined };
}

function commonest(counts: ReadonlyMap<string, number> | undefined): string | undefined {
  return [...(counts ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/**
 * Parts that most of the patterns' layers leave out. Patterns are plain names, prefixes, globs or `re:` expressions;
 * none is evaluated: the words in them say what they mean.
 */
function excludedParts(patterns: readonly unknown[], layers: number): ReadonlySet<Part> {
  const covered = new Map<Part, Set<string>>();
  for (const pattern of patterns) {
    if (typeof pattern !== 'string' || isNarrow(pattern)) continue;
    const layer = /layers\.(\d+)/.exec(pattern)?.[1] ?? 'all';
    for (const part of partsOf(pattern, layer !== 'all'))
      covered.set(part, (covered.get(part) ?? new Set()).add(layer));
  }
  const isLeftOut = (seen: ReadonlySet<string>): boolean => seen.has('all') || seen.size >= mostOf * layers;
  return new Set([...covered].filter(([, seen]) => isLeftOut(seen)).map(([part]) => part));
}

/** Norms, routers and other vectors say nothing about the matrices beside them. */
function isNarrow(pattern: string): boolean {
  return /norm|mlp\.gate$|moe\.gate$|\.gate$|^gate$|router|bias|indexer|vision|visual|shared_expert_gate|mtp|conv1d/.test(
    pattern,
  );
}

function partsOf(pattern: string, oneLayer: boolean): readonly Part[] {
  const part = partOf(pattern);
  if (part !== undefined) return [part];
  return oneLayer && /layers\.\d+\.?\*?$/.test(pattern) ? ['attention', 'sharedExperts', 'experts', 'dense'] : [];
}

/** The part that a module's name belongs to. */
function partOf(name: string): Part | undefined {
  if (/(?:^|\.)(?:lm_)?head$/.test(name)) return 'head';
  if (/embed/.test(name)) return 'embedding';
  if (/shared_expert/.test(name)) return 'sharedExperts';
  if (/experts/.test(name)) return 'experts';
  if (/attn|attention|mixer\.(?:in|out|q|k|v|o)_proj/.test(name)) return 'attention';
  return /mlp|ffn|mixer\.(?:up|down)_proj/.test(name) ? 'dense' : undefined;
}

/** `kv_cache_scheme` of compressed-tensors (word or object), `kv_cache_quant_algo` of ModelOpt. */
function keyValueFormat(quantization: Fields): string | undefined {
  const scheme = raw(quantization, 'kv_cache_scheme', 'kv_cache_quant_algo');
  if (typeof scheme === 'string') return /nvfp4/i.test(scheme) ? 'nvfp4' : /int8/i.test(scheme) ? 'int8' : 'fp8';
  return isRecord(scheme) && scheme['num_bits'] === 8 ? 'fp8' : undefined;
}
