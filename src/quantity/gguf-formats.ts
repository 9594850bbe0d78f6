import { ggmlSource, ggufTypeBits, ggufTypeNames, ikSource } from './gguf-types.ts';
import { ggufMixes, mixLayerBits, mixSource } from './gguf-mixes.ts';
import type { NumberFormat } from './stored-format.ts';

/**
 * Mean bits per parameter of Unsloth's dynamic files, whose recipe differs by model: bytes of published files over
 * their parameters, as llama-bench prints both (lhl/strix-halo-testing at 5ee14b5b, kyuz0/amd-strix-halo-toolboxes at
 * d1a34bee). Dense models lie above: 10.5 bits for Qwen3.6-27B UD-Q8_K_XL.
 */
const dynamicBits: Readonly<Record<string, number>> = {
  q8_k_xl: 8.8, // 8.76, 8.81 (mixtures of experts)
  q6_k_xl: 7.01,
  q4_k_xl: 5.0, // 4.64 to 5.29, six files
  q3_k_xl: 3.54,
  iq3_xxs: 2.93,
};
const dynamicSource =
  'sizes of published files, lhl/strix-halo-testing at 5ee14b5b and kyuz0/amd-strix-halo-toolboxes at d1a34bee';

/** Names that stand for another file type: llama-quantize's own short forms. */
const synonyms: Readonly<Record<string, string>> = {
  'mxfp4+q8_0': 'mxfp4',
  mxfp4_moe: 'mxfp4',
  fp16: 'f16',
  fp32: 'f32',
};

/** Every file type that a name may have after `gguf-`. */
export const ggufNames: readonly string[] = [
  ...new Set([
    ...ggufTypeNames,
    ...Object.keys(ggufMixes),
    ...Object.keys(dynamicBits).map((name) => `ud-${name}`),
    'unsloth-f16',
  ]),
];

/**
 * Reads the part of a name behind `gguf-`: a block type (q8_0), a mix (q4_k_m), one of either in rows of four
 * (iq4_xs_r4), an Unsloth dynamic file (ud-q4_k_xl).
 */
export function ggufFormat(type: string): NumberFormat | undefined {
  const name = `gguf-${type}`;
  const plain = type.replace(/_r[48]$/, '');
  const kind = Object.hasOwn(synonyms, plain) ? synonyms[plain] : plain;
  if (kind === undefined) return undefined;
  if (kind === 'unsloth-f16')
    return experts(name, 'gguf-f16', 16, 'unsloth gpt-oss F16 files: MXFP4 experts as shipped, the rest F16');
  if (kind === 'mxfp4') return experts(name, 'gguf-q8_0', 8.5, mixSource);
  if (kind.startsWith('ud-')) return dynamic(name, kind.slice(3));
  return mixed(name, kind) ?? uniform(name, kind);
}

function mixed(name: string, kind: string): NumberFormat | undefined {
  const recipe = Object.hasOwn(ggufMixes, kind) ? ggufMixes[kind] : undefined;
  if (recipe === undefined) return undefined;
  const [head = 16, embedding = 16] = [recipe.head, recipe.embedding].map((type) => ggufTypeBits(type));
  return quantised(name, mixLayerBits(recipe), head, embedding, mixSource);
}

function uniform(name: string, kind: string): NumberFormat | undefined {
  const bits = ggufTypeBits(kind);
  if (bits === undefined) return undefined;
  if (kind === 'f32' || kind === 'f16' || kind === 'bf16') {
    const arithmetic = kind === 'bf16' ? 'bf16' : kind === 'f16' ? 'fp16' : 'fp32';
    return {
      name,
      bits,
      headBits: bits,
      embeddingBits: bits,
      arithmetic,
      defaultActivations: arithmetic,
      dequantised: false,
      scope: 'all',
      source: ggmlSource,
    };
  }
  const own = /^iq[2-6]_k/.test(kind);
  // The quantiser gives the head Q6_K, or Q8_0 where the file is Q8_0.
  return quantised(name, bits, kind === 'q8_0' ? bits : 6.5625, bits, own ? ikSource : ggmlSource);
}

function dynamic(name: string, kind: string): NumberFormat | undefined {
  const measured = Object.hasOwn(dynamicBits, kind) ? dynamicBits[kind] : undefined;
  if (measured !== undefined) {
    return besideExperts(quantised(name, measured, Math.max(6.5625, measured), measured, dynamicSource));
  }
  // Without a file at hand: the plain mix of the same name, which the measured ones differ from by up to a tenth.
  const base = kind.replace(/_xl$/, '');
  const plain = mixed(name, kind) ?? mixed(name, `${base}_m`) ?? mixed(name, base) ?? uniform(name, base);
  return plain && besideExperts({ ...plain, source: `${mixSource}; plain mix of the same name` });
}

/**
 * Unsloth's dynamic files of mixtures of experts save their bits on the routed experts and keep the rest in 8: files of 4 and of 8 bits
 * decode within 13 % (Gemma 4 26B-A4B) and 11 % (Qwen3.6 35B-A3B) of each other on the same machine (kyuz0/amd-strix-halo-toolboxes at
 * d1a34bee), as they read the same bytes outside the experts.
 */
const besideExperts = (format: NumberFormat): NumberFormat =>
  format.bits >= 8 ? format : { ...format, scope: 'experts', elsewhere: 'gguf-q8_0' };

function experts(name: string, elsewhere: string, bits: number, source: string): NumberFormat {
  return { ...quantised(name, 4.25, bits, bits, source), scope: 'experts', elsewhere };
}

/**
 * llama.cpp rounds activations to 8 bits and multiplies integers (MMQ and vector kernels) where the device can; a
 * device without INT8 matrices falls back to the next wider format. Between layers activations are 16 bits wide or more.
 */
function quantised(name: string, bits: number, headBits: number, embeddingBits: number, source: string): NumberFormat {
  return {
    name,
    bits,
    headBits,
    embeddingBits,
    arithmetic: 'int8',
    defaultActivations: 'fp16',
    dequantised: true,
    scope: 'all',
    source,
  };
}
