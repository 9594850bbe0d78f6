import { percent } from '../../clock-time.ts';
import type { AccuracyData, AccuracyPoint } from '../accuracy.ts';

/** Measured clocks with their predictions, and how far off the middle one is. */
export function accuracyData(points: readonly AccuracyPoint[]): AccuracyData {
  const errors = points.map(({ measured, predicted }) => Math.abs(predicted / measured - 1)).toSorted((a, b) => a - b);
  const median = errors[Math.floor(errors.length / 2)] ?? 0;
  const near = errors.filter((error) => error <= 0.25).length;
  return {
    heading: {
      title: `Predicted against measured: ${points.length} figures, median error ${percent(median)}`,
      lines: [
        `${percent(near / Math.max(1, errors.length))} lie within 25 %. No configuration beyond what each row says.`,
        'Line: perfect. Band: half as long again either way.',
      ],
    },
    points,
  };
}
