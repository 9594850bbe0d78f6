import { type Axis, axisEncoding } from './axis.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import { withHalo } from './curves.ts';
import type { Theme } from './theme.ts';

/** Measured figures and what was predicted for them; clocks, seconds. */
export interface AccuracyData {
  readonly heading: Heading;
  readonly points: readonly AccuracyPoint[];
}

export interface AccuracyPoint {
  readonly clock: 'ttft' | 'tpot' | 'e2e';
  readonly measured: number;
  readonly predicted: number;
  readonly label: string;
}

const size = 430;

/** Predicted against measured on equal logarithmic axes: the line is perfect, the band half as long again either way. */
export function accuracyChart({ heading, points }: AccuracyData, theme: Theme): ChartSpec {
  const all = points.flatMap(({ measured, predicted }) => [measured, predicted]).map((seconds) => seconds * 1e3);
  const domain = [Math.min(...all) / 1.4, Math.max(...all) * 1.4] as const;
  const x: Axis = { title: 'measured (ms)', domain, isLog: true, kind: 'number' };
  const y: Axis = { title: 'predicted (ms)', domain, isLog: true, kind: 'number' };
  const at = { x: { ...axisEncoding(x, true), field: 'x' }, y: { ...axisEncoding(y, true), field: 'y' } };
  const [low, high] = domain;
  const shapes = { ttft: 'circle', tpot: 'triangle-up', e2e: 'square' } as const;
  const values = points.map(({ clock, measured, predicted, label }) => ({
    x: measured * 1e3,
    y: predicted * 1e3,
    clock,
    tip: `${label}: ${clock.toUpperCase()} measured ${(measured * 1e3).toPrecision(3)} ms, predicted ${(predicted * 1e3).toPrecision(3)} ms`,
  }));
  const clocks = (['ttft', 'tpot', 'e2e'] as const).filter((clock) => points.some((point) => point.clock === clock));
  return chartFrame(theme, heading, {
    width: size,
    height: size,
    layer: [
      {
        data: { values: [low, high].map((value) => ({ x: value, low: value / 1.5, high: value * 1.5 })) },
        mark: { type: 'area', color: theme.before, opacity: 0.25, clip: true },
        encoding: { x: at.x, y: { ...at.y, field: 'low' }, y2: { field: 'high' } },
      },
      {
        data: { values: [low, high].map((value) => ({ x: value, y: value })) },
        mark: { type: 'line', color: theme.ink, strokeWidth: 1.3 },
        encoding: at,
      },
      ...clocks.map((clock): JsonObject => ({
        data: { values: values.filter((value) => value.clock === clock) },
        mark: { type: 'point', filled: true, shape: shapes[clock], color: theme[clock], size: 42, opacity: 0.7 },
        encoding: { ...at, description: { field: 'tip' }, tooltip: { field: 'tip' } },
      })),
      ...clocks.flatMap((clock, index) =>
        withHalo(
          [{ x: low, y: high, label: `${{ ttft: '●', tpot: '▲', e2e: '■' }[clock]} ${clock.toUpperCase()}` }],
          { align: 'left', baseline: 'top', dx: 10, dy: 8 + 17 * index, fontWeight: 600, color: theme.words[clock] },
          at,
          theme,
        ),
      ),
    ],
  });
}
