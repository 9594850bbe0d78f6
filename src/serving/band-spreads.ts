import type { Efficiency } from '../roofline/efficiency.ts';

/** Measured over predicted time, as the 10 % and 90 % quantiles of a regime's residuals. */
export interface Spread {
  readonly low: number;
  readonly high: number;
}

type Spreads = Readonly<
  Record<
    'ttft' | 'tpot' | 'e2e',
    Readonly<Record<'batch' | 'concurrency' | 'rate', Readonly<Record<Efficiency['evidence'], Spread>>>>
  >
>;

/**
 * Residuals of zero-configuration predictions on 15323 public rows of 28 sources, by clock, load and what is known
 * of the device family. Written by scripts/fit-bands.ts on 2026-12-02; a regime with few rows has those of its clock.
 */
export const bandSpreads: Spreads = {
  ttft: {
    batch: {
      measured: { low: 0.9, high: 1.18 },
      similar: { low: 0.69, high: 1.88 },
      assumed: { low: 0.76, high: 1.92 },
    },
    concurrency: {
      measured: { low: 0.74, high: 2.07 },
      similar: { low: 0.69, high: 2.07 },
      assumed: { low: 0.46, high: 2.19 },
    },
    rate: {
      measured: { low: 0.94, high: 2.43 },
      similar: { low: 0.69, high: 2.43 },
      assumed: { low: 0.56, high: 2.43 },
    },
  },
  tpot: {
    batch: {
      measured: { low: 0.92, high: 1.26 },
      similar: { low: 0.88, high: 1.35 },
      assumed: { low: 0.87, high: 1.39 },
    },
    concurrency: {
      measured: { low: 0.91, high: 1.36 },
      similar: { low: 0.88, high: 1.36 },
      assumed: { low: 0.85, high: 1.8 },
    },
    rate: {
      measured: { low: 0.89, high: 1.1 },
      similar: { low: 0.88, high: 1.35 },
      assumed: { low: 0.85, high: 1.69 },
    },
  },
  e2e: {
    batch: { measured: { low: 0.9, high: 1.2 }, similar: { low: 0.54, high: 1.3 }, assumed: { low: 0.81, high: 1.2 } },
    concurrency: {
      measured: { low: 0.91, high: 1.46 },
      similar: { low: 0.42, high: 1.46 },
      assumed: { low: 0.87, high: 1.96 },
    },
    rate: {
      measured: { low: 0.94, high: 1.27 },
      similar: { low: 0.54, high: 1.3 },
      assumed: { low: 0.83, high: 1.55 },
    },
  },
};
