import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec } from './chart-spec.ts';
import { textWidth } from './text-width.ts';
import { textSizes, type Theme } from './theme.ts';

/** Elasticities: how many per cent an effect changes where a cause grows by one per cent. */
export interface HeatMapData {
  readonly heading: Heading;
  readonly causes: readonly string[];
  readonly effects: readonly string[];
  readonly cells: readonly { readonly cause: string; readonly effect: string; readonly elasticity: number }[];
}

const rowHeight = 27;

/** Rows of causes, columns of effects; the number is in the cell, so that colour only leads the eye. */
export function heatMapChart({ heading, causes, effects, cells }: HeatMapData, theme: Theme): ChartSpec {
  const values = cells.map((cell) => ({
    ...cell,
    text: signed(cell.elasticity),
    tip: `${cell.effect} ${signed(cell.elasticity)} % where ${cell.cause} grow by 1 %`,
  }));
  const labels = Math.max(...causes.map((cause) => textWidth(cause, textSizes.label)));
  const position = {
    y: { field: 'cause', type: 'nominal', sort: [...causes], title: null, axis: { domain: false, ticks: false } },
    x: {
      field: 'effect',
      type: 'nominal',
      sort: [...effects],
      title: null,
      axis: { orient: 'top', labelAngle: 0, domain: false, ticks: false, labelFontWeight: 600 },
    },
  };
  return chartFrame(theme, heading, {
    width: Math.round(theme.width - Math.max(0, labels - 110)),
    height: rowHeight * causes.length,
    data: { values },
    layer: [
      {
        mark: { type: 'rect', stroke: theme.background, strokeWidth: 2 },
        encoding: {
          ...position,
          color: {
            field: 'elasticity',
            type: 'quantitative',
            legend: null,
            scale: {
              domain: [-1, 0, 1],
              range: [theme.ttft, theme.background, theme.tpot],
              clamp: true,
              interpolate: 'rgb',
            },
          },
          description: { field: 'tip' },
          tooltip: { field: 'tip' },
        },
      },
      {
        mark: { type: 'text', baseline: 'middle' },
        encoding: {
          ...position,
          text: { field: 'text' },
          color: {
            condition: { test: 'datum.elasticity < -0.45', value: theme.background },
            value: theme.ink,
          },
        },
      },
    ],
  });
}

/** Two digits with a sign that reads as one; what is lost between two runs is a dot. */
function signed(elasticity: number): string {
  if (Math.abs(elasticity) < 0.005) return '·';
  return `${elasticity < 0 ? '−' : '+'}${Math.abs(elasticity).toFixed(2)}`;
}
