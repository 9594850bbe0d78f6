/** Each bucket reaches 1 % further than the one below it, so a quantile is within half a percent. */
const ratio = 1.01;
const perLog = 1 / Math.log(ratio);

/** Smallest value told apart, seconds, and the number of buckets: up to about three hours. */
const smallest = 1e-6;
const buckets = 2320;

/** Counts of positive values in bounded memory, for quantiles of millions of gaps. Sum and count are exact. */
export class LogHistogram {
  count = 0;
  sum = 0;
  private readonly counts = new Float64Array(buckets);
  /** Bounds of the bucket used last: most values fall where the one before fell. */
  private low = 0;
  private high = 0;
  private last = 0;

  add(count: number, value: number): void {
    if (!(value >= this.low && value < this.high)) this.locate(value);
    this.counts[this.last] = (this.counts[this.last] ?? 0) + count;
    this.count += count;
    this.sum += count * value;
  }

  /** `count` of each of the values first, first + growth, ... (`steps` of them). */
  addSeries(count: number, steps: number, first: number, growth: number): void {
    let step = 0;
    while (step < steps) {
      const value = first + growth * step;
      if (!(value >= this.low && value < this.high)) this.locate(value);
      const here = growth > 0 ? Math.max(1, Math.ceil((this.high - value) / growth)) : steps - step;
      const taken = Math.min(steps - step, here);
      this.counts[this.last] = (this.counts[this.last] ?? 0) + count * taken;
      step += taken;
    }
    this.count += count * steps;
    this.sum += count * (steps * first + (growth * steps * (steps - 1)) / 2);
  }

  /** The value below which a share of all lie, to half a percent; NaN without values. */
  quantile(share: number): number {
    if (this.count === 0) return Number.NaN;
    const wanted = share * this.count;
    let passed = 0;
    for (let index = 0; index < buckets; index++) {
      const here = this.counts[index] ?? 0;
      passed += here;
      if (here > 0 && passed >= wanted) return index === 0 ? smallest : smallest * ratio ** (index + 0.5);
    }
    return Number.NaN;
  }

  private locate(value: number): void {
    const index = value <= smallest ? 0 : Math.min(buckets - 1, Math.floor(Math.log(value / smallest) * perLog));
    this.last = index;
    this.low = index === 0 ? -Infinity : smallest * ratio ** index;
    this.high = index === buckets - 1 ? Infinity : smallest * ratio ** (index + 1);
  }
}
