import { describe, expect, it } from 'vitest';
import { checkedArchitectures } from '../../src/exchange/gguf/gguf-identity.ts';
import { importGguf, type ImportedGguf } from '../../src/exchange/gguf/import-gguf.ts';
import { parseGgufHeader } from '../../src/exchange/gguf/parse-gguf-header.ts';
import { keyValueBytesPerToken, keyValueForm } from '../../src/profile/key-value-bytes.ts';
import type { LayerGroup, Model } from '../../src/profile/model.ts';
import { modelToJson } from '../../src/profile/model-to-json.ts';
import { parameterCount, publishedScopeCount } from '../../src/profile/parameter-count.ts';
import { readModel } from '../../src/profile/read-model.ts';
import { knownModels } from '../support/gguf-architectures.ts';
import {
  commandR,
  falcon7B,
  gemma2With9B,
  gemma3With27B,
  gemma4E4B,
  gpt2,
  olmo2With7B,
  phi2,
  phi3Medium,
} from '../support/gguf-dense-models.ts';
import {
  deepseekV2Lite,
  deepseekV4Flash,
  gemma4With26B,
  glm45Air,
  llama4Scout,
} from '../support/gguf-expert-models.ts';
import { type KnownModel, gptOss, llama31With8B, llamaLike } from '../support/gguf-models.ts';
import { qwen36MoE } from '../support/gguf-qwen-models.ts';
import { jamba52B, lfm2With1B2, mamba28B, nemotron3Nano } from '../support/gguf-recurrent-models.ts';
import { memorySource, type WrittenFile, writeGguf } from '../support/gguf-writer.ts';

// A Llama of 2 layers by hand: hidden 8, 2 heads of 4, 1 KV head, width 16, 10 tokens.
// Layer: Q 64 + K 32 + V 32 + O 64 + 3 x 128 + 2 norms of 8 = 592. Table 80, head 80, norm 8: 2 x 592 + 168 = 1352.
const tiny = { hidden: 8, heads: 2, keyValueHeads: 1, size: 4, layers: 2, width: 16, vocabulary: 10 };

function imported(file: WrittenFile): ImportedGguf {
  const { header, size } = writeGguf(file);
  return importGguf(parseGgufHeader(memorySource(header, size), 'model.gguf'), 'model.gguf');
}

function modelOf({ file }: KnownModel): Model {
  return imported(file).model;
}

/** One value for every layer. */
function perLayer<Value>(model: Model, value: (layer: LayerGroup) => Value): readonly Value[] {
  return model.layers.flatMap((layer) => Array.from({ length: layer.count }, () => value(layer)));
}

const windowOf = ({ mixer }: LayerGroup): number | undefined => (mixer.kind === 'attention' ? mixer.window : undefined);

describe('parameters', () => {
  it('of a tiny Llama are those counted by hand', () => {
    const { model, elements, weightBytes, notes } = imported(llamaLike(tiny));
    expect(elements).toBe(1352);
    expect(parameterCount(model).total).toBe(1352);
    // 5 norms of 8 at 4 bytes, the rest at 2.
    expect(weightBytes).toBe(40 * 4 + 1312 * 2);
    expect(notes).toEqual([]);
    expect(model).toMatchObject({
      name: 'test-llama',
      title: 'Test llama',
      family: 'llama',
      hiddenSize: 8,
      vocabulary: 10,
      embedding: { tied: false, lookupParameters: 0, projectionParameters: 0 },
      layers: [{ count: 2, vectorParameters: 16, feedForward: { kind: 'dense', width: 16, gated: true } }],
      vectorParameters: 8,
      sources: [{ source: 'model.gguf' }],
    });
  });

  it.each(knownModels)('$title: by the model, by its tensors and as published are the same', ({ file, parameters }) => {
    const { model, elements } = imported(file);
    expect(model.published?.total).toBe(parameters);
    expect(publishedScopeCount(model, model.published?.scope ?? '')).toBe(parameters);
    expect(elements).toBeGreaterThanOrEqual(parameters);
  });

  it.each(knownModels)('$title: the model is a valid profile', ({ file }) => {
    const { model } = imported(file);
    expect(readModel(JSON.parse(modelToJson(model)), 'model.json')).toEqual(model);
  });

  it('of llama-bench are the elements of all tensors, frequencies and token maps included', () => {
    expect(imported(gemma4With26B.file).elements).toBe(25_233_142_046);
    expect(imported(gemma4E4B.file).elements).toBe(7_518_069_290);
    expect(imported(deepseekV4Flash.file).elements).toBe(284_334_567_511);
  });
});

