import { describe, expect, it } from 'vitest';
import {
  erlangC,
  waitAllenCunneen,
  waitKingman,
  waitMD1,
  waitMG1,
  waitMM1,
  waitMMm,
  waitSakasegawa,
} from '../../src/serving/queueing.ts';

/*
 * By hand, s = 2 s and 0.4 arrivals/s: rho = 0.8.
 * M/M/1  W = 0.8 x 2 / 0.2 = 8, L = 0.4 x (8 + 2) = 4 = rho / (1 - rho).
 * M/D/1  half of that wait: 4.
 * M/G/1  with variance 2 on mean 2: variation 0.5, W = 0.8 x 2 x 1.5 / 0.4 = 6.
 */
describe('textbook queues', () => {
  it('M/M/1: rho = 0.8 waits 4 services, and 4 are present', () => {
    const { wait, present, waiting, utilisation, verdict, largestRate } = waitMM1(0.4, 2);
    expect(utilisation).toBeCloseTo(0.8, 12);
    expect(wait).toBeCloseTo(8, 12);
    expect(present).toBeCloseTo(4, 12);
    expect(waiting).toBeCloseTo(3.2, 12);
    expect(verdict).toBe('stable');
    expect(largestRate).toBe(0.5);
  });

  it('M/D/1 waits half as long as M/M/1', () => {
    expect(waitMD1(0.4, 2).wait).toBeCloseTo(4, 12);
  });

  it('M/G/1 holds both as its limits, and what lies between', () => {
    expect(waitMG1(0.4, 2, 1).wait).toBeCloseTo(waitMM1(0.4, 2).wait, 12);
    expect(waitMG1(0.4, 2, 0).wait).toBeCloseTo(waitMD1(0.4, 2).wait, 12);
    expect(waitMG1(0.4, 2, 0.5).wait).toBeCloseTo(6, 12);
  });

  /*
   * Erlang C as tabulated (Cooper, Introduction to Queueing Theory, 1981): two servers, load 1: C = 1/3, by hand
   * B = (1/2) / (1 + 1 + 1/2) = 1/5, C = B / (1 - rho (1 - B)) = 0.2 / 0.6. Ten servers, load 8: B = 0.12166, C = 0.4092.
   */
  it('Erlang C', () => {
    expect(erlangC(1, 0.8)).toBeCloseTo(0.8, 12);
    expect(erlangC(2, 1)).toBeCloseTo(1 / 3, 12);
    expect(erlangC(10, 8)).toBeCloseTo(0.4092, 4);
    expect(erlangC(3, 3)).toBe(1);
    // 170! is where a sum of factorials breaks down.
    expect(erlangC(1000, 900)).toBeGreaterThan(0);
    expect(erlangC(1000, 900)).toBeLessThan(0.01);
  });

  it('M/M/m: two servers at load 1 wait a third of a service', () => {
    expect(waitMMm(1, 1, 2).wait).toBeCloseTo(1 / 3, 12);
    expect(waitMMm(0.4, 2, 1).wait).toBeCloseTo(8, 12);
  });

  it('the approximations are exact where they have to be', () => {
    expect(waitKingman(0.4, 2, 1, 1).wait).toBeCloseTo(8, 12);
    expect(waitKingman(0.4, 2, 1, 0).wait).toBeCloseTo(waitMD1(0.4, 2).wait, 12);
    expect(waitAllenCunneen(1, 1, 2, 1, 1).wait).toBeCloseTo(1 / 3, 12);
    expect(waitAllenCunneen(0.4, 2, 1, 0.3, 0.7).wait).toBeCloseTo(waitKingman(0.4, 2, 0.3, 0.7).wait, 12);
    // Arrivals and services without any variation never meet a busy server.
    expect(waitKingman(0.4, 2, 0, 0).wait).toBe(0);
  });

  it('Sakasegawa: exact with one server, within 5 % of Erlang C with many, and for servers that are not whole', () => {
    expect(waitSakasegawa(0.4, 2, 1, 1, 1).wait).toBeCloseTo(waitMM1(0.4, 2).wait, 12);
    expect(waitSakasegawa(0.4, 2, 1, 1, 0).wait).toBeCloseTo(waitMD1(0.4, 2).wait, 12);
    for (const servers of [2, 5, 20]) {
      const near = waitSakasegawa(0.9 * servers, 1, servers, 1, 1).wait / waitMMm(0.9 * servers, 1, servers).wait;
      expect(Math.abs(near - 1)).toBeLessThan(0.05);
    }
    const [two, between, three] = [2, 2.5, 3].map((servers) => waitSakasegawa(1.5, 1, servers, 1, 1).wait);
    expect(between).toBeLessThan(two ?? 0);
    expect(between).toBeGreaterThan(three ?? 1);
  });

  it('says unstable instead of a number from the full rate on, and near saturation before it', () => {
    for (const queue of [waitMM1(0.5, 2), waitMD1(0.7, 2), waitMMm(2, 1, 2), waitKingman(1, 1, 1, 1)]) {
      expect(queue.verdict).toBe('unstable');
      expect(queue.wait).toBe(Infinity);
      expect(queue.utilisation).toBe(1);
    }
    expect(waitMM1(0.46, 2).verdict).toBe('near saturation');
    expect(waitMM1(0, 2)).toMatchObject({ wait: 0, present: 0, verdict: 'stable' });
  });

  it('names its formula and assumptions', () => {
    expect(waitMG1(0.4, 2, 1).formula).toBe(
      'Pollaczek-Khinchine (M/G/1): Poisson arrivals, independent service times of any distribution, one server, first come first served',
    );
  });
});
