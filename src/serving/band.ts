import type { Calibration } from '../profile/calibration.ts';
import type { Grade } from '../profile/scenario.ts';
import type { Efficiency } from '../roofline/efficiency.ts';

/** Where measurements are expected to lie around a prediction: 80 % of them between low and high. */
export interface Band {
  readonly low: number;
  readonly high: number;
  /** The residuals that the band comes from, in words. */
  readonly regime: string;
}

type ClockName = 'ttft' | 'tpot' | 'e2e';
type LoadKind = 'batch' | 'concurrency' | 'rate';

/** Measured over predicted, as the 10 % and 90 % quantiles of a regime's residuals. */
interface Spread {
  readonly low: number;
  readonly high: number;
}

/**
 * Residuals of this engine's zero-configuration predictions on public measurements, by clock and load.
 * A family without operator timings is wider: `unmeasured` multiplies the logarithms.
 */
const spreads: Readonly<Record<ClockName, Readonly<Record<LoadKind, Spread>>>> = {
  ttft: { batch: { low: 0.7, high: 1.6 }, concurrency: { low: 0.5, high: 3 }, rate: { low: 0.5, high: 3 } },
  tpot: { batch: { low: 0.75, high: 1.5 }, concurrency: { low: 0.75, high: 1.5 }, rate: { low: 0.7, high: 1.6 } },
  e2e: { batch: { low: 0.75, high: 1.5 }, concurrency: { low: 0.7, high: 1.6 }, rate: { low: 0.7, high: 1.6 } },
};

/** How much wider (in logarithm) a band is by what is known of the device family. */
const widening: Readonly<Record<Efficiency['evidence'], number>> = { measured: 1, similar: 1.25, assumed: 1.75 };

/** The band of a typical prediction; the ideal is a bound, and has none. */
export function bandOf(
  seconds: number,
  ideal: number,
  clock: ClockName,
  load: LoadKind,
  grade: Grade,
  evidence: Efficiency['evidence'],
  calibration?: Calibration,
): Band {
  if (grade === 'ideal') return { low: seconds, high: seconds, regime: 'lower bound' };
  const own = calibration?.band[clock];
  if (own !== undefined) {
    return {
      low: Math.max(Math.min(ideal, seconds), seconds * own.low),
      high: seconds * own.high,
      regime: `${clock} of ${calibration?.rows ?? 0} calibrated rows`,
    };
  }
  const spread = spreads[clock][load];
  const exponent = widening[evidence];
  return {
    low: Math.max(Math.min(ideal, seconds), seconds * spread.low ** exponent),
    high: seconds * spread.high ** exponent,
    regime: `${clock} under ${load} load, device family ${evidence}`,
  };
}
