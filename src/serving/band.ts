import type { Calibration } from '../profile/calibration.ts';
import type { Grade } from '../profile/scenario.ts';
import type { Efficiency } from '../roofline/efficiency.ts';
import { bandSpreads } from './band-spreads.ts';

/** Where measurements are expected to lie around a prediction: 80 % of them between low and high. */
export interface Band {
  readonly low: number;
  readonly high: number;
  /** The residuals that the band comes from, in words. */
  readonly regime: string;
}

type ClockName = 'ttft' | 'tpot' | 'e2e';
type LoadKind = 'batch' | 'concurrency' | 'rate';

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
  const spread = bandSpreads[clock][load][evidence];
  return {
    low: Math.max(Math.min(ideal, seconds), seconds * spread.low),
    high: seconds * spread.high,
    regime: `${clock} under ${load} load, device family ${evidence}`,
  };
}
