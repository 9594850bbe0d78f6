/** Pearson's correlation of two figures over some things; 0 where one of them does not vary. */
export function correlation<T>(
  things: readonly T[],
  first: (thing: T) => number,
  second: (thing: T) => number,
): number {
  const mean = (of: (thing: T) => number): number => things.reduce((sum, thing) => sum + of(thing), 0) / things.length;
  const [a, b] = [mean(first), mean(second)];
  let [product, squares, others] = [0, 0, 0];
  for (const thing of things) {
    const [x, y] = [first(thing) - a, second(thing) - b];
    product += x * y;
    squares += x * x;
    others += y * y;
  }
  return squares > 0 && others > 0 ? product / Math.sqrt(squares * others) : 0;
}
