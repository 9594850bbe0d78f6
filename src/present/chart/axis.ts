import { logTicks } from './axis-ticks.ts';
import type { JsonObject } from './chart-spec.ts';

/** An axis with a fixed domain, so that labels can be placed beside its marks. */
export interface Axis {
  readonly title: string;
  readonly domain: readonly [low: number, high: number];
  readonly isLog: boolean;
  /** `tokens`: 1k, 10k; else plain numbers with thousands apart. */
  readonly kind: 'tokens' | 'number';
  readonly ticks?: readonly number[];
}

/** The parts of a quantitative encoding that an axis decides. */
export function axisEncoding({ title, domain, isLog, kind, ticks }: Axis, isGrid: boolean): JsonObject {
  const [low, high] = domain;
  const values = ticks ?? (isLog ? logTicks(low, high) : undefined);
  return {
    type: 'quantitative',
    scale: { type: isLog ? 'log' : 'linear', domain: [low, high], nice: false, ...(isLog ? {} : { zero: false }) },
    axis: {
      title,
      grid: isGrid,
      format: kind === 'tokens' ? '~s' : ',~f',
      ...(values === undefined ? { tickCount: 6 } : { values: [...values] }),
    },
  };
}

/** Where a value lies on an axis, 0 at its low and 1 at its high end. */
export const fraction = ({ domain: [low, high], isLog }: Axis, value: number): number =>
  isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);

/** The value at a fraction of an axis. */
export const valueAt = ({ domain: [low, high], isLog }: Axis, at: number): number =>
  isLog ? low * (high / low) ** at : low + at * (high - low);

/** A domain with a little room beyond the values. */
export function roomyDomain(values: readonly number[], isLog: boolean): readonly [number, number] {
  const finite = values.filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  const high = Math.max(...finite);
  if (isLog) return [Math.min(...finite) / 1.25, high * 1.25];
  return [0, high * 1.06];
}

/**
 * Moves labels apart along an axis so that no two are nearer than `gap` pixels, each as near to its value as that
 * allows. Returns values of the axis, in the order given.
 */
export function spread(axis: Axis, values: readonly number[], pixels: number, gap: number): readonly number[] {
  const order = values
    .map((value, index) => ({ index, at: fraction(axis, value) * pixels }))
    .toSorted((a, b) => a.at - b.at);
  for (let pass = 0; pass < 50; pass++) {
    for (let index = 1; index < order.length; index++) {
      const [below, above] = [order[index - 1], order[index]];
      if (below === undefined || above === undefined) continue;
      const missing = gap - (above.at - below.at);
      if (missing <= 0) continue;
      below.at -= missing / 2;
      above.at += missing / 2;
    }
  }
  const moved = [...values];
  for (const { index, at } of order) moved[index] = valueAt(axis, at / pixels);
  return moved;
}
