import { GgufError } from './gguf-error.ts';
import type { GgufHeader, GgufTensor } from './gguf-header.ts';
import { type GgufKeys, ggufKeys } from './gguf-keys.ts';
import { type LayerStack, layerStack } from './layer-stack.ts';
import { checkedArchitectures, modelName, modelTitle, refuseOtherKinds } from './gguf-identity.ts';
import * as messages from './messages.ts';
import { elementsOf, expectShape, isTable, isVector, outputs, type TensorShelf, tensorShelf } from './tensor-shelf.ts';
import { meanBits, weightFormats } from './weight-formats.ts';
import type { Model } from '../../profile/model.ts';
import { modelToFile } from '../../profile/model-to-json.ts';
import { publishedScopeCount } from '../../profile/parameter-count.ts';
import { ProfileError } from '../../profile/profile-error.ts';
import { readModel } from '../../profile/read-model.ts';

/** What a GGUF file says about the model in it. */
export interface ImportedGguf {
  readonly model: Model;
  /** Exact bytes of all tensors, as llama-bench prints `model_size`. */
  readonly weightBytes: number;
  /** Elements of all tensors, as llama-bench prints `model_n_params`; tables of rotation frequencies included. */
  readonly elements: number;
  /** `weightBytes` over `elements`, in bits. */
  readonly bitsPerWeight: number;
  /** Sentences on what was left out, taken as something else or found odd. */
  readonly notes: readonly string[];
}

/** A file with more than this share of its parameters in tensors of unknown use is refused. */
const largestUnknownShare = 0.05;

/** Matrices between embedding and layers or layers and head (Gemma 3n and 4, DeepSeek-V4). */
const modelProjections = /^(per_layer_model_proj|altup_proj|altup_unembd_proj|output_hc_fn)\.weight$/u;
const lookUps = /^(per_layer_token_embd|position_embd|token_types)\.weight$/u;
const towers = /^(v|a|mm)\.|^(vis_|resampler)/u;

/**
 * A model from the header of its GGUF file. Shapes, types and counts come from the tensors themselves; heads, experts
 * per token, windows and the context limit from the metadata. What is not understood is named in `notes`.
 *
 * @param where the file, for messages and as the model's source
 * @throws GgufError where the file holds no language model or one that has no form here
 */
export function importGguf(header: GgufHeader, where: string): ImportedGguf {
  refuseOtherKinds(header, where);
  const keys = ggufKeys(header, where);
  const { outside, blocks } = shelves(header, where);
  const embedding = outside.take('token_embd.weight', 'embedding');
  if (embedding === undefined) {
    const what = `holds no token embedding (token_embd.weight) under the architecture "${keys.architecture}"`;
    throw new GgufError(messages.notALanguageModel(where, what));
  }
  const hiddenSize = keys.required('embedding_length');
  const vocabulary = outputs(embedding);
  expectShape(embedding, [hiddenSize, vocabulary], where);
  const head = outside.take('output.weight', 'head');
  if (head !== undefined) expectShape(head, [hiddenSize, vocabulary], where);

  const stack = layerStack(blocks, keys, hiddenSize, where);
  const own = outside.takeAll((name) => modelProjections.test(name), 'layers');
  const lookUp = outside.takeAll((name) => lookUps.test(name), 'embedding');
  const towerTensors = outside.takeAll((name) => towers.test(name), 'other');
  const prediction = [...stack.prediction, ...outside.takeAll((name) => name.startsWith('nextn.'), 'other')];
  const rest = outside.left().filter((tensor) => !isTable(tensor));
  const unknown = [...stack.unknown, ...rest.filter((tensor) => !isVector(tensor))];
  refuseMostlyUnknown(unknown, header, where);

  const placed = [...outside.placed(), ...stack.shelves.flatMap((shelf) => shelf.placed())];
  const fileType = header.metadata.get('general.file_type');
  const formats = weightFormats(placed, typeof fileType === 'number' ? fileType : undefined, where);
  const notes = [...notesOn(header, keys, stack, unknown), ...formats.notes];
  const source = { source: where.slice(-1000), note: 'Metadata and tensor shapes in the header of the GGUF file.' };
  const contextLimit = keys.optional('context_length');
  const weightBytes = header.tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  const bitsPerWeight = meanBits(header.tensors);
  const model = checked(
    {
      name: modelName(header, where),
      title: modelTitle(header, where),
      aliases: [],
      family: keys.architecture,
      hiddenSize,
      vocabulary,
      ...(contextLimit === undefined || contextLimit === 0 ? {} : { contextLimit }),
      embedding: {
        tied: head === undefined,
        lookupParameters: elementsOf(lookUp),
        projectionParameters: elementsOf([...own, ...stack.projections]),
      },
      layers: stack.layers,
      vectorParameters: elementsOf(rest),
      extras: { mtpParameters: elementsOf(prediction), towerParameters: elementsOf(towerTensors) },
      checkpoint: formats.checkpoint,
      published: {
        total: elementsOf(header.tensors.filter((tensor) => !isTable(tensor))) - elementsOf(stack.unused),
        tolerance: 'exact',
        scope: `lm${prediction.length > 0 ? '+mtp' : ''}${towerTensors.length > 0 ? '+vision' : ''}`,
        citation: { ...source, note: 'Sum over the tensors in the header of the GGUF file.' },
      },
      sources: [source],
      notes: [messages.weightFacts(weightBytes, bitsPerWeight), ...notes].join(' ').slice(0, 4000),
    },
    where,
  );
  return {
    model,
    weightBytes,
    elements: elementsOf(header.tensors),
    bitsPerWeight,
    notes,
  };
}

