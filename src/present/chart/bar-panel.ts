import { plainText, shortened } from '../plain-text.ts';
import type { JsonObject } from './chart-spec.ts';
import type { Theme } from './theme.ts';

/** A row of bars in the unit of its axis. */
export interface BarRow {
  readonly label: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** In a column at the right. */
  readonly text: string;
  /** The one that others are compared with. */
  readonly isBase: boolean;
}

export interface BarPanel {
  readonly title: string;
  readonly rows: readonly BarRow[];
  /** End of the axis; bands are cut there. */
  readonly longest: number;
  readonly colour: string;
}

const rowHeight = 28;

/** A row per scenario: bar, band, number; a line at the base that the eye can follow down. */
export function barPanel({ title, rows, longest, colour }: BarPanel, theme: Theme, width: number): JsonObject {
  const values = rows.map(({ label, value, low = value, high = value, text, isBase }) => ({
    label: rowLabel(label),
    value: Math.min(value, longest),
    low: Math.min(low, longest),
    high: Math.min(high, longest),
    text,
    tip: `${plainText(label)}: ${text}`,
    colour: isBase ? theme.before : colour,
  }));
  const base = values.find(({ value }, index) => rows[index]?.isBase === true && value > 0);
  // An arrow says that a band goes on beyond the edge.
  const cut = rows.flatMap(({ label, high = 0 }) => (high > longest ? [{ label: rowLabel(label), at: longest }] : []));
  const y = {
    field: 'label',
    type: 'nominal',
    sort: values.map(({ label }) => label),
    title: null,
    axis: { domain: false, ticks: false },
  };
  const x = {
    type: 'quantitative',
    scale: { domain: [0, longest > 0 ? longest * 1.02 : 1], nice: false },
    title,
    axis: { tickCount: 5 },
  };
  return {
    width,
    height: { step: rowHeight },
    data: { values },
    layer: [
      {
        mark: { type: 'bar', height: { band: 0.64 } },
        encoding: {
          y,
          x: { ...x, field: 'value' },
          color: { field: 'colour', type: 'nominal', scale: null },
          description: { field: 'tip' },
          tooltip: { field: 'tip' },
        },
      },
      ...[true, false].map((isHalo) => ({
        transform: [{ filter: 'datum.high > datum.low' }],
        mark: isHalo
          ? { type: 'rule', strokeWidth: 5, color: theme.background }
          : { type: 'rule', strokeWidth: 2, color: theme.ink },
        encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' } },
      })),
      ...(cut.length === 0
        ? []
        : [
            {
              data: { values: cut },
              mark: { type: 'point', shape: 'triangle-right', filled: true, size: 60, opacity: 1, color: theme.ink },
              encoding: { y, x: { ...x, field: 'at' } },
            },
          ]),
      ...(base === undefined
        ? []
        : [
            {
              data: { values: [{ value: base.value }] },
              mark: { type: 'rule', color: theme.muted, strokeDash: [3, 3] },
              encoding: { x: { ...x, field: 'value' } },
            },
          ]),
      {
        mark: { type: 'text', align: 'left', baseline: 'middle' },
        encoding: { y, x: { value: width + 10 }, text: { field: 'text' } },
      },
    ],
  };
}

const longestLabel = 44;

/** The name of a row, safe to draw. */
export const rowLabel = (text: string): string => shortened(plainText(text), longestLabel);
