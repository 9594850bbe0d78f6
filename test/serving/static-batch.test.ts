import { describe, expect, it } from 'vitest';
import { type ClockSeconds, newClockSeconds } from '../../src/serving/clock-seconds.ts';
import { compile } from '../../src/serving/compiled.ts';
import {
  decodeStages,
  microBatch,
  pipelined,
  prefillPasses,
  staticBatchClocks,
} from '../../src/serving/static-batch.ts';
import { oneSecondSteps } from '../support/one-second-steps.ts';
import { limit, ranks, toyRelease } from '../support/toy-parts.ts';
import { toyDeployment } from '../support/toy.ts';

// Ideal toy device, 4 prompts of 1000: 4 x (24 + 2) ms, and the head: 4 rows x 2e6 FLOP = 8 us, longer than its 2 us.

const fill = (compiled: Parameters<typeof staticBatchClocks>[0], size: number, prompt: number): ClockSeconds => {
  const clocks = newClockSeconds();
  staticBatchClocks(compiled, size, prompt, 0, 11, clocks);
  return clocks;
};

describe('a static batch', () => {
  it('gets its first tokens when all of its prompts are done', () => {
    const { ttftSeconds, tpotSeconds, running } = fill(compile(toyDeployment(), 'ideal'), 4, 1000);
    expect(ttftSeconds).toBeCloseTo(104.008e-3, 12);
    // Four rows x 26e6 FLOP, 104 us, and 4 x 1005.5 entries of 4 ns.
    expect(tpotSeconds).toBeCloseTo(104e-6 + 16.088e-6, 14);
    expect(running).toBe(4);
  });

  it('is spread over groups of devices', () => {
    const two = compile(toyDeployment({ parallelism: ranks({ replicas: 2 }) }), 'ideal');
    expect(fill(two, 8, 1000).ttftSeconds).toBeCloseTo(104.008e-3, 12);
  });

  it('pays the request once', () => {
    const release = toyRelease({ overhead: { request: 0.5 } });
    expect(fill(oneSecondSteps(release), 1, 100).ttftSeconds).toBe(1.5);
  });

  it('follows itself through a pipeline: 4 steps on 2 stages take 5 half steps', () => {
    const release = toyRelease({ scheduling: { tokenBudget: limit(100) } });
    const compiled = oneSecondSteps(release, ranks({ pipeline: 2 }));
    expect(pipelined(compiled, 4)).toBe(5 / 8);
    expect(pipelined(compiled, 1)).toBe(1);
    expect(fill(compiled, 4, 100).ttftSeconds).toBeCloseTo(2.5, 12);
  });

  it('decodes as one where each batch has to come through all stages before the next', () => {
    const waits = toyRelease({ scheduling: { pipelineTokens: 2048 } });
    const stages = ranks({ pipeline: 2 });
    expect(decodeStages(toyDeployment({ parallelism: stages }))).toBe(2);
    expect(decodeStages(toyDeployment({ release: waits, parallelism: stages }))).toBe(1);
  });

  it('takes a step in passes, which follow each other through a pipeline', () => {
    // A prompt of 100 in passes of 25: 4 steps of the device's, one of the host's.
    const cut = toyRelease({ scheduling: { passTokens: 25 } });
    expect(prefillPasses(compile(toyDeployment({ release: cut }), 'typical'), 100)).toBe(4);
    const whole = fill(compile(toyDeployment(), 'typical'), 1, 100).ttftSeconds;
    const passes = fill(compile(toyDeployment({ release: cut }), 'typical'), 1, 100).ttftSeconds;
    // Weights are read three times more: 3 x 13e6 parameters x 2 bytes at 1 TB/s are 78 us at least.
    expect(passes - whole).toBeGreaterThan(70e-6);
    expect(fill(oneSecondSteps(cut), 1, 100).ttftSeconds).toBe(1);
    const held = toyRelease({ scheduling: { tokenBudget: limit(100), passTokens: 25, pipelineTokens: 100 } });
    expect(pipelined(oneSecondSteps(held, ranks({ pipeline: 2 })), 4)).toBe(5 / 8);
  });

  it('waits for a decode step where that computes the last token of each prompt', () => {
    const last = toyRelease({ scheduling: { decodesLastToken: true } });
    expect(fill(oneSecondSteps(last), 4, 100).ttftSeconds).toBe(2);
    expect(fill(oneSecondSteps(), 4, 100).ttftSeconds).toBe(1);
  });

  it('samples one sequence after another on the host: 4 sequences x 1000 entries x 1 us', () => {
    const host = toyRelease({ overhead: { sampling: 1e-6 } });
    const { tpotSeconds } = fill(oneSecondSteps(host), 4, 100);
    expect(tpotSeconds).toBeCloseTo(1 + 4e-3, 12);
  });

  it('decodes in micro-batches that keep every stage busy', () => {
    expect(microBatch(8, 2)).toBe(4);
    expect(microBatch(1, 4)).toBe(1);
    expect(microBatch(0.5, 4)).toBe(0.5);
  });
});
