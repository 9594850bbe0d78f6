/** Groups that a run is cut into at most; more only cost time. */
const mostGroups = 5000;

/** Values of a group at least (the 5 of MSER-5). */
const groupSize = 5;

/**
 * How many values at the start to leave out: MSER-5 (White, Cobb and Spratt 2000). Of all starts in the first half it
 * takes the one whose remaining group means have the smallest squared standard error. Values that are no number are
 * passed over.
 */
export function warmUpLength(values: Float64Array): number {
  const size = groupSize * Math.max(1, Math.ceil(values.length / groupSize / mostGroups));
  const groups = Math.floor(values.length / size);
  if (groups < 4) return 0;
  const means = new Float64Array(groups);
  for (let group = 0; group < groups; group++) {
    let sum = 0;
    let count = 0;
    for (let index = group * size; index < (group + 1) * size; index++) {
      const value = values[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    means[group] = count === 0 ? (means[group - 1] ?? 0) : sum / count;
  }
  let best = Infinity;
  let start = 0;
  let sum = 0;
  let squares = 0;
  for (let group = groups - 1; group >= 0; group--) {
    const mean = means[group] ?? 0;
    sum += mean;
    squares += mean * mean;
    const count = groups - group;
    const error = (squares - (sum * sum) / count) / (count * count);
    if (group <= groups / 2 && error <= best) {
      best = error;
      start = group;
    }
  }
  return start * size;
}
