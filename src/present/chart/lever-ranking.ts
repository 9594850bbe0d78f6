import { changeWords, clockTime } from '../clock-time.ts';
import { rowLabel } from './bar-panel.ts';
import { chartFrame, type Heading, noteBody } from './chart-frame.ts';
import type { ChartSpec } from './chart-spec.ts';
import type { Theme } from './theme.ts';

/** What each lever does to both clocks and the whole request: after / before. */
export interface LeverRankingData {
  readonly heading: Heading;
  readonly levers: readonly RankedLever[];
  /** What to say where there are none. */
  readonly note?: string;
}

export interface RankedLever {
  readonly label: string;
  /** Absent where both grew before. */
  readonly ttft?: number;
  readonly e2e?: number;
  /** NaN where answers have one token. */
  readonly tpot: number;
  /** TTFT after, seconds, where it grew before. */
  readonly settled?: number;
  /** 'TTFT +10 %, 8 devices instead of 4'. */
  readonly costs: string;
}

const rowHeight = 24;

/** A clock that gets longer than this many times is cut. */
const longest = 2.2;

function ratiosOf({ ttft, tpot, e2e }: RankedLever): readonly { readonly clock: ClockName; readonly ratio: number }[] {
  const all = [
    { clock: 'TTFT', ratio: ttft },
    { clock: 'TPOT', ratio: tpot },
    { clock: 'E2E', ratio: e2e },
  ] as const;
  return all.flatMap(({ clock, ratio }) => (ratio === undefined || Number.isNaN(ratio) ? [] : [{ clock, ratio }]));
}

type ClockName = 'TTFT' | 'TPOT' | 'E2E';

/** A row per lever, the best first: where each clock ends up, in per cent of what it is now. */
export function leverRankingChart({ heading, levers, note = '' }: LeverRankingData, theme: Theme): ChartSpec {
  const shapes = { TTFT: 'circle', TPOT: 'triangle-up', E2E: 'square' } as const;
  if (levers.length === 0) {
    return chartFrame(theme, heading, noteBody(theme, note));
  }
  const rows = levers.map((lever) => ({
    label: rowLabel(lever.label),
    costs: lever.costs,
    settled: lever.settled,
    clocks: ratiosOf(lever),
  }));
  const largest = Math.max(...rows.flatMap(({ clocks }) => clocks.map(({ ratio }) => ratio)));
  const most = Math.min(longest, Math.max(1.1, largest));
  const colours = { TTFT: theme.ttft, TPOT: theme.tpot, E2E: theme.e2e };
  const values = rows.flatMap(({ label, clocks, costs }) =>
    clocks.map(({ clock, ratio }) => ({
      label,
      clock,
      change: (Math.min(ratio, most) - 1) * 100,
      colour: colours[clock],
      // What lies beyond the edge is an arrow; its figure stands beside it.
      shape: ratio > most ? 'triangle-right' : shapes[clock],
      tip: `${label}: ${clock} ${changeWords(ratio - 1)}${costs === '' ? '' : `. Costs: ${costs}`}`,
    })),
  );
  const remarks = rows.map(({ label, settled, clocks }) => ({
    label,
    text:
      settled === undefined
        ? clocks
            .filter(({ ratio }) => ratio > most)
            .map(({ clock, ratio }) => `${clock} ${changeWords(ratio - 1)}`)
            .join(', ')
        : `TTFT ${clockTime(settled)}`,
  }));
  const y = {
    field: 'label',
    type: 'nominal',
    sort: rows.map(({ label }) => label),
    title: null,
    axis: { domain: false, ticks: false, grid: true },
  };
  const least = Math.min(...values.map(({ change }) => change));
  const x = {
    type: 'quantitative',
    scale: { domain: [Math.min(-10, least * 1.08), (most - 1) * 108], nice: false },
    title: 'change of the clock (%); less is faster',
    axis: { tickCount: 8, format: '+d', labelExpr: "datum.value === 0 ? '0' : datum.label" },
  };
  // The first row carries the names of the marks, so that no legend is needed.
  const first = values.filter(({ label }) => label === rows[0]?.label);
  return chartFrame(theme, heading, {
    width: theme.width - 60,
    height: { step: rowHeight },
    layer: [
      {
        data: { values: [{ zero: 0 }] },
        mark: { type: 'rule', color: theme.ink, strokeWidth: 1.2 },
        encoding: { x: { ...x, field: 'zero' } },
      },
      // The outline of the whole request lies under both clocks, so that marks at one place all show.
      ...(['E2E', 'TTFT', 'TPOT'] as const).map((clock) => ({
        data: { values: values.filter((value) => value.clock === clock) },
        mark:
          clock === 'E2E'
            ? { type: 'point', filled: false, size: 210, strokeWidth: 2 }
            : { type: 'point', filled: true, size: clock === 'TTFT' ? 110 : 70, opacity: 1 },
        encoding: {
          y,
          x: { ...x, field: 'change' },
          color: { field: 'colour', type: 'nominal', scale: null },
          shape: { field: 'shape', type: 'nominal', scale: null },
          description: { field: 'tip' },
          tooltip: { field: 'tip' },
        },
      })),
      {
        data: { values: remarks.filter(({ text }) => text !== '') },
        mark: { type: 'text', align: 'left', baseline: 'middle', color: theme.muted },
        encoding: { y, x: { value: theme.width - 50 }, text: { field: 'text' } },
      },
      {
        data: { values: spreadNames(first, theme.width - 60, x.scale.domain) },
        mark: { type: 'text', baseline: 'bottom', fontWeight: 600 },
        encoding: {
          y: { value: -4 },
          x: { ...x, field: 'at' },
          text: { field: 'clock' },
          color: { field: 'ink', type: 'nominal', scale: null },
        },
      },
    ],
  });

  function spreadNames(
    marks: typeof first,
    pixels: number,
    [low = 0, high = 1]: readonly number[],
  ): readonly { readonly at: number; readonly clock: string; readonly ink: string }[] {
    const gap = ((high - low) * 42) / pixels;
    const order = marks.toSorted((a, b) => a.change - b.change).map((mark) => ({ ...mark, at: mark.change }));
    for (let pass = 0; pass < 20; pass++) {
      for (let index = 1; index < order.length; index++) {
        const [left, right] = [order[index - 1], order[index]];
        if (left === undefined || right === undefined || right.at - left.at >= gap) continue;
        const missing = (gap - (right.at - left.at)) / 2;
        left.at -= missing;
        right.at += missing;
      }
    }
    const inks = { TTFT: theme.words.ttft, TPOT: theme.words.tpot, E2E: theme.words.e2e };
    return order.map(({ at, clock }) => ({ at, clock, ink: inks[clock] }));
  }
}
