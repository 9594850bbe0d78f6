import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../src/profile/scenario.ts';
import { engineLimits } from '../../src/roofline/engine-limits.ts';
import { deviceMemory, sequenceBytes, sequencesThatFit } from '../../src/roofline/memory.ts';
import {
  limit,
  ranks,
  toyAttention,
  toyExperts,
  toyLatent,
  toyLayer,
  toyRecurrent,
  toyRelease,
} from '../support/toy-parts.ts';
import { toyDeployment, toyHardware, toyModel } from '../support/toy.ts';

// Layer 12e6, head 1e6 and table 1e6 elements in 2 bytes: 28 MB. KV: 10 x 200 elements in 2 bytes = 4000 bytes a token.

const memory = (changes: Partial<Deployment> = {}): ReturnType<typeof deviceMemory> => {
  const deployment = toyDeployment(changes);
  return deviceMemory(deployment, engineLimits(deployment.release, deployment.hardware));
};

describe('device memory', () => {
  it('holds weights, workspace and KV', () => {
    const { capacity, usable, weights, workspace, keyValueCapacity, keyValue } = memory();
    expect([capacity, usable, weights]).toEqual([100e9, 100e9, 28e6]);
    expect(keyValueCapacity).toBe(100e9 - 28e6 - workspace);
    expect(keyValue).toEqual({ full: 4000, windowed: [], fixed: 0 });
  });

  it('leaves a share to the system, of all or of what the weights leave', () => {
    const rules = { ...toyRelease().memory, fraction: 0.9, reserve: 1e9 };
    const total = memory({ release: toyRelease({ memory: rules }) });
    expect(total.usable).toBe(90e9);
    expect(total.keyValueCapacity).toBe(89e9 - 28e6 - total.workspace);
    const free = memory({ release: toyRelease({ memory: { ...rules, basis: 'free-after-weights' } }) });
    expect(free.keyValueCapacity).toBeCloseTo(0.9 * (99e9 - 28e6 - free.workspace), 3);
  });

  it('is what the driver reports where that is known, and three quarters of an Apple machine', () => {
    const reported = { ...toyHardware, memory: { ...toyHardware.memory, reported: 95e9 } };
    expect(memory({ hardware: reported }).usable).toBe(95e9);
    expect(memory({ hardware: { ...toyHardware, architecture: 'apple-m2' } }).usable).toBe(75e9);
  });

  it('shares weights among ranks and layers among stages', () => {
    expect(memory({ parallelism: ranks({ tensor: 2 }) }).weights).toBe(14e6);
    const deep = { ...toyModel, layers: [toyLayer({ count: 4 })] };
    // Two layers of 24 MB and one end of 2 MB.
    expect(memory({ model: deep, parallelism: ranks({ pipeline: 2 }) }).weights).toBe(50e6);
    expect(memory({ model: deep, parallelism: ranks({ pipeline: 2 }) }).keyValue.full).toBe(8000);
  });

  it('holds a tied table once', () => {
    const tied = { ...toyModel, embedding: { ...toyModel.embedding, tied: true } };
    expect(memory({ model: tied }).weights).toBe(26e6);
  });

  it('holds all experts of a rank, touched or not', () => {
    const sparse = { ...toyModel, layers: [toyLayer({ feedForward: toyExperts })] };
    // 8 experts of 3 x 1000 x 50, the router 8000, attention 4e6, table and head 2e6.
    expect(memory({ model: sparse }).weights).toBe(2 * (8 * 150_000 + 8000 + 4e6 + 2e6));
    const spread = memory({ model: sparse, parallelism: ranks({ data: 2, expert: 2 }) });
    expect(spread.weights).toBe(2 * (4 * 150_000 + 8000 + 4e6 + 2e6));
  });

  it('stores 4 bits in 4 bits and more, and leaves table and head at 16', () => {
    // nvfp4: 4.5 bits.
    expect(memory({ precision: { weights: 'nvfp4' } }).weights).toBe((12e6 * 4.5) / 8 + 4e6);
  });

  it('keeps one KV head where ranks outnumber them, and a latent whole', () => {
    const grouped = { ...toyModel, layers: [toyLayer({ mixer: { ...toyAttention, heads: 16, keyValueHeads: 2 } })] };
    expect(memory({ model: grouped }).keyValue.full).toBe(800);
    expect(memory({ model: grouped, parallelism: ranks({ tensor: 8 }) }).keyValue.full).toBe(400);
    const latent = { ...toyModel, layers: [toyLayer({ mixer: toyLatent })] };
    expect(memory({ model: latent, parallelism: ranks({ tensor: 4 }) }).keyValue.full).toBe(200);
  });

  it('sets aside the sampler or the widest layer, whichever is larger', () => {
    const rules = { ...toyRelease().memory, bytesPerLogit: 10 };
    const scheduling = { tokenBudget: limit(100), maxSequences: limit(100) };
    // 100 tokens x (3 x 4000 + 4 x 1000) elements x 2 bytes against 100 rows x 1000 logits x 10 bytes.
    expect(memory({ release: toyRelease({ memory: rules, scheduling }) }).workspace).toBe(3.2e6);
    const larger = { ...rules, bytesPerLogit: 40 };
    expect(memory({ release: toyRelease({ memory: larger, scheduling }) }).workspace).toBe(4e6);
  });
});

describe('a sequence', () => {
  it('keeps full entries, windows and a fixed state', () => {
    const form = { full: 10, windowed: [{ window: 100, perToken: 3 }], fixed: 7 };
    expect(sequenceBytes(form, 50)).toBe(500 + 150 + 7);
    expect(sequenceBytes(form, 1000)).toBe(10_000 + 300 + 7);
    const mixed = {
      ...toyModel,
      layers: [toyLayer({ mixer: { ...toyAttention, window: 64 } }), toyLayer({ mixer: toyRecurrent })],
    };
    expect(memory({ model: mixed }).keyValue).toEqual({
      full: 0,
      windowed: [{ window: 64, perToken: 4000 }],
      fixed: 420,
    });
  });

  it('fits as often as its bytes do, and never less than not at all', () => {
    const base = memory();
    expect(sequencesThatFit({ ...base, keyValueCapacity: 4000 * 250 }, 100)).toBe(2);
    expect(sequencesThatFit({ ...base, keyValueCapacity: -5 }, 100)).toBe(0);
  });
});