/** Every parameter of every tensor has its place in the model, or the reading is wrong. */
function expectCount(model: Model, where: string): void {
  const { total = 0, scope = 'lm' } = model.published ?? {};
  const counted = publishedScopeCount(model, scope);
  if (counted !== total) throw new GgufError(messages.miscounted(where, counted, total));
}

/** Frozen, and held to what any profile is held to, which bounds every size. */
function checked(model: Model, where: string): Model {
  try {
    expectCount(model, where);
    return readModel(modelToFile(model), where);
  } catch (error) {
    if (error instanceof ProfileError) throw new GgufError(error.message, { cause: error });
    throw error;
  }
}

function shelves(
  header: GgufHeader,
  where: string,
): { readonly outside: TensorShelf; readonly blocks: ReadonlyMap<number, TensorShelf> } {
  const outside = new Map<string, GgufTensor>();
  const blocks = new Map<number, Map<string, GgufTensor>>();
  for (const tensor of header.tensors) {
    const [, digits, short] = /^blk\.(\d{1,5})\.(.+)$/u.exec(tensor.name) ?? [];
    if (digits === undefined || short === undefined) {
      outside.set(tensor.name, tensor);
      continue;
    }
    const block = blocks.get(Number(digits)) ?? new Map<string, GgufTensor>();
    block.set(short, tensor);
    blocks.set(Number(digits), block);
  }
  const sorted = [...blocks].sort(([a], [b]) => a - b);
  return {
    outside: tensorShelf(-1, outside, where),
    blocks: new Map(sorted.map(([layer, tensors]) => [layer, tensorShelf(layer, tensors, where)])),
  };
}

function refuseMostlyUnknown(unknown: readonly GgufTensor[], { tensors }: GgufHeader, where: string): void {
  const share = elementsOf(unknown) / elementsOf(tensors);
  if (share > largestUnknownShare) throw new GgufError(messages.mostlyUnknown(where, share, unknown[0]?.name ?? ''));
}

function notesOn(
  header: GgufHeader,
  keys: GgufKeys,
  stack: LayerStack,
  unknown: readonly GgufTensor[],
): readonly string[] {
  const [example] = unknown;
  return [
    ...(header.missingBytes > 0 ? [messages.noteMissingData(header.missingBytes)] : []),
    ...(checkedArchitectures.has(keys.architecture) ? [] : [messages.noteUnlisted(keys.architecture)]),
    ...(stack.unclearWindow === undefined ? [] : [messages.noteWindow(stack.unclearWindow)]),
    ...(stack.predictionLayers === 0 ? [] : [messages.notePredictionLayers(stack.predictionLayers)]),
    ...(stack.unusedLayers === 0 ? [] : [messages.noteUnusedKeyValue(stack.unusedLayers)]),
    ...(example === undefined ? [] : [messages.noteUnknownTensors(unknown.length, elementsOf(unknown), example.name)]),
  ];
}
