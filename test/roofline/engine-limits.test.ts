import { describe, expect, it } from 'vitest';
import { engineLimits } from '../../src/roofline/engine-limits.ts';
import { limit, toyRelease } from '../support/toy-parts.ts';
import { toyHardware } from '../support/toy.ts';

// Toy device: 100 GB, hopper. Rules are read from the top; the first that its memory meets holds.

const large = { memory: 160e9, except: [], value: 16_384 };
const middle = { memory: 70e9, except: ['ampere'], value: 8192 };
const any = { memory: 0, except: [], value: 2048 };

const budget = (rules: ReturnType<typeof limit>, hardware = toyHardware): number =>
  engineLimits(toyRelease({ scheduling: { tokenBudget: rules } }), hardware).tokenBudget;

describe('engine limits', () => {
  it('take the first rule that the memory meets', () => {
    expect(budget([large, middle, any])).toBe(8192);
    expect(budget([large, any])).toBe(2048);
  });

  it('skip excluded architectures', () => {
    expect(budget([middle, any], { ...toyHardware, architecture: 'ampere' })).toBe(2048);
  });

  it('are none without a rule', () => {
    const { tokenBudget, maxSequences, bytesPerLogit } = engineLimits(toyRelease(), toyHardware);
    expect([tokenBudget, maxSequences, bytesPerLogit]).toEqual([Infinity, Infinity, 0]);
    expect(budget([large])).toBe(Infinity);
  });

  it('hold for sequences too', () => {
    const release = toyRelease({ scheduling: { maxSequences: limit(64) } });
    expect(engineLimits(release, toyHardware).maxSequences).toBe(64);
  });
});
