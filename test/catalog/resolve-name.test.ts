import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry, ProfileKind } from '../../src/catalog/catalog-entry.ts';
import { resolveName, type Resolution, type Via } from '../../src/catalog/resolve-name.ts';

const entry = (name: string, ...aliases: string[]): CatalogEntry => ({ name, aliases, summary: '' });

const hardware = [
  entry('h100-sxm5-80gb', 'h100', 'h100-sxm', 'h100-80gb'),
  entry('h100-pcie-80gb', 'h100-pcie'),
  entry('h100-nvl-94gb', 'h100-nvl'),
  entry('a100-sxm4-80gb', 'a100', 'a100-80gb'),
  entry('a100-sxm4-40gb', 'a100-40gb'),
  entry('a100-pcie-80gb', 'a100-pcie'),
  entry('rtx-4090', 'rtx-4090-24gb'),
  entry('rtx-3090'),
  entry('rtx-3090-ti'),
  entry('rtx-3060-12gb', 'rtx-3060'),
  entry('mi300x', 'mi300x-192gb'),
  entry('apple-m2-ultra-76c', 'apple-m2-ultra'),
  entry('tpu-v5e'),
  entry('tpu-v5p'),
  entry('l4'),
  entry('l40'),
  entry('l40s'),
];

const models = [
  entry('llama-3.1-8b', 'llama-3.1-8b-instruct'),
  entry('llama-3.1-70b'),
  entry('llama-3.3-70b'),
  entry('qwen3-32b'),
  entry('qwen3-235b-a22b'),
  entry('mistral-7b-v0.1'),
  entry('mistral-7b-v0.2', 'mistral-7b-v0.3'),
  entry('deepseek-r1'),
  entry('gpt-oss-120b'),
];

const resolve = (kind: ProfileKind, text: string): Resolution =>
  resolveName(kind, text, kind === 'models' ? models : hardware);

