import { clockTime } from '../clock-time.ts';
import { barPanel } from './bar-panel.ts';
import type { JsonObject } from './chart-spec.ts';
import type { Theme } from './theme.ts';
import { timeUnit } from './time-unit.ts';

/** One clock of several scenarios; used by comparisons. */
export interface ClockBar {
  readonly label: string;
  readonly seconds: number;
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
  const finite = bars.filter(({ seconds }) => Number.isFinite(seconds));
  const slowest = Math.max(...finite.map(({ seconds }) => seconds));
  const longest = Math.max(slowest, ...finite.map(({ band }) => Math.min(band?.high ?? 0, longestBand * slowest)));
  const { unit, perSecond } = timeUnit(longest);
  return barPanel(
    {
      title: `${title} (${unit})`,
      rows: bars.map(({ label, seconds, band, remark, isBase }) => ({
        label,
        value: seconds * perSecond,
        ...(band === undefined ? {} : { low: band.low * perSecond, high: band.high * perSecond }),
        text: `${clockTime(seconds)}${remark === undefined ? '' : ` (${remark})`}`,
        isBase,
      })),
      longest: longest * perSecond,
      colour,
    },
    theme,
    width,
  );
}
