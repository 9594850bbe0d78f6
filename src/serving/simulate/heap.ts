interface Entry<T> {
  readonly key: number;
  readonly order: number;
  readonly value: T;
}

/** Values in the order of a number, smallest first; equal numbers in the order in which they came. */
export class Heap<T> {
  private readonly entries: Entry<T>[] = [];
  private pushed = 0;

  get length(): number {
    return this.entries.length;
  }

  firstKey(): number {
    return this.entries[0]?.key ?? Infinity;
  }

  first(): T | undefined {
    return this.entries[0]?.value;
  }

  push(key: number, value: T): void {
    const { entries } = this;
    this.pushed += 1;
    const entry = { key, order: this.pushed, value };
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  pop(): T | undefined {
    const { entries } = this;
    const first = entries[0];
    const moved = entries.pop();
    if (first === undefined || moved === undefined || entries.length === 0) return first?.value;
    let at = 0;
    for (;;) {
      const left = entries[2 * at + 1];
      const right = entries[2 * at + 2];
      if (left === undefined) break;
      const goesRight = right !== undefined && isBefore(right, left);
      const child = goesRight ? right : left;
      if (!isBefore(child, moved)) break;
      entries[at] = child;
      at = 2 * at + (goesRight ? 2 : 1);
    }
    entries[at] = moved;
    return first.value;
  }
}

const isBefore = <T>(a: Entry<T>, b: Entry<T>): boolean => a.key < b.key || (a.key === b.key && a.order < b.order);
