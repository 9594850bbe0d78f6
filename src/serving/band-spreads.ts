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
 * Residuals of zero-configuration predictions on 15034 public rows of 27 sources, by clock, load and what is known
 * of the device family. Written by scripts/fit-bands.ts on 2026-12-02; a regime with few rows has those of its clock.
 */
export const bandSpreads: Spreads = {
  ttft: {
    batch: {
      measured: { low: 0.83, high: 1.23 },
      similar: { low: 0.66, high: 2.18 },
      assumed: { low: 0.78, high: 2.16 },
    },
    concurrency: {
      measured: { low: 0.71, high: 2.64 },
      similar: { low: 0.66, high: 2.64 },
      assumed: { low: 0.42, high: 2.64 },
    },
    rate: {
      measured: { low: 0.94, high: 2.53 },
      similar: { low: 0.66, high: 2.53 },
      assumed: { low: 0.51, high: 2.53 },
    },
  },
  tpot: {
    batch: {
      measured: { low: 0.88, high: 1.37 },
      similar: { low: 0.84, high: 1.51 },
      assumed: { low: 0.8, high: 1.7 },
    },
    concurrency: {
      measured: { low: 0.86, high: 1.54 },
      similar: { low: 0.84, high: 1.54 },
      assumed: { low: 0.84, high: 2.01 },
    },
    rate: {
      measured: { low: 0.88, high: 1.11 },
      similar: { low: 0.84, high: 1.51 },
      assumed: { low: 0.83, high: 1.99 },
    },
  },
  e2e: {
    batch: {
      measured: { low: 0.87, high: 1.31 },
      similar: { low: 0.65, high: 1.62 },
      assumed: { low: 0.65, high: 1.31 },
    },
    concurrency: {
      measured: { low: 0.86, high: 1.46 },
      similar: { low: 0.47, high: 1.46 },
      assumed: { low: 0.85, high: 2.02 },
    },
    rate: {
      measured: { low: 0.94, high: 1.25 },
      similar: { low: 0.65, high: 1.62 },
      assumed: { low: 0.71, high: 1.76 },
    },
  },
};
