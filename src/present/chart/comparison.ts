import { digits, grouped } from '../clock-time.ts';
import { barPanel } from './bar-panel.ts';
import { chartFrame, type Heading, noteBody } from './chart-frame.ts';
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
  /** Behind a figure, or in place of it: 'rented', 'does not fit'. */
  readonly remark?: string;
  readonly isBase: boolean;
}

/** Before and after: both clocks of each change or device with bands, the base as a line through all rows. */
export function comparisonChart({ heading, ttft, tpot, costs }: ComparisonData, theme: Theme): ChartSpec {
  const width = theme.width - 90;
  if (!hasTimes([...ttft, ...tpot]))
    return chartFrame(theme, heading, noteBody(theme, 'None of them has a time to show.'));
  return chartFrame(theme, heading, {
    vconcat: [
      ...[
        { title: 'TTFT', bars: ttft, colour: theme.ttft },
        { title: 'TPOT', bars: tpot, colour: theme.tpot },
      ].flatMap((clock) => (hasTimes(clock.bars) ? [clockBars(clock, theme, width)] : [])),
      ...(costs.length === 0 ? [] : [costPanel(costs, theme, width)]),
    ],
  });
}

const hasTimes = (bars: readonly ClockBar[]): boolean => bars.some(({ seconds }) => seconds !== undefined);

function costPanel(costs: readonly CostBar[], theme: Theme, width: number): JsonObject {
  const known = costs.flatMap(({ dollars }) => (dollars === undefined ? [] : [dollars]));
  return barPanel(
    {
      title: 'US dollars per million output tokens',
      rows: costs.map(({ label, dollars, remark, isBase }) => ({
        label,
        value: dollars ?? 0,
        text: costWords(dollars, remark),
        isBase,
      })),
      longest: Math.max(...known, 1e-9),
      colour: theme.e2e,
    },
    theme,
    width,
  );
}

const costWords = (dollars: number | undefined, remark: string | undefined): string =>
  dollars === undefined
    ? (remark ?? 'no price known')
    : `${dollarWords(dollars)}${remark === undefined ? '' : ` (${remark})`}`;

/** Cents where they count. */
const dollarWords = (dollars: number): string =>
  dollars < 1 ? `$${digits(dollars)}` : dollars < 100 ? `$${dollars.toFixed(2)}` : `$${grouped(Math.round(dollars))}`;
