import { citationFrom } from './citation-file.ts';
import { deepFreeze } from './deep-freeze.ts';
import { parseLayerOrder } from './layer-order.ts';
import { repeated, wrongValue } from './messages.ts';
import { noSources, tooManyActive, unevenHeads, unknownLayerKind, unusedLayerKind } from './model-messages.ts';
import { type FeedForwardFile, type LayerFile, type MixerFile, type ModelFile, modelSchema } from './model-schema.ts';
import type { Checkpoint, FeedForward, Generation, LayerGroup, Mixer, Model, PublishedCounts } from './model.ts';
import { ProfileError } from './profile-error.ts';
import { readJson } from './read-json.ts';

/**
 * Reads a parsed JSON profile into a frozen model.
 * @param where What the sentences of errors call the profile, usually its file name.
 * @throws ProfileError with one sentence: where, field path, value, what was expected, nearest known field.
 */
export function readModel(json: unknown, where: string): Model {
  return modelFrom(readJson(modelSchema, json, where), where);
}

/** The model of a profile whose shape is already checked. */
export function modelFrom(file: ModelFile, where: string): Model {
  const {
    aliases,
    embedding,
    layers,
    order,
    extras,
    checkpoint,
    fp8Checkpoint,
    generation,
    published,
    sources,
    notes,
  } = file;
  const names = [file.name, ...(aliases ?? [])];
  const again = names.find((name, index) => names.indexOf(name) !== index);
  if (again !== undefined) throw new ProfileError(repeated(where, 'aliases', again));
  if (sources.length === 0) throw new ProfileError(noSources(where));
  return deepFreeze({
    name: file.name,
    title: file.title,
    aliases: aliases ?? [],
    family: file.family,
    hiddenSize: file.hiddenSize,
    vocabulary: file.vocabulary,
    ...(file.contextLimit === undefined ? {} : { contextLimit: file.contextLimit }),
    embedding: {
      tied: embedding.tied,
      lookupParameters: embedding.lookupParameters ?? 0,
      projectionParameters: embedding.projectionParameters ?? 0,
    },
    layers: layerGroups(layers, order, where),
    vectorParameters: file.vectorParameters,
    extras: { mtpParameters: extras?.mtpParameters ?? 0, towerParameters: extras?.towerParameters ?? 0 },
    checkpoint: checkpointFrom(checkpoint),
    ...(fp8Checkpoint === undefined ? {} : { fp8Checkpoint }),
    ...(generation === undefined ? {} : { generation: generationFrom(generation) }),
    ...(published === undefined ? {} : { published: publishedFrom(published) }),
    sources: sources.map(citationFrom),
    notes: notes ?? '',
  });
}

function layerGroups(kinds: Readonly<Record<string, LayerFile>>, order: string, where: string): readonly LayerGroup[] {
  const runs = parseLayerOrder(order);
  if (runs === undefined) {
    throw new ProfileError(wrongValue(where, 'order', order, "an order of layer kinds such as '3 dense, 58 sparse'"));
  }
  const read = new Map(Object.entries(kinds).map(([name, layer]) => [name, layerFrom(name, layer, where)]));
  const groups = runs.map(({ name, count }) => {
    const layer = read.get(name);
    if (layer === undefined) throw new ProfileError(unknownLayerKind(where, name, [...read.keys()]));
    return { count, ...layer };
  });
  const unused = [...read.keys()].find((name) => !runs.some((run) => run.name === name));
  if (unused !== undefined) throw new ProfileError(unusedLayerKind(where, unused));
  return groups;
}

function layerFrom(name: string, layer: LayerFile, where: string): Omit<LayerGroup, 'count'> {
  const mixer = mixerFrom(layer.mixer);
  const feedForward = feedForwardFrom(layer.feedForward);
  if (mixer.kind === 'attention' && mixer.heads % mixer.keyValueHeads !== 0) {
    throw new ProfileError(unevenHeads(where, name, mixer.heads, mixer.keyValueHeads));
  }
  if (feedForward.kind === 'experts' && feedForward.active > feedForward.experts) {
    throw new ProfileError(tooManyActive(where, name, feedForward.active, feedForward.experts));
  }
  const { vectorParameters, parallelBlocks } = layer;
  return { mixer, feedForward, vectorParameters, parallelBlocks: parallelBlocks ?? false };
}

function mixerFrom(file: MixerFile): Mixer {
  if (file.kind === 'attention') {
    const { window, sparse, compressed } = file;
    return {
      kind: 'attention',
      heads: file.heads,
      keyValueHeads: file.keyValueHeads,
      keySize: file.keySize,
      valueSize: file.valueSize ?? file.keySize,
      ...(window === undefined ? {} : { window }),
      chunked: file.chunked ?? false,
      gated: file.gated ?? false,
      keyValue: file.keyValue ?? 'own',
      ...(sparse === undefined ? {} : { sparse }),
      ...(compressed === undefined ? {} : { compressed }),
    };
  }
  if (file.kind === 'latent-attention') {
    const { queryRank, sparse, ...rest } = file;
    return { ...rest, ...(queryRank === undefined ? {} : { queryRank }), ...(sparse === undefined ? {} : { sparse }) };
  }
  return file;
}

function feedForwardFrom(file: FeedForwardFile): FeedForward {
  if (file.kind === 'dense') return { kind: 'dense', width: file.width, gated: file.gated ?? true };
  if (file.kind !== 'experts') return file;
  return {
    kind: 'experts',
    experts: file.experts,
    active: file.active,
    width: file.width,
    gated: file.gated ?? true,
    sharedWidth: file.sharedWidth ?? 0,
    ...(file.latentSize === undefined ? {} : { latentSize: file.latentSize }),
    denseWidth: file.denseWidth ?? 0,
    vectorParametersPerExpert: file.vectorParametersPerExpert ?? 0,
    ...(file.routerBias === true ? { routerBias: true } : {}),
  };
}

const checkpointParts = [
  'attention',
  'experts',
  'sharedExperts',
  'embedding',
  'head',
  'activations',
  'keyValue',
] as const;

function checkpointFrom(file: ModelFile['checkpoint']): Checkpoint {
  const parts = checkpointParts.flatMap((part) => (file[part] === undefined ? [] : [[part, file[part]] as const]));
  return { layers: file.layers, ...Object.fromEntries(parts) };
}

const generationFrom = ({ topP, topK, citation }: NonNullable<ModelFile['generation']>): Generation => ({
  ...(topP === undefined ? {} : { topP }),
  ...(topK === undefined ? {} : { topK }),
  citation: citationFrom(citation),
});

function publishedFrom(file: NonNullable<ModelFile['published']>): PublishedCounts {
  const { total, active, tolerance, scope, citation } = file;
  return {
    ...(total === undefined ? {} : { total }),
    ...(active === undefined ? {} : { active }),
    tolerance,
    scope,
    citation: citationFrom(citation),
  };
}
