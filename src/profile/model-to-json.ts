import { formatLayerOrder } from './layer-order.ts';
import type { FeedForwardFile, LayerFile, MixerFile, ModelFile } from './model-schema.ts';
import type { FeedForward, LayerGroup, Mixer, Model } from './model.ts';

/** Address of the schema relative to a profile in model-profiles/. */
const schemaAddress = '../schemas/model.schema.json';

/** A model as the object of its profile file: kinds of layers by name, defaults left out. */
export function modelToFile(model: Model): ModelFile {
  const { kinds, names } = layerKinds(model.layers);
  const { embedding, extras, published, checkpoint, fp8Checkpoint, generation } = model;
  return {
    $schema: schemaAddress,
    name: model.name,
    title: model.title,
    ...(model.aliases.length === 0 ? {} : { aliases: model.aliases }),
    family: model.family,
    hiddenSize: model.hiddenSize,
    vocabulary: model.vocabulary,
    ...(model.contextLimit === undefined ? {} : { contextLimit: model.contextLimit }),
    embedding: { tied: embedding.tied, ...nonZero(embedding, 'lookupParameters', 'projectionParameters') },
    layers: Object.fromEntries(kinds),
    order: formatLayerOrder(names),
    vectorParameters: model.vectorParameters,
    ...(extras.mtpParameters === 0 && extras.towerParameters === 0
      ? {}
      : { extras: nonZero(extras, 'mtpParameters', 'towerParameters') }),
    checkpoint,
    ...(fp8Checkpoint === undefined ? {} : { fp8Checkpoint }),
    ...(generation === undefined ? {} : { generation }),
    ...(published === undefined ? {} : { published }),
    sources: model.sources,
    ...(model.notes === '' ? {} : { notes: model.notes }),
  };
}

/** The text of a profile file: two-space indented, objects that fit in 130 columns on one line, newline at the end. */
export function modelToJson(model: Model): string {
  return `${compact(modelToFile(model), 0, 0)}\n`;
}

function layerKinds(layers: readonly LayerGroup[]): { kinds: [string, LayerFile][]; names: readonly string[] } {
  const byText = new Map<string, string>();
  const kinds: [string, LayerFile][] = [];
  const names: string[] = [];
  for (const { count, ...layer } of layers) {
    const file = layerFile(layer);
    const text = JSON.stringify(file);
    let name = byText.get(text);
    if (name === undefined) {
      name = freeName(kindName(layer), new Set(byText.values()));
      byText.set(text, name);
      kinds.push([name, file]);
    }
    for (let layerIndex = 0; layerIndex < count; layerIndex += 1) names.push(name);
  }
  return { kinds, names };
}

/** What sets a layer apart, in one or two words: `dense`, `experts`, `window-experts`, `mamba2`. */
function kindName({ mixer, feedForward }: Omit<LayerGroup, 'count'>): string {
  const block = feedForward.kind === 'none' ? '' : feedForward.kind;
  const words = [mixerWord(mixer, block !== ''), block].filter((word) => word !== '');
  return words.length === 0 ? 'empty' : words.join('-');
}

function mixerWord(mixer: Mixer, beside: boolean): string {
  if (mixer.kind === 'recurrent') return mixer.variant;
  if (mixer.kind === 'none') return '';
  if (mixer.kind === 'attention') {
    if (mixer.compressed !== undefined) return mixer.compressed.tokensPerEntry === 0 ? 'window' : 'compressed';
    const reach = mixer.window === undefined ? '' : mixer.chunked ? 'chunk' : 'window';
    const word = mixer.keyValue === 'shared' ? (reach === '' ? 'shared' : `shared-${reach}`) : reach;
    return word === '' && !beside ? 'attention' : word;
  }
  return beside ? '' : 'attention';
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

function layerFile({ mixer, feedForward, vectorParameters, parallelBlocks }: Omit<LayerGroup, 'count'>): LayerFile {
  return {
    mixer: mixerFile(mixer),
    feedForward: feedForwardFile(feedForward),
    vectorParameters,
    ...(parallelBlocks ? { parallelBlocks } : {}),
  };
}

function mixerFile(mixer: Mixer): MixerFile {
  if (mixer.kind !== 'attention') return mixer;
  const { valueSize, chunked, gated, keyValue, window, sparse, compressed, ...rest } = mixer;
  return {
    ...rest,
    ...(valueSize === mixer.keySize ? {} : { valueSize }),
    ...(window === undefined ? {} : { window }),
    ...(chunked ? { chunked } : {}),
    ...(gated ? { gated } : {}),
    ...(keyValue === 'own' ? {} : { keyValue }),
    ...(sparse === undefined ? {} : { sparse }),
    ...(compressed === undefined ? {} : { compressed }),
  };
}

function feedForwardFile(block: FeedForward): FeedForwardFile {
  if (block.kind === 'dense') {
    return { kind: 'dense', width: block.width, ...(block.gated ? {} : { gated: false }) };
  }
  if (block.kind !== 'experts') return block;
  const { kind, experts, active, width, gated, latentSize, routerBias } = block;
  return {
    kind,
    experts,
    active,
    width,
    ...(gated ? {} : { gated }),
    ...nonZero(block, 'sharedWidth'),
    ...(latentSize === undefined ? {} : { latentSize }),
    ...nonZero(block, 'denseWidth', 'vectorParametersPerExpert'),
    ...(routerBias === true ? { routerBias } : {}),
  };
}

function nonZero<T, K extends keyof T & string>(values: T, ...keys: readonly K[]): { [P in K]?: T[P] } {
  const result: { [P in K]?: T[P] } = {};
  for (const key of keys) if (values[key] !== 0) result[key] = values[key];
  return result;
}

/** `offset` is the width of what stands before the value on its line. */
function compact(value: unknown, indent: number, offset: number): string {
  const flat = inline(value);
  if (typeof value !== 'object' || value === null || (indent > 0 && indent + offset + flat.length <= 128)) return flat;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = ' '.repeat(indent + 2);
  const lines = Array.isArray(value)
    ? value.map((item: unknown) => `${inner}${compact(item, indent + 2, 0)}`)
    : Object.entries(value).map(([key, item]) => {
        const label = `${JSON.stringify(key)}: `;
        return `${inner}${label}${compact(item, indent + 2, label.length)}`;
      });
  return lines.length === 0 ? flat : `${open}\n${lines.join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
