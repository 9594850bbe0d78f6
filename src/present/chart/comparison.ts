import { digits, grouped } from '../clock-time.ts';
import { barPanel } from './bar-panel.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import { type ClockBar, clockBars } from './clock-bars.ts';
import type { Theme } from './theme.ts';

/** Both clocks of a scenario and of what it may become, and what a million tokens cost then. */
export interface ComparisonData {
  readonly heading: Heading;
  readonly ttft: readonly ClockBar[];
  /** Empty where answers have one token. */
  readonly tpot: readonly ClockBar[];
  /** Empty where nobody asked; rows without a known price say so. */
  readonly costs: readonly CostBar[];
}

export interface CostBar {
  readonly label: string;
  /** US dollars per million output tokens; undefined where no price is known. */
  readonly dollars: number | undefined;
  readonly isBase: boolean;
}

/** Before and after: both clocks of each change or device with bands, the base as a line through all rows. */
export function comparisonChart({ heading, ttft, tpot, costs }: ComparisonData, theme: Theme): ChartSpec {
  const width = theme.width - 90;
  return chartFrame(theme, heading, {
    vconcat: [
      clockBars({ title: 'TTFT', bars: ttft, colour: theme.ttft }, theme, width),
      ...(tpot.length === 0 ? [] : [clockBars({ title: 'TPOT', bars: tpot, colour: theme.tpot }, theme, width)]),
      ...(costs.length === 0 ? [] : [costPanel(costs, theme, width)]),
    ],
  });
}

function costPanel(costs: readonly CostBar[], theme: Theme, width: number): JsonObject {
  const known = costs.flatMap(({ dollars }) => (dollars === undefined ? [] : [dollars]));
  return barPanel(
    {
      title: 'US dollars per million output tokens',
      rows: costs.map(({ label, dollars, isBase }) => ({
        label,
        value: dollars ?? 0,
        text: dollars === undefined ? 'no price known' : dollarWords(dollars),
        isBase,
      })),
      longest: Math.max(...known, 1e-9),
      colour: theme.e2e,
    },
    theme,
    width,
  );
}

/** Cents where they count. */
const dollarWords = (dollars: number): string =>
  dollars < 1 ? `$${digits(dollars)}` : dollars < 100 ? `$${dollars.toFixed(2)}` : `$${grouped(Math.round(dollars))}`;