it('every architecture that counts as checked has a model here', () => {
  const tested = new Set(knownModels.map(({ file }) => file.metadata['general.architecture']));
  // In gguf-sizes.test.ts.
  const elsewhere = new Set(['llama', 'qwen3', 'gpt-oss']);
  expect([...checkedArchitectures].filter((name) => !tested.has(name) && !elsewhere.has(name))).toEqual([]);
});

describe('attention', () => {
  it('caches 2 x 32 layers x 8 heads x 128 x 2 bytes a token in Llama-3.1-8B', () => {
    expect(keyValueBytesPerToken(imported(llama31With8B).model, 2)).toBe(131_072);
  });

  it('is windowed where the architecture says so: every other layer, five of six, all, three of four', () => {
    expect(perLayer(modelOf(gemma2With9B), windowOf).slice(0, 4)).toEqual([4096, undefined, 4096, undefined]);
    expect(perLayer(modelOf(gemma3With27B), windowOf).filter((window) => window === undefined)).toHaveLength(10);
    expect(perLayer(modelOf(phi3Medium), windowOf)).toEqual(Array.from({ length: 40 }, () => 2047));
    expect(perLayer(imported(gptOss(24, 32)).model, windowOf).filter((window) => window === 128)).toHaveLength(12);
    const scout = modelOf(llama4Scout);
    expect(perLayer(scout, windowOf).slice(0, 5)).toEqual([8192, 8192, 8192, undefined, 8192]);
    expect(scout.layers[0]?.mixer).toMatchObject({ chunked: true });
    expect(scout.layers[1]?.mixer).toMatchObject({ chunked: false });
  });

  it('is taken as full, with a note, where nobody says which layers a window is for', () => {
    const file = llamaLike(tiny);
    const { model, notes } = imported({
      ...file,
      metadata: { ...file.metadata, 'llama.attention.sliding_window': 4096 },
    });
    expect(perLayer(model, windowOf)).toEqual([undefined, undefined]);
    expect(notes).toEqual([
      'A sliding window of 4096 tokens is stated but not which layers use it; all layers are taken to attend to the whole context.',
    ]);
  });

  it('of Gemma 4 changes heads, sizes and windows, takes V from K, and shares K and V', () => {
    const [local, full] = modelOf(gemma4With26B).layers;
    expect(local).toMatchObject({ count: 5, mixer: { keyValueHeads: 8, keySize: 256, window: 1024, keyValue: 'own' } });
    expect(full).toMatchObject({ count: 1, mixer: { keyValueHeads: 2, keySize: 512, keyValue: 'key-is-value' } });
    expect(full?.mixer).not.toHaveProperty('window');
    expect(full?.feedForward).toMatchObject({ denseWidth: 2112, width: 704, experts: 128, active: 8 });
    const { model, notes } = imported(gemma4E4B.file);
    const shared = perLayer(model, ({ mixer }) => mixer.kind === 'attention' && mixer.keyValue === 'shared');
    expect(shared.filter(Boolean)).toHaveLength(18);
    expect(model.embedding.lookupParameters).toBe(42 * 256 * 262_144);
    expect(notes).toEqual([
      "18 layers reuse an earlier layer's K and V although the file holds matrices for them: these are left out of the model and stay in the file's bytes.",
    ]);
  });

  it('keeps one latent a token, in older and newer files alike', () => {
    const older = modelOf(deepseekV2Lite(false));
    expect(older.layers[1]?.mixer).toEqual({
      kind: 'latent-attention',
      heads: 16,
      keyValueRank: 512,
      nopeSize: 128,
      ropeSize: 64,
      valueSize: 128,
    });
    expect(modelOf(deepseekV2Lite(true)).layers).toEqual(older.layers);
    expect(older.layers.map(({ count, feedForward }) => [count, feedForward.kind])).toEqual([
      [1, 'dense'],
      [26, 'experts'],
    ]);
  });

  it('of DeepSeek-V4 compresses 4 or 128 tokens into an entry', () => {
    const model = modelOf(deepseekV4Flash);
    const mixers = model.layers.slice(0, 3).map(({ mixer }) => mixer);
    expect(mixers).toMatchObject([
      { compressed: { tokensPerEntry: 0, localWindow: 128 } },
      { compressed: { tokensPerEntry: 4 }, sparse: { topTokens: 512, heads: 64, headSize: 128 } },
      { compressed: { tokensPerEntry: 128 } },
    ]);
  });
});

