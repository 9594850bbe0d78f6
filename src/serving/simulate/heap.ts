/** Values in the order of a number, smallest first; equal numbers in the order in which they came. */
export class Heap<T> {
  private keys: number[] = [];
  private orders: number[] = [];
  private values: T[] = [];
  private pushed = 0;

  get length(): number {
    return this.values.length;
  }

  firstKey(): number {
    return this.keys[0] ?? Infinity;
  }

  first(): T | undefined {
    return this.values[0];
  }

  push(key: number, value: T): void {
    this.pushed += 1;
    this.keys.push(key);
    this.orders.push(this.pushed);
    this.values.push(value);
    let at = this.values.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  pop(): T | undefined {
    const last = this.values.length - 1;
    if (last < 0) return undefined;
    this.swap(0, last);
    const value = this.values.pop();
    this.keys.pop();
    this.orders.pop();
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= last) break;
      const right = left + 1;
      const child = right < last && this.before(right, left) ? right : left;
      if (!this.before(child, at)) break;
      this.swap(child, at);
      at = child;
    }
    return value;
  }

  private before(a: number, b: number): boolean {
    const { keys, orders } = this;
    const ka = keys[a] ?? 0;
    const kb = keys[b] ?? 0;
    return ka < kb || (ka === kb && (orders[a] ?? 0) < (orders[b] ?? 0));
  }

  private swap(a: number, b: number): void {
    const { keys, orders, values } = this;
    const key = keys[a] ?? 0;
    keys[a] = keys[b] ?? 0;
    keys[b] = key;
    const order = orders[a] ?? 0;
    orders[a] = orders[b] ?? 0;
    orders[b] = order;
    const value = values[a] as T;
    values[a] = values[b] as T;
    values[b] = value;
  }
}
