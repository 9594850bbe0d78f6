import type { Resource } from '../../roofline/resource.ts';
import { clockTime, percent } from '../clock-time.ts';
import { chartFrame, type Heading, noteBody } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import type { Theme } from './theme.ts';
import { timeUnit } from './time-unit.ts';

/** What each clock is spent on; parts in the order in which they are drawn, seconds. */
export interface ClockPartsData {
  readonly heading: Heading;
  readonly clocks: readonly ClockParts[];
}

export interface ClockParts {
  readonly name: string;
  readonly seconds: number;
  /** Absent where no band is known (ideal). */
  readonly band?: { readonly low: number; readonly high: number };
  /** The textbook floor; absent where the clock is the floor. */
  readonly ideal?: number;
  readonly parts: readonly { readonly label: string; readonly resource: Resource; readonly seconds: number }[];
}

const rowHeight = 24;

/** A band far longer than its clock would squeeze the parts: it is cut here, its ends are in its label. */
const longestBand = 1.5;

/** Clock waterfall: each part begins where the one above ends, down to the whole clock, its band and its floor. */
export function clockPartsChart({ heading, clocks }: ClockPartsData, theme: Theme): ChartSpec {
  if (clocks.length === 0) return chartFrame(theme, heading, noteBody(theme, 'No time to draw.'));
  return chartFrame(theme, heading, { vconcat: clocks.map((clock) => panel(clock, theme)) });
}

interface Row {
  readonly row: string;
  readonly from: number;
  readonly to: number;
  readonly colour: string;
  readonly text: string;
  readonly tip: string;
}

function panel({ name, seconds, band, ideal, parts }: ClockParts, theme: Theme): JsonObject {
  const longest = Math.max(seconds, Math.min(band?.high ?? 0, longestBand * seconds));
  const { unit, perSecond } = timeUnit(longest);
  const row = (label: string, from: number, to: number, colour: string, text: string): Row => ({
    row: label,
    from: from * perSecond,
    to: Math.min(to, longest) * perSecond,
    colour,
    text,
    tip: `${label}: ${text}`,
  });
  let start = 0;
  const bars = parts.map((part) => {
    const from = start;
    start += part.seconds;
    const text = `${clockTime(part.seconds)} (${percent(part.seconds / seconds)})`;
    return row(part.label, from, start, theme.resources[part.resource], text);
  });
  const rows = [
    ...bars,
    row(name, 0, seconds, theme.ink, clockTime(seconds)),
    ...(ideal === undefined ? [] : [row('ideal floor', 0, ideal, theme.before, clockTime(ideal))]),
  ];
  const bands =
    band === undefined
      ? []
      : [row('80 % of measurements', band.low, band.high, theme.ink, bandText(band, band.high > longest))];
  const order = [...bars.map((bar) => bar.row), name, ...bands.map((each) => each.row), 'ideal floor'];
  const y = {
    field: 'row',
    type: 'nominal',
    sort: order,
    title: null,
    axis: {
      domain: false,
      ticks: false,
      labelFontWeight: { condition: { test: `datum.value === '${name}'`, value: 600 }, value: 400 },
    },
  };
  const x = {
    type: 'quantitative',
    scale: { domain: [0, longest * perSecond * 1.01], nice: false },
    title: `${name} (${unit})`,
    axis: { tickCount: 8 },
  };
  const colour = { field: 'colour', type: 'nominal', scale: null };
  // A label goes right of its bar, left of it where no room is left, and onto it where that is none either.
  const isLate = ({ to }: Row): boolean => to > longest * perSecond * 0.72;
  const isLong = ({ from }: Row): boolean => from <= longest * perSecond * 0.25;
  const all = [...rows, ...bands];
  const labels = [
    { of: all.filter((each) => !isLate(each)), at: 'to', mark: { align: 'left', dx: 7 } },
    { of: all.filter((each) => isLate(each) && !isLong(each)), at: 'from', mark: { align: 'right', dx: -7 } },
    {
      of: all.filter((each) => isLate(each) && isLong(each)),
      at: 'to',
      mark: { align: 'right', dx: -8, color: theme.background, fontWeight: 600 },
    },
  ].filter(({ of }) => of.length > 0);
  return {
    width: theme.width,
    height: { step: rowHeight },
    layer: [
      {
        data: { values: rows.map((each) => ({ ...each })) },
        mark: { type: 'bar', height: { band: 0.7 } },
        encoding: {
          y,
          x: { ...x, field: 'from' },
          x2: { field: 'to' },
          color: colour,
          description: { field: 'tip' },
          tooltip: { field: 'tip' },
        },
      },
      {
        data: { values: bands.map((each) => ({ ...each })) },
        mark: { type: 'rule', strokeWidth: 3, strokeCap: 'round' },
        encoding: { y, x: { ...x, field: 'from' }, x2: { field: 'to' }, color: colour },
      },
      ...labels.map(({ of, at, mark }) => ({
        data: { values: of.map((each) => ({ ...each })) },
        mark: { type: 'text', baseline: 'middle', ...mark },
        encoding: { y, x: { ...x, field: at }, text: { field: 'text' } },
      })),
    ],
  };
}

/** A band that is cut at the edge says so. */
const bandText = ({ low, high }: { readonly low: number; readonly high: number }, isCut: boolean): string =>
  `${clockTime(low)} to ${clockTime(high)}${isCut ? ' (cut)' : ''}`;