describe('blocks', () => {
  it('run in parallel where one norm serves both, and only there', () => {
    const parallel = (known: KnownModel): boolean => modelOf(known).layers.every((layer) => layer.parallelBlocks);
    expect([falcon7B, commandR, phi2].map(parallel)).toEqual([true, true, true]);
    expect([gpt2, olmo2With7B, gemma2With9B, glm45Air, qwen36MoE, mamba28B].map(parallel)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });

  it('with a fixed state have that of their shapes', () => {
    const [delta, full] = modelOf(qwen36MoE).layers;
    // 32 value heads x 128 x 128; three tokens of 2 x 2048 + 4096 channels.
    expect(delta).toMatchObject({
      count: 3,
      mixer: { variant: 'gated-delta', stateElements: 524_288, convolutionElements: 24_576 },
    });
    expect(full).toMatchObject({ count: 1, mixer: { kind: 'attention', gated: true, keyValueHeads: 2 } });
    expect(modelOf(mamba28B).layers[0]?.mixer).toMatchObject({ variant: 'mamba1', stateElements: 5120 * 16 });
    expect(keyValueForm(modelOf(lfm2With1B2), 2)).toEqual({
      full: 6 * 2 * 8 * 64 * 2,
      windowed: [],
      fixed: 10 * 4096 * 2,
    });
    const jamba = perLayer(modelOf(jamba52B), ({ mixer, feedForward }) => `${mixer.kind} ${feedForward.kind}`);
    expect(jamba.slice(3, 6)).toEqual(['recurrent experts', 'attention dense', 'recurrent experts']);
  });

  it('may hold one part only, and experts without gates', () => {
    const layers = modelOf(nemotron3Nano).layers;
    expect(layers.slice(0, 2)).toMatchObject([
      { mixer: { variant: 'mamba2' }, feedForward: { kind: 'none' } },
      { mixer: { kind: 'none' }, feedForward: { gated: false, sharedWidth: 3712, routerBias: true } },
    ]);
  });

  it('of multi-token prediction are counted apart', () => {
    const { model, notes } = imported(glm45Air.file);
    expect(model.published?.scope).toBe('lm+mtp');
    expect(model.layers.map(({ count }) => count)).toEqual([1, 45]);
    // 106,852,251,264 are published for a copy of the weights without the prediction layer.
    expect(parameterCount(model).total).toBe(106_852_251_264);
    expect(notes).toEqual(['1 multi-token-prediction layer counted apart: a plain decode step does not run it.']);
  });

  it('of unknown use are named, and refused where they are more than a trifle', () => {
    const file = llamaLike({ ...tiny, layers: 1 });
    const extra = (name: string, ...dimensions: number[]): WrittenFile => ({
      ...file,
      tensors: [...file.tensors, { name, dimensions, type: 'F16' }],
    });
    const { model, notes } = imported(extra('blk.0.attn_mystery.weight', 8, 4));
    expect(parameterCount(model).total).toBe(model.published?.total);
    expect(notes).toEqual([
      '1 tensors with 32 parameters are of unknown use (such as "blk.0.attn_mystery.weight"): they count as memory, their work per token is left out.',
    ]);
    expect(() => imported(extra('blk.0.attn_mystery.weight', 8, 800))).toThrow(
      'model.gguf: 89.4 % of its parameters lie in tensors of unknown use, such as "blk.0.attn_mystery.weight"; expected the tensors of a known architecture.',
    );
  });

  it('of architectures not on the list are read with a note', () => {
    const file = llamaLike(tiny);
    const metadata = Object.fromEntries(
      Object.entries(file.metadata).map(([key, value]) => [key.replace('llama.', 'novel.'), value]),
    );
    const { model, notes } = imported({ ...file, metadata: { ...metadata, 'general.architecture': 'novel' } });
    expect(parameterCount(model).total).toBe(1352);
    expect(notes).toEqual([
      'The architecture "novel" is not among those checked; the model was read from the shapes of its tensors.',
    ]);
  });
});
