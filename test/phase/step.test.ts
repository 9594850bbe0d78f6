import { describe, expect, it } from 'vitest';
import { addMeanChunk, addPrefill, clearStep, newStep } from '../../src/phase/step.ts';
import { fixedVariables } from '../../src/roofline/step-table.ts';
import { compile } from '../../src/serving/compiled.ts';
import { toyDeployment, toyModel } from '../support/toy.ts';

// Attention in blocks of 8. A prompt of 20 tokens has two whole blocks and half of one: (64 + 64 + 16) / 2 = 72 pairs, 18
// in the mean of 4 chunks. The chunk in the middle, tokens 7.5 to 12.5, has (64 - 7.5^2 + 4.5^2) / 2 = 14.

const layers = toyModel.layers.map((layer) => ({
  ...layer,
  mixer: { ...layer.mixer, window: 8, chunked: true },
})) as typeof toyModel.layers;
const { table } = compile(toyDeployment({ model: { ...toyModel, layers } }), 'typical');

const pairsAt = fixedVariables.length;

function mean(prompt: number, cuts: number): Float64Array {
  const step = newStep();
  clearStep(table, step);
  addMeanChunk(table, step, 1, 0, prompt, cuts);
  return step;
}

describe('the mean chunk of a prompt', () => {
  it('holds the mean of what its chunks hold', () => {
    const summed = newStep();
    clearStep(table, summed);
    for (let cut = 0; cut < 4; cut++)
      addPrefill(table, summed, 1, (20 * cut) / 4, (20 * (cut + 1)) / 4, cut === 3 ? 1 : 0);
    const step = mean(20, 4);
    expect(step[pairsAt]).toBeCloseTo(18, 12);
    for (let at = 1; at < table.variables.length; at++) expect(step[at]).toBeCloseTo((summed[at] ?? 0) / 4, 12);
  });

  it('grows with the prompt wherever its blocks of attention end', () => {
    for (let prompt = 4; prompt < 60; prompt++) {
      const [before, after] = [mean(prompt, 4), mean(prompt + 1, 4)];
      for (let at = 0; at < table.variables.length; at++) {
        expect(after[at] ?? 0).toBeGreaterThanOrEqual((before[at] ?? 0) - 1e-12);
      }
    }
  });
});
