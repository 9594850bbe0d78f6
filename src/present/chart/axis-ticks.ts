/** Ticks of a logarithmic axis: whole decades over many, 1, 2, 5, 10 ... over few, every step where it has hardly one. */
export function logTicks(low: number, high: number): readonly number[] {
  const decades = Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low));
  const usual = ticksOf(low, high, decades > 4 ? [1] : [1, 2, 5]);
  return usual.length > fewest ? usual : ticksOf(low, high, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

const fewest = 2;

function ticksOf(low: number, high: number, steps: readonly number[]): readonly number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      // Built from decimal text: 10 ** -3 times 2 is not 0.002.
      const tick = Number(`${step}e${power}`);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** Powers of two: batches and ranks. */
export function binaryTicks(low: number, high: number): readonly number[] {
  const ticks: number[] = [];
  for (let tick = 1; tick <= high; tick *= 2) if (tick >= low) ticks.push(tick);
  return ticks;
}

/** `count` numbers from low to high, evenly apart in their logarithms, whole where asked, without repeats. */
export function logSpaced(low: number, high: number, count: number, isWhole = false): readonly number[] {
  const step = Math.log(high / low) / (count - 1);
  const values = Array.from({ length: count }, (_, index) => {
    const value = index === count - 1 ? high : low * Math.exp(index * step);
    return isWhole ? Math.round(value) : value;
  });
  return [...new Set(values)];
}
