/** A queue that takes at both ends and gives at the front, in constant time. */
export class Deque<T> {
  private items: (T | undefined)[] = [];
  private front = 0;

  get length(): number {
    return this.items.length - this.front;
  }

  first(): T | undefined {
    return this.items[this.front];
  }

  push(item: T): void {
    this.items.push(item);
  }

  pushFront(item: T): void {
    if (this.front === 0) {
      // Room for as many as there are, so that a run of these costs constant time each.
      const room = this.items.length + 8;
      this.items = [...Array.from<undefined>({ length: room }), ...this.items];
      this.front = room;
    }
    this.front -= 1;
    this.items[this.front] = item;
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.items[this.front];
    this.items[this.front] = undefined;
    this.front += 1;
    if (this.front > 1024 && this.front * 2 > this.items.length) {
      this.items = this.items.slice(this.front);
      this.front = 0;
    }
    return item;
  }
}
