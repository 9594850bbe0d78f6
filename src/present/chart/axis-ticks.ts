/** Ticks of a logarithmic axis: 1, 2, 5, 10 ... over few decades, else whole decades. */
export function logTicks(low: number, high: number): readonly number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const steps = last - first > 4 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = first; power <= last; power++) {
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