describe('resolveName', () => {
  it.each<readonly [string, string, Via, string[]]>([
    ['h100-sxm5-80gb', 'h100-sxm5-80gb', 'name', []],
    ['H100', 'h100-sxm5-80gb', 'alias', []],
    ['H100 SXM', 'h100-sxm5-80gb', 'spelling', []],
    ['NVIDIA H100 80GB HBM3', 'h100-sxm5-80gb', 'without-words', ['nvidia', 'hbm3']],
    ['8xH100', 'h100-sxm5-80gb', 'without-words', ['8x']],
    ['NVIDIA H100 PCIe', 'h100-pcie-80gb', 'without-words', ['nvidia']],
    ['NVIDIA A100-SXM4-40GB', 'a100-sxm4-40gb', 'without-words', ['nvidia']],
    ['A100 SXM4', 'a100-sxm4-80gb', 'without-words', []],
    ['A100 80GB PCIe', 'a100-pcie-80gb', 'without-words', []],
    ['4090', 'rtx-4090', 'without-words', []],
    ['GeForce RTX 3090', 'rtx-3090', 'without-words', ['geforce']],
    ['RTX3090Ti', 'rtx-3090-ti', 'spelling', []],
    ['AMD Instinct MI300X OAM 192GB', 'mi300x', 'without-words', ['amd', 'instinct', 'oam']],
    ['mi300', 'mi300x', 'part', []],
    ['M2 Ultra', 'apple-m2-ultra-76c', 'without-words', []],
    ['h100 94gb', 'h100-nvl-94gb', 'part', []],
    ['L40S', 'l40s', 'name', []],
  ])('reads the device %s as %s by %s', (text, name, via, dropped) => {
    expect(resolve('hardware', text)).toEqual({ kind: 'found', name, via, dropped });
  });

  it.each<readonly [string, string, Via, string[]]>([
    ['meta-llama/Llama-3.1-70B-Instruct', 'llama-3.1-70b', 'without-words', ['instruct']],
    ['meta-llama/Meta-Llama-3.1-8B-Instruct', 'llama-3.1-8b', 'without-words', ['meta']],
    ['llama3.1:8b', 'llama-3.1-8b', 'spelling', []],
    ['Qwen/Qwen3-32B-FP8', 'qwen3-32b', 'without-words', ['fp8']],
    [
      'RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16',
      'llama-3.1-8b',
      'without-words',
      ['meta', 'quantized', 'w4a16'],
    ],
    ['Qwen3-32B-Q4_K_M.gguf', 'qwen3-32b', 'without-words', ['q4_k_m']],
    ['RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic', 'llama-3.3-70b', 'without-words', ['instruct', 'fp8', 'dynamic']],
    ['qwen3-235b-a22b-instruct-2507', 'qwen3-235b-a22b', 'without-words', ['instruct', '2507']],
    ['mistral-7b-instruct-v0.2', 'mistral-7b-v0.2', 'without-words', ['instruct']],
    ['mistral-7b-instruct-v0.3', 'mistral-7b-v0.2', 'without-words', ['instruct']],
    ['deepseek-ai/DeepSeek-R1-0528', 'deepseek-r1', 'without-words', ['0528']],
    ['openai/gpt-oss-120b', 'gpt-oss-120b', 'spelling', []],
    ['gpt-oss', 'gpt-oss-120b', 'part', []],
  ])('reads the model %s as %s by %s', (text, name, via, dropped) => {
    expect(resolve('models', text)).toEqual({ kind: 'found', name, via, dropped });
  });

  it.each<readonly [ProfileKind, string, string[]]>([
    ['hardware', 'tpu v5', ['tpu-v5e', 'tpu-v5p']],
    ['models', 'mistral-7b', ['mistral-7b-v0.1', 'mistral-7b-v0.2']],
    ['models', 'Llama-3.1', ['llama-3.1-70b', 'llama-3.1-8b']],
  ])('asks which %s is meant by %s', (kind, text, candidates) => {
    expect(resolve(kind, text)).toEqual({ kind: 'ambiguous', candidates, more: 0 });
  });

  it('offers what is asked for most, and says how many more there are', () => {
    const many = Array.from({ length: 12 }, (_, index) => entry(`qwen-${String.fromCodePoint(97 + index)}`));
    expect(resolveName('models', 'qwen', [...many, entry('qwen3-32b')])).toEqual({
      kind: 'ambiguous',
      candidates: ['qwen3-32b', ...many.slice(0, 7).map(({ name }) => name)],
      more: 5,
    });
  });

  it.each<readonly [ProfileKind, string, string]>([
    // Another memory size is another card: 8 GB of a 3060 is no 12 GB one.
    ['hardware', 'rtx 3060 8gb', 'rtx-3060-12gb'],
    ['hardware', 'h100 96gb', 'h100-sxm5-80gb'],
    ['hardware', 'rtx-4090+rtx-3090-ti', 'rtx-3090-ti'],
    ['hardware', 'RTX 3090 Super', 'rtx-3090'],
    ['models', 'llama-3.1-80b', 'llama-3.1-8b'],
    // No number and no version is cut or swapped.
    ['hardware', 'h10', 'h100-sxm5-80gb'],
    ['models', 'llama-3', 'llama-3.1-8b'],
    ['models', 'mistral-7b-v0.9', 'mistral-7b-v0.1'],
    ['models', 'qwen3-coder-480b', 'qwen3-32b'],
  ])('answers the %s %s by the nearest', (kind, text, nearest) => {
    const answer = resolve(kind, text);
    expect(answer.kind).toBe('unknown');
    expect(answer).toHaveProperty('nearest', expect.arrayContaining([nearest]));
  });

  it('answers an empty name by nothing', () => {
    expect(resolve('hardware', ' / ')).toEqual({ kind: 'unknown', nearest: [] });
  });

  it('finds every name and alias as it is, whatever its case and separators', () => {
    const labels = hardware.flatMap(({ name, aliases }) => aliases.concat(name).map((label) => ({ name, label })));
    fc.assert(
      fc.property(
        fc.constantFrom(...labels),
        fc.constantFrom('-', ' ', '_', ''),
        fc.boolean(),
        ({ name, label }, separator, upper) => {
          const spaced = label.replaceAll('-', separator);
          const answer = resolve('hardware', upper ? spaced.toUpperCase() : spaced);
          return answer.kind === 'found' && answer.name === name;
        },
      ),
    );
  });

  it('answers any text, with names of profiles only', () => {
    const names = new Set(hardware.map(({ name }) => name));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 500 })), (text) => {
        const answer = resolve('hardware', text);
        if (answer.kind === 'found') return names.has(answer.name);
        return (answer.kind === 'ambiguous' ? answer.candidates : answer.nearest).every((name) => names.has(name));
      }),
    );
  });
});
