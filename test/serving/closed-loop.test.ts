import { describe, expect, it } from 'vitest';
import type { EngineScheduling } from '../../src/profile/engine.ts';
import { resourceIndex } from '../../src/roofline/resource.ts';
import { type ClockSeconds, newClockSeconds } from '../../src/serving/clock-seconds.ts';
import { closedLoopClocks } from '../../src/serving/closed-loop.ts';
import { oneSecondSteps } from '../support/one-second-steps.ts';
import { limit, ranks, toyRelease } from '../support/toy-parts.ts';

// Steps of one second, prompts of 100 under a budget of 100, answers of 9: one step of prefill and 8 of decode.
// Four in flight, one prefilled at a time: a newcomer waits half a step, so a cycle is 9.5 steps. Three others are in
// prefill for 3 / 9.5 of the time, and hold a newcomer up as in an M/D/1 queue: TTFT is 1.5 s and that.
const load = 3 / 9.5;
const chance = load / (2 * (1 - load));

function clocks(size: number, scheduling: Partial<EngineScheduling>, output = 9, request = 0): ClockSeconds {
  const release = toyRelease({ scheduling: { tokenBudget: limit(100), ...scheduling }, overhead: { request } });
  const filled = newClockSeconds();
  closedLoopClocks(oneSecondSteps(release), size, 100, 0, output, filled);
  return filled;
}

const queue = ({ ttft }: ClockSeconds): number => ttft[resourceIndex.queue] ?? NaN;

describe('a closed loop', () => {
  it('of one request has nothing to wait for', () => {
    const { ttftSeconds, tpotSeconds, running, waiting } = clocks(1, {}, 9, 0.25);
    expect([ttftSeconds, tpotSeconds, running, waiting]).toEqual([1.25, 1, 1, 0]);
  });

  it('of four waits for half of the running step, and for prompts ahead by chance', () => {
    const four = clocks(4, {});
    expect(four.ttftSeconds).toBeCloseTo(1.5 + chance, 12);
    expect(queue(four)).toBeCloseTo(0.5 + chance, 12);
    expect(four.tpotSeconds).toBeCloseTo(1, 12);
  });

  it('waits a whole step more where the next is already scheduled', () => {
    // A cycle of 10.5 steps: 3 / 10.5 of the time, 0.2 s.
    expect(clocks(4, { schedulesAhead: true }).ttftSeconds).toBeCloseTo(2.5 + 0.2, 12);
  });

  it('prefills together what starts in one step and fits it', () => {
    // 40 in flight finish 4.2 a step of 9.5; four fit, so a cycle is 40 / 4 = 10 steps, half a step of it backlog.
    const wide = clocks(40, { tokenBudget: limit(400) });
    expect(wide.tpotSeconds).toBeCloseTo(1, 12);
    expect(wide.ttftSeconds).toBeLessThan(7);
    expect(clocks(40, {}).ttftSeconds).toBeCloseTo(32, 10);
  });

  it('cuts a prompt above the budget into steps', () => {
    const one = clocks(1, { tokenBudget: limit(25) });
    expect(one.ttftSeconds).toBeCloseTo(4, 12);
  });

  it('queues once prefill takes every step: no more than one request a step can start', () => {
    // 40 in flight, 9 steps each: a cycle is 40 steps, of which 40 - 9.5 are backlog.
    const many = clocks(40, {});
    expect(many.ttftSeconds).toBeCloseTo(1 + 0.5 + 30.5, 10);
    expect(many.ttftSeconds + 8 * many.tpotSeconds).toBeCloseTo(40, 10);
  });

  it('of an engine that prefills first stalls decode for the prefill of the others', () => {
    // Three other prefills in the 8 steps between tokens: 1 + 3/8 s.
    expect(clocks(4, { policy: 'prefill-first' }).tpotSeconds).toBeCloseTo(1.375, 12);
  });

  it('of an engine of static batches is the batch', () => {
    const four = clocks(4, { policy: 'static', tokenBudget: [] });
    expect([four.ttftSeconds, four.tpotSeconds]).toEqual([1, 1]);
  });

  it('holds back what the engine does not run at once, for whole turns', () => {
    // 12 in flight, 4 places: 2 turns of TTFT and 8 s before the own TTFT.
    const twelve = clocks(12, { maxSequences: limit(4) });
    expect([twelve.running, twelve.waiting]).toEqual([4, 8]);
    expect(twelve.ttftSeconds).toBeCloseTo(2 * (9.5 + chance) + 1.5 + chance, 10);
  });

  it('spreads over replicas', () => {
    const release = toyRelease({ scheduling: { tokenBudget: limit(100) } });
    const filled = newClockSeconds();
    closedLoopClocks(oneSecondSteps(release, ranks({ replicas: 4 })), 16, 100, 0, 9, filled);
    expect(filled.ttftSeconds).toBeCloseTo(1.5 + chance, 12);
    expect(filled.running).toBe(4);
  });
});
