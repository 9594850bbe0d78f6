import { describe, expect, it } from 'vitest';
import { modelTypes } from '../../src/exchange/hugging-face/families.ts';
import { importHuggingFace } from '../../src/exchange/hugging-face/import-hugging-face.ts';
import { parameterCount, publishedScopeCount } from '../../src/profile/parameter-count.ts';
import { classicCases } from './hugging-face-classic-cases.ts';
import { deepseekV3, llama, qwenNext } from './hugging-face-configurations.ts';
import { denseCases } from './hugging-face-dense-cases.ts';
import { expertCases } from './hugging-face-expert-cases.ts';
import { hybridCases } from './hugging-face-hybrid-cases.ts';

const cases = [...denseCases, ...classicCases, ...expertCases, ...hybridCases];

describe('importHuggingFace', () => {
  it('counts a small Llama as by hand', () => {
    // Width 8, 2 layers, 2 heads of 4, 1 key-value head, MLP 16, 10 rows.
    // Layer: q 64 + k 32 + v 32 + o 64 + MLP 3 x 128 + norms 16 = 592. Tables 2 x 80, final norm 8.
    const { model } = importHuggingFace(llama([8, 2, 2, 1, 16, 10]), { name: 'Tiny/Llama' }, 'config.json');
    expect(parameterCount(model).total).toBe(2 * 592 + 160 + 8);
    expect(model.name).toBe('llama');
    expect(model.layers).toHaveLength(1);
  });

  it.each(cases)('derives the published count of $name ($trap)', ({ config, total, name }) => {
    const { model } = importHuggingFace(config, { name }, name);
    expect(parameterCount(model).total).toBe(total);
  });

  it('counts prediction modules with and without copies of the tables', () => {
    const v3 = importHuggingFace(deepseekV3, {}, 'V3').model;
    expect(publishedScopeCount(v3, 'lm+mtp')).toBe(684489845504);
    const next = importHuggingFace(qwenNext, {}, 'Next').model;
    expect(publishedScopeCount(next, 'lm+mtp')).toBe(81324862720);
  });

  it('freezes what it returns and leaves what it was given', () => {
    const config = llama([8, 2, 2, 1, 16, 10]);
    const before = JSON.stringify(config);
    const imported = importHuggingFace(config, {}, 'config.json');
    expect(Object.isFrozen(imported.model.layers[0]?.mixer)).toBe(true);
    expect(JSON.stringify(config)).toBe(before);
  });

  it('understands every type once', () => {
    expect(new Set(modelTypes).size).toBe(modelTypes.length);
    expect(modelTypes.length).toBeGreaterThan(90);
  });
});
