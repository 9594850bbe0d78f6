import { ggufTypeBits } from './gguf-types.ts';

/** Which block types llama.cpp's quantiser gives to the parts of a model for one file type. */
export interface GgufMix {
  readonly base: string;
  readonly head: string;
  readonly embedding: string;
  /** Bits by which parts of a layer differ from the base, weighted by their share of the layers. */
  readonly layers: Readonly<Partial<Record<LayerPart, Uplift>>>;
}

type LayerPart = 'query' | 'key' | 'value' | 'output' | 'gate' | 'up' | 'down';

/** [share of the layers, block type] for each type that replaces the base. */
type Uplift = readonly (readonly [share: number, type: string])[];

export const mixSource = 'ggml-org/llama.cpp src/llama-quant.cpp at 007dbbf3fd (llama_tensor_get_type)';

// use_more_bits: the first and the last eighth of the layers and every third one between.
const moreBits = 1 / 8 + 1 / 8 + 3 / 4 / 3;
const firstEighth = 1 / 8;

/** The same change in every layer. */
const always = (type: string): Uplift => [[1, type]];

/** Mixes for models with grouped queries (4 or more per KV head) and fewer or more than 8 experts. */
export const ggufMixes: Readonly<Record<string, GgufMix>> = {
  q2_k: mix('q2_k', { value: always('q4_k'), down: always('q3_k'), output: always('q3_k') }),
  q2_k_s: mix('q2_k', { value: always('q4_k'), down: [[firstEighth, 'q4_k']] }),
  q3_k_s: mix('q3_k', {}),
  q3_k_m: mix('q3_k', {
    value: always('q4_k'),
    output: always('q4_k'),
    down: [
      [1 / 16, 'q5_k'],
      [15 / 16, 'q4_k'],
    ],
  }),
  q3_k_l: mix('q3_k', { value: always('q5_k'), output: always('q5_k'), down: always('q5_k') }),
  // Four layers of 32 keep more bits in V.
  q4_k_s: mix('q4_k', { value: [[4 / 32, 'q5_k']], down: [[firstEighth, 'q5_k']] }),
  q4_k_m: mix('q4_k', { value: [[moreBits, 'q6_k']], down: [[moreBits, 'q6_k']] }),
  q5_k_s: mix('q5_k', {}),
  q5_k_m: mix('q5_k', { value: [[moreBits, 'q6_k']], down: [[moreBits, 'q6_k']] }),
  iq1_s: mix(
    'iq1_s',
    { value: always('q4_k'), output: always('iq2_xxs'), down: [[firstEighth, 'q2_k']] },
    'q5_k',
    'q2_k',
  ),
  iq1_m: mix(
    'iq1_m',
    { value: always('q4_k'), output: always('iq2_xxs'), down: [[firstEighth, 'q2_k']] },
    'q5_k',
    'q2_k',
  ),
  iq2_xxs: mix('iq2_xxs', { value: always('q4_k'), down: [[firstEighth, 'q2_k']] }, 'q5_k', 'q2_k'),
  iq2_xs: mix('iq2_xs', { value: always('q4_k'), down: [[firstEighth, 'q2_k']] }, 'q5_k', 'q2_k'),
  iq2_s: mix(
    'iq2_xs',
    { value: always('q4_k'), output: always('iq3_s'), down: [[firstEighth, 'iq3_s']] },
    'q5_k',
    'iq3_s',
  ),
  iq2_m: mix(
    'iq2_s',
    { value: always('q4_k'), output: always('iq3_s'), down: [[firstEighth, 'iq3_s']] },
    'q5_k',
    'iq3_s',
  ),
  iq3_xxs: mix(
    'iq3_xxs',
    { value: always('q4_k'), query: always('iq2_s'), key: always('iq2_s'), output: always('iq3_s') },
    'q5_k',
    'iq3_s',
  ),
  iq3_xs: mix('iq3_s', {
    value: always('q4_k'),
    query: always('iq3_xxs'),
    key: always('iq3_xxs'),
    gate: [[3 / 4, 'iq3_xxs']],
    up: [[3 / 4, 'iq3_xxs']],
  }),
  iq3_s: mix('iq3_s', { value: always('q4_k') }),
  iq3_m: mix('iq3_s', { value: always('q4_k'), output: always('q4_k'), down: [[firstEighth, 'q4_k']] }),
  iq4_nl: mix('iq4_nl', { value: always('q5_k') }),
  iq4_xs: mix('iq4_xs', { value: always('q5_k') }),
  // All but the routed experts; those take mxfp4.
  mxfp4: mix('q8_0', {}, 'q8_0', 'q8_0'),
};

function mix(base: string, layers: GgufMix['layers'], head = 'q6_k', embedding = base): GgufMix {
  return { base, head, embedding, layers };
}

// Llama-3.1-8B: Q and O 4096 x 4096, K and V a quarter, three MLP matrices of 4096 x 14336.
const weights: Readonly<Record<LayerPart, number>> = {
  query: 1,
  key: 0.25,
  value: 0.25,
  output: 1,
  gate: 3.5,
  up: 3.5,
  down: 3.5,
};
const allWeights = Object.values(weights).reduce((sum, weight) => sum + weight, 0);

/** Mean bits per element of a layer's matrices under a mix, for the proportions of Llama-3.1-8B. */
export function mixLayerBits(recipe: GgufMix): number {
  const base = ggufTypeBits(recipe.base) ?? 16;
  let bits = base;
  for (const part of ['query', 'key', 'value', 'output', 'gate', 'up', 'down'] as const) {
    for (const [share, type] of recipe.layers[part] ?? []) {
      bits += (weights[part] / allWeights) * share * ((ggufTypeBits(type) ?? base) - base);
    }
  }
  return bits;
}
