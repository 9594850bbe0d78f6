import { formatRounded } from '../../quantity/format-quantity.ts';
import { grouped, percent } from '../clock-time.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec } from './chart-spec.ts';
import { textWidth } from './text-width.ts';
import { textSizes, type Theme } from './theme.ts';

/** How the fullest device is filled; bytes. */
export interface MemoryFitData {
  readonly heading: Heading;
  readonly capacity: number;
  /** What engine and system leave for weights, workspace and KV cache together. */
  readonly usable: number;
  readonly rows: readonly MemoryRow[];
}

export interface MemoryRow {
  readonly label: string;
  readonly weights: number;
  readonly workspace: number;
  readonly reserve: number;
  readonly keyValue: number;
}

const gib = 2 ** 30;
const rowHeight = 70;

/** Stacked bars of one device's memory, parts named on them, with lines at what may be used and at what there is. */
export function memoryFitChart({ heading, capacity, usable, rows }: MemoryFitData, theme: Theme): ChartSpec {
  const parts = [
    { key: 'weights', words: 'weights', colour: theme.resources['weight-bandwidth'], ink: theme.onLight },
    { key: 'reserve', words: 'engine and system', colour: theme.resources.overhead, ink: theme.onDark },
    { key: 'workspace', words: 'workspace', colour: theme.resources['activation-bandwidth'], ink: theme.onLight },
    { key: 'keyValue', words: 'KV cache', colour: theme.resources['kv-bandwidth'], ink: theme.onLight },
  ] as const;
  const longest = Math.max(capacity, ...rows.map((row) => parts.reduce((sum, { key }) => sum + row[key], 0)));
  const pixels = (bytes: number): number => (theme.width * bytes) / (longest * 1.02);
  const values = rows.flatMap((row) => {
    let start = 0;
    return parts.flatMap(({ key, words, colour, ink }) => {
      const from = start;
      start += row[key];
      if (row[key] <= 0) return [];
      const size = formatRounded(row[key], 'bytes');
      const text = [words, `${size}, ${percent(row[key] / capacity)}`];
      const isWide = Math.max(...text.map((line) => textWidth(line, textSizes.label))) + 12 < pixels(row[key]);
      return [
        {
          row: row.label,
          from: from / gib,
          to: start / gib,
          middle: (from + start) / 2 / gib,
          colour,
          ink,
          text: isWide ? text : [],
          narrow: isWide ? '' : `${words} ${size}`,
          tip: `${words}: ${text[1]}`,
        },
      ];
    });
  });
  // Parts too narrow for their names are named above the bar, in their order.
  const narrowParts = rows.map(({ label }) => {
    const narrow = values.filter(({ row, narrow: words }) => row === label && words !== '');
    const text = narrow.map((part) => part.narrow).join(', ');
    const room = ((longest * 1.02) / gib) * ((textWidth(text, textSizes.label) + 8) / theme.width);
    const latest = Math.min(usable, longest) / gib - room;
    return { row: label, from: Math.min(latest, ...narrow.map(({ from }) => from)), text };
  });
  const y = {
    field: 'row',
    type: 'nominal',
    sort: rows.map(({ label }) => label),
    title: null,
    axis: { domain: false, ticks: false },
  };
  const x = {
    type: 'quantitative',
    scale: { domain: [0, (longest * 1.02) / gib], nice: false },
    title: 'GiB per device',
  };
  const limits = [
    { at: usable / gib, label: `usable ${formatRounded(usable, 'bytes')}`, align: 'right' },
    { at: capacity / gib, label: `device ${formatRounded(capacity, 'bytes')}`, align: 'left' },
  ];
  return chartFrame(theme, heading, {
    width: theme.width,
    height: rowHeight * rows.length,
    layer: [
      {
        data: { values },
        mark: { type: 'bar', height: { band: 0.58 }, stroke: theme.background, strokeWidth: 1.5 },
        encoding: {
          y,
          x: { ...x, field: 'from' },
          x2: { field: 'to' },
          color: { field: 'colour', type: 'nominal', scale: null },
          description: { field: 'tip' },
          tooltip: { field: 'tip' },
        },
      },
      {
        data: { values: values.filter(({ narrow }) => narrow === '') },
        mark: { type: 'text', baseline: 'middle', lineHeight: 15, dy: -7 },
        encoding: {
          y,
          x: { ...x, field: 'middle' },
          text: { field: 'text' },
          color: { field: 'ink', type: 'nominal', scale: null },
        },
      },
      {
        data: { values: narrowParts },
        mark: { type: 'text', baseline: 'bottom', align: 'left', dy: -24 },
        encoding: { y, x: { ...x, field: 'from' }, text: { field: 'text' } },
      },
      {
        data: { values: limits },
        mark: { type: 'rule', color: theme.limit, strokeWidth: 1.5, strokeDash: [5, 3] },
        encoding: { x: { ...x, field: 'at' } },
      },
      ...limits.map((limit) => ({
        data: { values: [limit] },
        mark: {
          type: 'text',
          align: limit.align,
          baseline: 'bottom',
          dx: limit.align === 'right' ? -2 : 2,
          dy: -6,
          color: theme.limit,
          fontWeight: 600,
        },
        encoding: { x: { ...x, field: 'at' }, y: { value: 0 }, text: { field: 'label' } },
      })),
    ],
  });
}

/** '16 running' and the like. */
export const sequencesWords = (sequences: number): string => `${grouped(Math.round(sequences))} at once`;
