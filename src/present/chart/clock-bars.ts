import { clockTime } from '../clock-time.ts';
import { barPanel } from './bar-panel.ts';
import type { JsonObject } from './chart-spec.ts';
import type { Theme } from './theme.ts';
import { timeUnit } from './time-unit.ts';

/** One clock of several scenarios; used by comparisons. */
export interface ClockBar {
  readonly label: string;
  /** Absent where there is no such time; then the remark says why. */
  readonly seconds?: number;
  readonly band?: { readonly low: number; readonly high: number };
  /** Behind the number: '-18 %', 'does not fit'. */
  readonly remark?: string;
  /** The bar that others are compared with. */
  readonly isBase: boolean;
}

/** Bands far longer than the slowest clock are cut. */
const longestBand = 1.5;

export function clockBars(
  { title, bars, colour }: { readonly title: string; readonly bars: readonly ClockBar[]; readonly colour: string },
  theme: Theme,
  width: number,
): JsonObject {
  const slowest = Math.max(...bars.map(({ seconds = 0 }) => seconds));
  const longest = Math.max(slowest, ...bars.map(({ band }) => Math.min(band?.high ?? 0, longestBand * slowest)));
  const { unit, perSecond } = timeUnit(longest);
  return barPanel(
    {
      title: `${title} (${unit})`,
      rows: bars.map(({ label, seconds, band, remark, isBase }) => ({
        label,
        value: (seconds ?? 0) * perSecond,
        ...(band === undefined ? {} : { low: band.low * perSecond, high: band.high * perSecond }),
        text: textOf(seconds, remark),
        isBase,
      })),
      longest: longest * perSecond,
      colour,
    },
    theme,
    width,
  );
}

const textOf = (seconds: number | undefined, remark: string | undefined): string =>
  [
    ...(seconds === undefined ? [] : [clockTime(seconds)]),
    ...(remark === undefined ? [] : [seconds === undefined ? remark : `(${remark})`]),
  ].join(' ');
