import { hiddenSize } from './dimensions.ts';
import { type Fields, list, maybeWhole, section, whole } from './fields.ts';

/** Parameters of a vision tower and its projector, by the model type of `vision_config`. */
type Tower = (vision: Fields, width: number) => number;

const byType: Readonly<Record<string, Tower>> = {
  siglip_vision_model: siglip,
  pixtral: pixtral,
  llama4_vision_model: llama4,
  qwen2_5_vl: qwen25,
  qwen2_vl: qwen2,
  qwen3_vl: qwen3,
  qwen3_vl_moe: qwen3,
  qwen3_5: qwen3,
  qwen3_5_moe: qwen3,
};

export interface TowerCount {
  readonly parameters: number;
  readonly notes: readonly string[];
}

/** Tower of a multimodal configuration. Towers of other types are named as not counted, never guessed. */
export function towerParameters(outer: Fields, text: Fields, modelType: string): TowerCount {
  const vision = section(outer, 'vision_config');
  const others = ['audio_config', 'speech_config'].filter((name) => section(outer, name) !== undefined);
  const notes = others.map((name) => `Parameters of ${name} are not counted.`);
  if (vision === undefined) return { parameters: 0, notes };
  // Qwen2-VL's sections name no type of their own.
  const stated = vision.values['model_type'];
  const type = typeof stated === 'string' && Object.hasOwn(byType, stated) ? stated : modelType;
  const tower = Object.hasOwn(byType, type) ? byType[type] : undefined;
  if (tower === undefined) return { parameters: 0, notes: [...notes, 'Parameters of vision_config are not counted.'] };
  return { parameters: tower(vision, hiddenSize(text)), notes };
}

/** Gemma 3: SigLIP without its head, a norm and one projection. */
function siglip(vision: Fields, width: number): number {
  const { size, inner, layers, patch } = visionShape(vision);
  const image = whole(vision, ['image_size'], 'the side of an image');
  const patches = (image / patch) ** 2;
  const embedding = 3 * patch * patch * size + size + patches * size;
  return embedding + layers * biasedLayer(size, inner) + 2 * size + size * width + size;
}

/** Mistral 3: Pixtral without biases, a norm, a merger of 2 x 2 patches and two projections. */
function pixtral(vision: Fields, width: number): number {
  const { size, inner, layers, patch } = visionShape(vision);
  const layer = 4 * size * size + 3 * size * inner + 2 * size;
  const projector = size + 4 * size * size + size * width + width * width;
  return 3 * patch * patch * size + size + layers * layer + projector;
}

/** Llama 4: class token, learned positions, pixel shuffle to two projections and one to the text width. */
function llama4(vision: Fields, width: number): number {
  const { size, inner, layers, patch } = visionShape(vision);
  const image = whole(vision, ['image_size'], 'the side of an image');
  const positions = ((image / patch) ** 2 + 1) * size;
  const input = whole(vision, ['projector_input_dim'], 'the input width of the projector');
  const output = whole(vision, ['vision_output_dim', 'projector_output_dim'], 'the output width of the projector');
  const adapter = inner * input + input * output + output * width;
  return 3 * patch * patch * size + size + positions + 4 * size + layers * biasedLayer(size, inner) + adapter;
}

/** Qwen2-VL: patches of two frames, plain MLP, merger of 2 x 2 patches. */
function qwen2(vision: Fields, width: number): number {
  const size = whole(vision, ['embed_dim', 'hidden_size'], 'the width of the vision tower');
  const layers = whole(vision, ['depth', 'num_hidden_layers'], 'the layers of the vision tower');
  const inner = (maybeWhole(vision, ['mlp_ratio']) ?? 4) * size;
  return qwenPatches(vision, size) + layers * biasedLayer(size, inner) + 2 * size + merger(size, width);
}

/** Qwen2.5-VL: RMSNorm and a gated MLP with biases. */
function qwen25(vision: Fields, width: number): number {
  const { size, inner, layers } = visionShape(vision);
  const layer = 2 * size + 4 * (size * size + size) + 3 * size * inner + 2 * inner + size;
  return qwenPatches(vision, size) + layers * layer + size + merger(size, width);
}

/** Qwen3-VL and 3.5: learned positions, and mergers for the layers whose features are injected deeper. */
function qwen3(vision: Fields, width: number): number {
  const { size, inner, layers } = visionShape(vision);
  const positions = whole(vision, ['num_position_embeddings'], 'the position rows of the vision tower') * size;
  const deep = list(vision, 'deepstack_visual_indexes')?.length ?? 0;
  const mergers = merger(size, width) + 2 * size + deep * (merger(size, width) + 8 * size);
  return qwenPatches(vision, size) + size + positions + layers * biasedLayer(size, inner) + mergers;
}

interface VisionShape {
  readonly size: number;
  readonly inner: number;
  readonly layers: number;
  readonly patch: number;
}

function visionShape(vision: Fields): VisionShape {
  return {
    size: whole(vision, ['hidden_size'], 'the width of the vision tower'),
    inner: whole(vision, ['intermediate_size'], 'the MLP width of the vision tower'),
    layers: whole(vision, ['num_hidden_layers', 'depth'], 'the layers of the vision tower'),
    patch: whole(vision, ['patch_size'], 'the side of a patch'),
  };
}

/** Attention and plain MLP with biases, two LayerNorms. */
function biasedLayer(size: number, inner: number): number {
  return 4 * (size * size + size) + 2 * size * inner + inner + size + 4 * size;
}

function qwenPatches(vision: Fields, size: number): number {
  const patch = whole(vision, ['patch_size'], 'the side of a patch');
  return 3 * (maybeWhole(vision, ['temporal_patch_size']) ?? 2) * patch * patch * size;
}

/** Four patches side by side, one hidden layer of that width, biases. */
function merger(size: number, width: number): number {
  const side = 4 * size;
  return side * side + side + side * width + width;
}
