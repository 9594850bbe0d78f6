import { describe, expect, it } from 'vitest';
import { newClockSeconds } from '../../src/serving/clock-seconds.ts';
import { openLoopClocks } from '../../src/serving/open-loop.ts';
import { oneSecondSteps } from '../support/one-second-steps.ts';
import { limit, ranks, toyRelease } from '../support/toy-parts.ts';

// Steps of one second, one of prefill and 8 of decode, four places: half a step of waiting makes a cycle of 9.5 s, and
// prompts ahead (three others, 3 / 9.5 of the time) add 0.23 s: 4 / 9.73 = 0.41 requests/s.
const cycle = 9.5 + 3 / 9.5 / (2 * (1 - 3 / 9.5));

const release = toyRelease({ scheduling: { tokenBudget: limit(100), maxSequences: limit(4) } });

function at(rate: number, replicas = 1): readonly [string, number, ReturnType<typeof newClockSeconds>] {
  const clocks = newClockSeconds();
  const compiled = oneSecondSteps(release, ranks({ replicas }));
  const { verdict, largestRate } = openLoopClocks(compiled, rate, 100, 0, 9, clocks);
  return [verdict, largestRate, clocks];
}

describe('an open loop', () => {
  it('has a largest rate, above which the queue grows without end', () => {
    const [verdict, largestRate] = at(0.43);
    expect(verdict).toBe('unstable');
    expect(largestRate).toBeCloseTo(4 / cycle, 10);
  });

  it('is near saturation above nine tenths of it', () => {
    expect(at(0.36)[0]).toBe('stable');
    expect(at(0.39)[0]).toBe('near saturation');
  });

  it('waits by chance even where one request at a time would do', () => {
    // Utilisation 0.1 of one-second prefills: 0.1 x 1 / (2 x 0.9) s.
    const [, , clocks] = at(0.1);
    expect(clocks.ttftSeconds).toBeCloseTo(1 + 0.1 / 1.8, 10);
    expect(clocks.tpotSeconds).toBeCloseTo(1, 12);
  });

  it('has as many in flight as arrive in a residence', () => {
    const [, , clocks] = at(0.3);
    const wait = 0.3 / (2 * 0.7) / clocks.running;
    expect(clocks.running).toBeCloseTo(0.3 * (clocks.ttftSeconds - wait + 8 * clocks.tpotSeconds), 6);
  });

  it('is shared by replicas', () => {
    expect(at(0.8, 2)[1]).toBeCloseTo(8 / cycle, 10);
    expect(at(0.2, 2)[2].ttftSeconds).toBeCloseTo(at(0.1)[2].ttftSeconds, 12);
  });
});
