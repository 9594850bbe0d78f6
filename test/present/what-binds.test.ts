import { describe, expect, it } from 'vitest';
import { whatBinds } from '../../src/present/what-binds.ts';
import { breakdownOf } from '../../src/roofline/resource.ts';
import type { Clock } from '../../src/serving/clock.ts';

/** A clock of one second with these parts; elasticities as the parts, unless given. */
const clock = (parts: readonly number[], elasticity: readonly number[] = parts): Clock => ({
  seconds: 1,
  low: 1,
  high: 1,
  ideal: 1,
  breakdown: breakdownOf(parts),
  elasticity: breakdownOf(elasticity),
  grade: 'typical',
  regime: '',
});

describe('whatBinds', () => {
  // Weights 0.7 and KV 0.1: 10 % more bandwidth leaves 1.1^-0.8 = 0.927, 7 % off.
  it('says what would help and what would not', () => {
    expect(whatBinds('TPOT', clock([0.03, 0.7, 0.1, 0, 0, 0, 0.17]), 'weight-bandwidth')).toBe(
      'TPOT is 70 % reading weights: 10 % more memory bandwidth takes about 7 % off; 17 % is overhead and latency that no faster chip shortens; more FLOP/s does next to nothing.',
    );
  });

  it('names waiting, which shortens with what it waits for', () => {
    const [parts, elasticity] = [
      [0.6, 0, 0, 0, 0, 0, 0, 0.4],
      [0.9, 0.1, 0, 0],
    ];
    expect(whatBinds('TTFT', clock(parts ?? [], elasticity), 'compute')).toBe(
      'TTFT is 90 % compute (40 % of it spent waiting for other requests): 10 % more FLOP/s takes about 8 % off; 10 % more memory bandwidth takes about 0.9 % off.',
    );
  });
});
