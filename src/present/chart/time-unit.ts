/** A unit for an axis of times. */
export interface TimeUnit {
  readonly unit: 'µs' | 'ms' | 's' | 'min';
  /** Units per second. */
  readonly perSecond: number;
}

/** The unit in which the largest time of an axis reads best. */
export function timeUnit(longestSeconds: number): TimeUnit {
  if (longestSeconds < 1e-3) return { unit: 'µs', perSecond: 1e6 };
  if (longestSeconds < 10) return { unit: 'ms', perSecond: 1e3 };
  return longestSeconds < 1200 ? { unit: 's', perSecond: 1 } : { unit: 'min', perSecond: 1 / 60 };
}

/** The same for a logarithmic axis, whose small end has to read well too: no thousandth of a minute. */
export const logTimeUnit = (longestSeconds: number): TimeUnit => timeUnit(Math.min(longestSeconds, 1000));
