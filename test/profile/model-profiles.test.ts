import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyValueBytesPerToken, keyValueForm } from '../../src/profile/key-value-bytes.ts';
import { modelToJson } from '../../src/profile/model-to-json.ts';
import type { Checkpoint, Model } from '../../src/profile/model.ts';
import { activeCount, publishedScopeCount } from '../../src/profile/parameter-count.ts';
import { readModel } from '../../src/profile/read-model.ts';
import { findNumberFormat } from '../../src/quantity/number-format.ts';

const folder = join(import.meta.dirname, '../../model-profiles');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
const models: readonly Model[] = [...texts].map(([file, text]) => readModel(JSON.parse(text), file));
const cases = models.map((model) => ({ name: model.name, model }));
const byName = new Map(models.map((model) => [model.name, model]));
const named = (name: string): Model => {
  const model = byName.get(name);
  if (model === undefined) throw new Error(`no profile ${name}`);
  return model;
};

/** A published active count is a rounded marketing figure: the nearest convention may be this far off. */
const activeTolerance = 0.12;

describe('shipped model profiles', () => {
  it('are many, one file each, under unique names', () => {
    expect(models.length).toBeGreaterThanOrEqual(110);
    expect(files.map((file) => basename(file, '.json'))).toEqual(models.map(({ name }) => name));
    const names = models.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('cover every kind of architecture', () => {
    const mixers = new Set(
      models.flatMap(({ layers }) =>
        layers.map(({ mixer }) => (mixer.kind === 'recurrent' ? mixer.variant : mixer.kind)),
      ),
    );
    expect([...mixers].sort()).toEqual([
      'attention',
      'gated-delta',
      'kda',
      'latent-attention',
      'lightning',
      'mamba1',
      'mamba2',
      'none',
      'short-convolution',
    ]);
    const attentions = models
      .flatMap(({ layers }) => layers.map(({ mixer }) => mixer))
      .filter((mixer) => mixer.kind === 'attention');
    expect(attentions.some(({ chunked }) => chunked)).toBe(true);
    expect(attentions.some(({ keyValueHeads, heads }) => keyValueHeads === 1 && heads > 1)).toBe(true);
    expect(attentions.some(({ keyValue }) => keyValue === 'shared')).toBe(true);
    expect(attentions.some(({ compressed }) => compressed !== undefined)).toBe(true);
    expect(attentions.some(({ sparse }) => sparse !== undefined)).toBe(true);
  });

  it.each(cases)('$name has the parameters that its publisher states', ({ model }) => {
    const { published, notes } = model;
    if (published?.total === undefined) {
      expect(notes, 'a profile without a published count says why').toMatch(/No published count/);
      return;
    }
    const derived = publishedScopeCount(model, published.scope);
    if (published.tolerance === 'exact') expect(derived).toBe(published.total);
    else expect(Math.abs(derived / published.total - 1)).toBeLessThanOrEqual(published.tolerance);
    // A wide tolerance is for figures that are themselves rounded.
    if (published.tolerance !== 'exact' && published.tolerance > 0.005) expect(published.total % 1e6).toBeLessThan(1e5);
  });

  it.each(cases.filter(({ model }) => model.published?.active !== undefined))(
    '$name has the active parameters that its publisher states',
    ({ model }) => {
      const stated = model.published?.active ?? 0;
      const distances = Object.values(activeCount(model)).map((count: number) => Math.abs(count / stated - 1));
      expect(Math.min(...distances)).toBeLessThanOrEqual(activeTolerance);
    },
  );

  it.each(cases)('$name names formats that exist and writes back as it was read', ({ model }) => {
    const formats: readonly (keyof Checkpoint)[] = [
      'layers',
      'attention',
      'experts',
      'sharedExperts',
      'embedding',
      'head',
      'activations',
      'keyValue',
    ];
    const unknown = formats
      .map((part) => model.checkpoint[part])
      .filter((name) => name !== undefined && findNumberFormat(name) === undefined);
    expect(unknown).toEqual([]);
    expect(modelToJson(model)).toBe(texts.get(`${model.name}.json`));
  });

  it.each([
    // 2 x layers x key-value heads x head size x 2 bytes.
    ['llama-2-7b', 2 * 32 * 32 * 128 * 2],
    ['llama-3.1-8b', 2 * 32 * 8 * 128 * 2],
    ['llama-3.1-70b', 2 * 80 * 8 * 128 * 2],
    ['llama-3.1-405b', 2 * 126 * 8 * 128 * 2],
    ['qwen2.5-7b', 57344],
    ['qwen2.5-72b', 327680],
    ['qwen3-32b', 2 * 64 * 8 * 128 * 2],
    ['mixtral-8x7b', 131072],
    ['falcon-7b', 2 * 32 * 1 * 64 * 2],
    ['falcon-180b', 2 * 80 * 8 * 64 * 2],
    ['gpt2', 36864],
    // 16 attention layers of 64, 4 heads of 256.
    ['qwen3.6-27b', 65536],
    // Latents: layers x (512 + 64) x 2, plus a selector key of 128 where there is one.
    ['deepseek-v3', 61 * 576 * 2],
    ['deepseek-v3.2', 61 * 704 * 2],
    ['kimi-k2', 61 * 576 * 2],
    ['minicpm3-4b', 62 * 288 * 2],
    ['glm-5.2', (78 * 576 + 21 * 128) * 2],
    ['mamba-2.8b', 0],
  ])('%s caches %d bytes a token in BF16', (name, bytes) => {
    expect(keyValueBytesPerToken(named(name), 2)).toBe(bytes);
  });

  it.each([
    ['gpt-oss-120b', { full: 36864, windowed: [{ window: 128, perToken: 36864 }], fixed: 0 }],
    ['gemma-3-27b', { full: 81920, windowed: [{ window: 1024, perToken: 425984 }], fixed: 0 }],
    ['llama-4-scout-17b-16e', { full: 49152, windowed: [{ window: 8192, perToken: 147456 }], fixed: 0 }],
    ['mimo-v2-flash', { full: 23040, windowed: [{ window: 128, perToken: 199680 }], fixed: 0 }],
    ['gemma-4-26b-a4b', { full: 20480, windowed: [{ window: 1024, perToken: 204800 }], fixed: 0 }],
    ['qwen3-next-80b-a3b', { full: 24576, windowed: [], fixed: 77266944 }],
    ['nemotron-3-super-120b-a12b', { full: 8192, windowed: [], fixed: 170229760 }],
    ['minimax-text-01', { full: 40960, windowed: [], fixed: 293601280 }],
    ['granite-4.0-h-small', { full: 16384, windowed: [], fixed: 152819712 }],
    ['jamba-v0.1', { full: 16384, windowed: [], fixed: 16056320 }],
  ])('%s grows as published', (name, form) => {
    expect(keyValueForm(named(name), 2)).toEqual(form);
  });

  it('ship the formats that checkpoints are published in', () => {
    expect(named('gpt-oss-120b').checkpoint).toEqual({ layers: 'bf16', experts: 'mxfp4' });
    expect(named('deepseek-v3').checkpoint).toEqual({ layers: 'fp8-block' });
    expect(named('kimi-k2.5').checkpoint).toEqual({ layers: 'bf16', experts: 'w4a16-ct-g32' });
    expect(named('llama-3.1-8b').checkpoint).toEqual({ layers: 'bf16' });
  });
});
