import { layerParameters } from '../../profile/parameter-count.ts';
import { attentionPart, headShape } from './attention.ts';
import { deepestModel, headCount, headSize, hiddenSize, layerCount } from './dimensions.ts';
import type { Anatomy, BlockPart, Family, Layer, MixerPart } from './family.ts';
import { densePart, expertsPart } from './feed-forward.ts';
import { type Fields, fieldsOf, flag, list, maybePositive, maybeWhole, raw, section, whole } from './fields.ts';
import { ConfigurationError, unknownEntry, wrongField } from './messages.ts';
import { joint } from './multi-token.ts';
import { mamba2Part } from './recurrent.ts';
import { fourBiases } from './transformer.ts';

type Block = 'mamba' | 'attention' | 'mlp' | 'moe';

/** Letters of `hybrid_override_pattern`, words of `layers_block_type`. */
const blockByWord: Readonly<Record<string, Block>> = {
  M: 'mamba',
  '*': 'attention',
  '-': 'mlp',
  E: 'moe',
  mamba: 'mamba',
  attention: 'attention',
  mlp: 'mlp',
  moe: 'moe',
};

const noMixer: MixerPart = { mixer: { kind: 'none' }, vectors: 0 };
const noBlock: BlockPart = { feedForward: { kind: 'none' }, vectors: 0 };

/** Nemotron-H and Nemotron 3: every layer is one block with one norm; MLPs and experts are squared ReLU without a gate. */
const nemotronH: Family = {
  types: ['nemotron_h'],
  tied: false,
  build: (fields): Anatomy => {
    const width = hiddenSize(fields);
    const blocks = blockList(fields, 'hybrid_override_pattern', 'layers_block_type');
    const layers = blocks.map((block, index) => hybridLayer(fields, block, index));
    const extra = blockList(fields, 'mtp_hybrid_override_pattern', 'mtp_layers_block_type');
    // Published counts of the modules leave the selection biases out.
    const modules = extra.map((block, index) =>
      layerParameters(width, withoutRouterBias(hybridLayer(fields, block, index))),
    );
    return {
      layers,
      vectors: width,
      lookupParameters: 0,
      projectionParameters: 0,
      mtpParameters: modules.length === 0 ? 0 : modules.reduce((sum, count) => sum + count, joint(width)),
      notes: [],
    };
  },
};

/** DeciLM and Llama-Nemotron: every layer has a configuration of its own, found by architecture search. */
const nemotronNas: Family = {
  types: ['nemotron-nas', 'deci', 'deci_lm'],
  tied: false,
  build: (fields): Anatomy => ({
    layers: nasLayers(fields),
    vectors: hiddenSize(fields),
    lookupParameters: 0,
    projectionParameters: 0,
    mtpParameters: 0,
    notes: [],
  }),
};

export const nemotronFamilies: readonly Family[] = [nemotronH, nemotronNas];

function blockList(fields: Fields, ...names: readonly string[]): readonly Block[] {
  const stated = raw(fields, ...names);
  const entries: readonly unknown[] = typeof stated === 'string' ? stated.split('') : (list(fields, ...names) ?? []);
  if (entries.length > deepestModel) throw tooMany(fields, names[0] ?? '', entries.length);
  return entries.map((entry) => {
    const block = typeof entry === 'string' && Object.hasOwn(blockByWord, entry) ? blockByWord[entry] : undefined;
    if (block !== undefined) return block;
    throw new ConfigurationError(unknownEntry(fields.where, names[0] ?? '', entry, Object.keys(blockByWord)));
  });
}

function tooMany(fields: Fields, name: string, count: number): ConfigurationError {
  return new ConfigurationError(wrongField(fields.where, name, count, `at most ${deepestModel} entries`));
}

function hybridLayer(fields: Fields, block: Block, index: number): Layer {
  const [mixer, feedForward] = hybridParts(fields, block, index);
  return {
    mixer: mixer.mixer,
    feedForward: feedForward.feedForward,
    vectorParameters: hiddenSize(fields) + mixer.vectors + feedForward.vectors,
    parallelBlocks: false,
  };
}

function withoutRouterBias(layer: Layer): Layer {
  if (layer.feedForward.kind !== 'experts') return layer;
  return { ...layer, feedForward: { ...layer.feedForward, routerBias: false } };
}

