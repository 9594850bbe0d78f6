import { deepFreeze } from '../../profile/deep-freeze.ts';
import type { LayerGroup, Model } from '../../profile/model.ts';
import { contextLimit, hiddenSize, vocabulary } from './dimensions.ts';
import { familyOfArchitecture, familyOfType, modelTypes } from './families.ts';
import type { Family, Layer } from './family.ts';
import { type Fields, flag, list, word } from './fields.ts';
import { generationOf } from './generation.ts';
import { ConfigurationError, noModelType, unknownModelType } from './messages.ts';
import { checkpointOf } from './quantization.ts';
import { textPart } from './text-part.ts';
import { towerParameters } from './towers.ts';

/** What stands beside a config.json, already parsed. */
export interface HuggingFaceExtras {
  /** `hf_quant_config.json` of NVIDIA's repositories. */
  readonly hfQuantConfig?: unknown;
  /** `quantize_config.json` of AutoGPTQ, `quant_config.json` of AWQ. */
  readonly quantizeConfig?: unknown;
  /** `generation_config.json`: how tokens are to be chosen. */
  readonly generationConfig?: unknown;
  /** Name of the model; absent = `_name_or_path` or the model type. */
  readonly name?: string;
}

export interface HuggingFaceImport {
  readonly model: Model;
  /** What was assumed or left out, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Turns a parsed Hugging Face config.json into a model. A model type that is not known is refused by name: shapes are
 * never guessed.
 * @param where What sentences of errors call the configuration: file name or repository.
 * @throws ConfigurationError with one sentence.
 */
export function importHuggingFace(config: unknown, extras: HuggingFaceExtras, where: string): HuggingFaceImport {
  const { outer, text: bare } = textPart(config, where);
  const { type, family } = familyOf(outer, bare);
  const text: Fields = { ...bare, defaults: family.defaults ?? {} };
  const anatomy = family.build(text);
  const tower = towerParameters(outer, text, type);
  const width = hiddenSize(text);
  const quantization = checkpointOf({ text, outer, ...extras }, width, anatomy.layers.length);
  const limit = contextLimit(text);
  const name = extras.name ?? word(outer, '_name_or_path') ?? type;
  const model: Model = {
    name: slugged(name),
    title: name.slice(0, 200),
    aliases: [],
    family: type,
    hiddenSize: width,
    vocabulary: vocabulary(text),
    ...(limit === undefined ? {} : { contextLimit: limit }),
    embedding: {
      tied: anatomy.tied ?? (family.tied !== 'never' && flag(text, ['tie_word_embeddings'], family.tied)),
      lookupParameters: anatomy.lookupParameters,
      projectionParameters: anatomy.projectionParameters,
    },
    layers: grouped(anatomy.layers),
    vectorParameters: anatomy.vectors,
    extras: { mtpParameters: anatomy.mtpParameters, towerParameters: tower.parameters },
    checkpoint: quantization.checkpoint,
    ...(extras.generationConfig === undefined
      ? {}
      : { generation: generationOf(extras.generationConfig, 'generation_config.json') }),
    sources: [{ source: where.slice(0, 1000) }],
    notes: '',
  };
  return deepFreeze({ model, notes: [...anatomy.notes, ...tower.notes, ...quantization.notes] });
}

function familyOf(outer: Fields, text: Fields): { readonly type: string; readonly family: Family } {
  const types = [word(text, 'model_type'), word(outer, 'model_type')].filter((type) => type !== undefined);
  for (const type of types) {
    const family = familyOfType(type);
    if (family !== undefined) return { type, family };
  }
  for (const name of list(text, 'architectures') ?? []) {
    const known = typeof name === 'string' ? familyOfArchitecture(name) : undefined;
    if (known !== undefined) return known;
  }
  const [type] = types;
  throw new ConfigurationError(
    type === undefined ? noModelType(outer.where) : unknownModelType(outer.where, type, modelTypes),
  );
}

/** Equal neighbours become one group. */
function grouped(layers: readonly Layer[]): readonly LayerGroup[] {
  const groups: LayerGroup[] = [];
  let lastText = '';
  for (const layer of layers) {
    const text = JSON.stringify(layer);
    const last = groups.at(-1);
    if (last !== undefined && text === lastText) groups[groups.length - 1] = { ...last, count: last.count + 1 };
    else groups.push({ count: 1, ...layer });
    lastText = text;
  }
  return groups;
}

/** The last part of a repository name in the letters that profile names may have. */
function slugged(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part !== '') ?? 'model';
  const slug = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9.+_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '');
  return slug === '' ? 'model' : slug.slice(0, 64);
}
