import type { Attention, CompressedAttention } from '../../profile/model.ts';
import { layerParameters } from '../../profile/parameter-count.ts';
import { sparseSelector } from './attention.ts';
import { headCount, headSize, hiddenSize, keyValueHeadCount, layerCount, vocabulary } from './dimensions.ts';
import type { Anatomy, Family, Layer } from './family.ts';
import { expertsPart, plainExperts } from './feed-forward.ts';
import { type Fields, maybeWhole, whole, wholeList } from './fields.ts';
import { ofLength, windowSize } from './layer-kinds.ts';

/** Compressors of ratio 4 overlap: they project to twice the head size. */
const overlappingRatio = 4;

/** Rows of coefficients that a hyper-connection of `streams` computes: two per stream and a square. */
function mixRows(streams: number): number {
  return (2 + streams) * streams;
}

/**
 * DeepSeek-V4. `compress_ratios` holds per layer 0 (window alone), 4 (compressed entries chosen by a selector) or
 * 128 (all compressed entries). The count equals the 284,334,567,511 parameters that llama.cpp reports for V4-Flash,
 * tables of the hash-routed layers included.
 */
export const deepseekV4: Family = {
  types: ['deepseek_v4', 'deepseek_ref'],
  tied: false,
  build: (fields) => {
    const count = layerCount(fields);
    const ratios = wholeList(fields, 'compress_ratios') ?? [];
    const hashed = maybeWhole(fields, ['num_hash_layers'], 0) ?? 0;
    const layers = ofLength(fields, 'compress_ratios', ratios, count).map((ratio, index) =>
      layerOf(fields, ratio, index, index < hashed),
    );
    return anatomy(fields, layers, hashed, ratios[count] ?? 0);
  },
};

function anatomy(fields: Fields, layers: readonly Layer[], hashed: number, moduleRatio: number): Anatomy {
  const width = hiddenSize(fields);
  const streams = streamCount(fields);
  const modules = maybeWhole(fields, ['num_nextn_predict_layers'], 0) ?? 0;
  // The head gathers the streams by a hyper-connection of its own.
  const headVectors = streams * streams * width + streams + 1;
  const active = maybeWhole(fields, ['num_experts_per_tok']) ?? 1;
  return {
    layers,
    vectors: width + headVectors,
    // Hash-routed layers look their experts up by token.
    lookupParameters: hashed * vocabulary(fields) * active,
    projectionParameters: 0,
    mtpParameters:
      modules *
      (layerParameters(width, layerOf(fields, moduleRatio, layers.length, false)) +
        2 * width * width +
        3 * width +
        headVectors),
    notes: ['Beyond the window one cached entry stands for several tokens.'],
  };
}

function layerOf(fields: Fields, ratio: number, index: number, hashed: boolean): Layer {
  const width = hiddenSize(fields);
  const streams = streamCount(fields);
  const block = expertsPart(fields, index, { ...plainExperts, routerBias: !hashed });
  const size = headSize(fields);
  const heads = headCount(fields);
  const queryRank = whole(fields, ['q_lora_rank'], 'the rank of the queries');
  const sparse = ratio === overlappingRatio ? sparseSelector(fields, true) : undefined;
  const selector = sparse === undefined ? emptyCompressor : compressor(width, sparse.headSize, ratio);
  const entries = compressor(width, size, ratio);
  const compressed: CompressedAttention = {
    queryRank,
    outputRank: whole(fields, ['o_lora_rank'], 'the rank of the output'),
    outputGroups: whole(fields, ['o_groups'], 'the groups of the output'),
    tokensPerEntry: ratio,
    localWindow: windowSize(fields) ?? 128,
    auxiliaryParameters: entries.matrices + selector.matrices + 2 * mixRows(streams) * streams * width,
  };
  const mixer: Attention = {
    kind: 'attention',
    heads,
    keyValueHeads: keyValueHeadCount(fields),
    keySize: size,
    valueSize: size,
    ...(ratio === 0 ? { window: compressed.localWindow } : {}),
    chunked: false,
    gated: false,
    keyValue: 'key-is-value',
    ...(sparse === undefined ? {} : { sparse }),
    compressed,
  };
  const mixVectors = 2 * (mixRows(streams) + 3);
  return {
    mixer,
    feedForward: block.feedForward,
    vectorParameters:
      2 * width + queryRank + size + heads + entries.vectors + selector.vectors + mixVectors + block.vectors,
    parallelBlocks: false,
  };
}

interface Compressor {
  readonly matrices: number;
  readonly vectors: number;
}

const emptyCompressor: Compressor = { matrices: 0, vectors: 0 };

/** Projection and gate to `size` (twice that where entries overlap), position biases of `ratio` rows, a norm. */
function compressor(width: number, size: number, ratio: number): Compressor {
  if (ratio === 0) return emptyCompressor;
  const outputs = size * (ratio === overlappingRatio ? 2 : 1);
  return { matrices: 2 * width * outputs, vectors: ratio * outputs + size };
}

function streamCount(fields: Fields): number {
  return maybeWhole(fields, ['hc_mult']) ?? 1;
}