function hybridParts(fields: Fields, block: Block, index: number): readonly [MixerPart, BlockPart] {
  if (block === 'mamba') return [mamba2Part(fields), noBlock];
  if (block === 'attention') return [nemotronAttention(fields), noBlock];
  if (block === 'mlp') return [noMixer, densePart(fields, false, flag(fields, ['mlp_bias'], false))];
  return [noMixer, expertsPart(fields, index, { gated: false, routerBias: true, sharedGate: false })];
}

function nemotronAttention(fields: Fields): MixerPart {
  const traits = { bias: fourBiases(fields), queryKeyNorm: 'none' as const, sinks: false, gated: false };
  return attentionPart(fields, headShape(fields), 'full', traits);
}

function nasLayers(fields: Fields): readonly Layer[] {
  const configurations = list(fields, 'block_configs');
  if (configurations === undefined) return deciLayers(fields);
  if (configurations.length > deepestModel) throw tooMany(fields, 'block_configs', configurations.length);
  return configurations.map((value, index) => {
    const block = fieldsOf(value, fields.where, `block_configs.${index}.`);
    return nasLayer(fields, section(block, 'attention'), section(block, 'ffn'));
  });
}

/** DeciLM-7B names key-value heads per layer and is a Llama otherwise. */
function deciLayers(fields: Fields): readonly Layer[] {
  const perLayer = list(fields, 'num_key_value_heads_per_layer') ?? [];
  return Array.from({ length: layerCount(fields) }, (_, index) => {
    const stated = perLayer[index];
    const keyValueHeads = typeof stated === 'number' ? stated : headShape(fields).keyValueHeads;
    const block = densePart(fields, true);
    return joined(fields, nasAttention(fields, keyValueHeads), block);
  });
}

function nasLayer(fields: Fields, attention: Fields | undefined, ffn: Fields | undefined): Layer {
  const mixer = nasMixer(fields, attention);
  const block = nasBlock(fields, ffn);
  return joined(fields, mixer, block);
}

/** A block that is no operation has no norm either. */
function joined(fields: Fields, mixer: MixerPart, block: BlockPart): Layer {
  const norms = (mixer.mixer.kind === 'none' ? 0 : 1) + (block.feedForward.kind === 'none' ? 0 : 1);
  return {
    mixer: mixer.mixer,
    feedForward: block.feedForward,
    vectorParameters: norms * hiddenSize(fields) + mixer.vectors + block.vectors,
    parallelBlocks: false,
  };
}

function nasMixer(fields: Fields, attention: Fields | undefined): MixerPart {
  if (attention === undefined || flag(attention, ['no_op'], false)) return noMixer;
  if (flag(attention, ['replace_with_linear'], false)) {
    // One square matrix in place of attention, for which the model has no mixer: it is counted, not multiplied.
    const width = hiddenSize(fields);
    return { mixer: { kind: 'none' }, vectors: width * width };
  }
  const group = whole(attention, ['n_heads_in_group'], 'the query heads that share one key-value head');
  return nasAttention(fields, headCount(fields) / group);
}

function nasAttention(fields: Fields, keyValueHeads: number): MixerPart {
  const size = headSize(fields);
  const traits = { bias: fourBiases(fields), queryKeyNorm: 'none' as const, sinks: false, gated: false };
  const shape = { heads: headCount(fields), keyValueHeads, keySize: size, valueSize: size };
  return attentionPart(fields, shape, 'full', traits);
}

function nasBlock(fields: Fields, ffn: Fields | undefined): BlockPart {
  if (ffn === undefined || flag(ffn, ['no_op'], false)) return noBlock;
  if (flag(ffn, ['replace_with_linear'], false)) return { feedForward: { kind: 'linear' }, vectors: 0 };
  const stated = maybeWhole(ffn, ['intermediate_size']);
  const multiplier = maybePositive(ffn, ['ffn_mult']);
  if (stated === undefined && multiplier === undefined) return densePart(fields, true);
  return densePart(fields, true, false, stated ?? nasWidth(multiplier ?? 1, hiddenSize(fields)));
}

/** Two thirds of `multiplier` widths, rounded up to a multiple of 256. */
function nasWidth(multiplier: number, width: number): number {
  return Math.ceil(Math.floor((2 * multiplier * width) / 3) / 256) * 256;
}
