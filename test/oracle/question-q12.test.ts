import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { replicasForRate } from '../../src/whatif/break-even.ts';
import { changed, question, ranks } from '../support/what-if.ts';

// inference-sim tutorial: 8 instances at 200 requests/s in all, each good for about 17. 200 / 8 = 25 > 17: the queue grows.
// 200 / 17 = 11.8: at least 12 instances. The tutorial's simulator knows no sampler: greedy.

const asked = (replicas: number) =>
  question(
    'llama-3.1-8b',
    'a100-sxm4-80gb',
    'vllm@0.8.5',
    { prompt: 450, output: 280, load: { kind: 'rate', requestsPerSecond: 200 } },
    { parallelism: ranks({ replicas }), sampling: 'greedy' },
  );

describe('Q12: a finite run read as steady state (inference-sim tutorial)', () => {
  it('is unstable, and says how many instances it takes', () => {
    const { load, warnings } = estimate(asked(8));
    const each = (load.stability?.largestRate ?? 0) / 8;
    expect(each).toBeGreaterThan(16);
    expect(each).toBeLessThan(18.2);
    expect(load.stability?.verdict).toBe('unstable');
    expect(warnings.some((warning) => warning.startsWith('unstable: '))).toBe(true);
    const needed = replicasForRate(asked(8));
    expect(needed?.replicas).toBe(Math.floor(200 / each) + 1);
    expect(needed?.replicas).toBeGreaterThanOrEqual(11);
    expect(needed?.replicas).toBeLessThanOrEqual(13);
    expect(estimate(asked(needed?.replicas ?? 0)).load.stability?.verdict).not.toBe('unstable');
    expect(estimate(asked((needed?.replicas ?? 0) - 1)).load.stability?.verdict).toBe('unstable');
  });

  it('states no TTFT that grows', async () => {
    const { verdict } = await changed(asked(8), 'replicas=9');
    expect(verdict).toMatch(/^Unstable: 200 req\/s arrive and 1\d\d req\/s leave at most/);
    expect(verdict).toContain('TTFT grows without end');
    expect(verdict).not.toMatch(/TTFT [\d.]/);
    const enough = await changed(asked(8), 'replicas=16');
    expect(enough.verdict).toContain('TTFT grew without end and is');
    expect(enough.stability).toEqual({ before: 'unstable', after: 'stable' });
  });
});
