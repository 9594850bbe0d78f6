import { formatRounded } from '../../quantity/format-quantity.ts';
import { type Axis, axisEncoding, fraction, spread, valueAt } from './axis.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import { withHalo } from './curves.ts';
import type { Theme } from './theme.ts';

/** Operators of both phases under the roof of one device. FLOP, bytes, seconds. */
export interface RooflineData {
  readonly heading: Heading;
  readonly points: readonly RooflinePoint[];
  /** Peaks of the formats that the operators multiply in, FLOP/s. */
  readonly ceilings: readonly { readonly format: string; readonly peak: number }[];
  /** Memory, bytes/s. */
  readonly bandwidth: number;
}

export interface RooflinePoint {
  readonly name: string;
  readonly phase: 'prefill' | 'decode';
  /** FLOP per byte moved. */
  readonly intensity: number;
  /** FLOP/s reached. */
  readonly rate: number;
  readonly seconds: number;
  /** Worth a label: among the longest of its phase. */
  readonly isLabelled: boolean;
}

const height = 400;

/** Log-log roofline: how many FLOP a byte allows, how many a second each operator reaches, and the roof above both. */
export function rooflineChart({ heading, points, ceilings, bandwidth }: RooflineData, theme: Theme): ChartSpec {
  const peak = Math.max(...ceilings.map((each) => each.peak));
  const xs = points.map(({ intensity }) => intensity);
  const low = Math.min(...xs, 1) / 1.6;
  const high = Math.max(...xs, (4 * peak) / bandwidth) * 1.6;
  const lowest = Math.min(...points.map(({ rate }) => rate), low * bandwidth) / 1.8;
  const x: Axis = { title: 'FLOP per byte of memory traffic', domain: [low, high], isLog: true, kind: 'tokens' };
  const y: Axis = {
    title: 'TFLOP/s per device',
    domain: [lowest / 1e12, (peak * 1.9) / 1e12],
    isLog: true,
    kind: 'number',
  };
  const at = { x: { ...axisEncoding(x, true), field: 'x' }, y: { ...axisEncoding(y, true), field: 'y' } };
  const roof = ceilings.map((each) => ({ ...each, ridge: each.peak / bandwidth }));
  const label = (values: readonly JsonObject[], mark: JsonObject): JsonObject => ({
    data: { values: [...values] },
    mark: { type: 'text', fontWeight: 600, color: theme.muted, ...mark },
    encoding: { ...at, text: { field: 'label' } },
  });
  return chartFrame(theme, heading, {
    width: theme.width,
    height,
    layer: [
      {
        data: {
          values: [
            { x: low, y: (low * bandwidth) / 1e12 },
            { x: peak / bandwidth, y: peak / 1e12 },
          ],
        },
        mark: { type: 'line', color: theme.ink, strokeWidth: 2 },
        encoding: at,
      },
      ...roof.map(({ peak: top, ridge }) => ({
        data: {
          values: [
            { x: ridge, y: top / 1e12 },
            { x: high, y: top / 1e12 },
          ],
        },
        mark: { type: 'line', color: theme.ink, strokeWidth: 2 },
        encoding: at,
      })),
      label(
        roof.map(({ format, peak: top }) => ({
          x: high,
          y: top / 1e12,
          label: `${format} ${formatRounded(top, 'flop-rate')}`,
        })),
        { align: 'right', baseline: 'bottom', dy: -5 },
      ),
      label(
        [
          {
            x: Math.sqrt((low * peak) / bandwidth),
            y: (Math.sqrt((low * peak) / bandwidth) * bandwidth) / 1e12,
            label: `memory ${formatRounded(bandwidth, 'bandwidth')}`,
          },
        ],
        { align: 'right', baseline: 'bottom', dx: -8, dy: -4 },
      ),
      ...roof.map(({ ridge, peak: top }) =>
        label([{ x: ridge, y: top / 1e12, label: `ridge: ${ridge.toFixed(0)} FLOP per byte` }], {
          align: 'right',
          baseline: 'bottom',
          dy: -5,
          dx: -4,
          fontWeight: 400,
        }),
      ),
      ...(['prefill', 'decode'] as const).flatMap((phase) =>
        operatorLayers(points, phase, { axis: y, right: high }, at, theme),
      ),
    ],
  });
}

/** Circles prefill, triangles decode; area grows with the seconds spent. */
function operatorLayers(
  points: readonly RooflinePoint[],
  phase: RooflinePoint['phase'],
  { axis, right }: { readonly axis: Axis; readonly right: number },
  at: JsonObject,
  theme: Theme,
): readonly JsonObject[] {
  const own = points.filter((point) => point.phase === phase);
  const total = own.reduce((sum, { seconds }) => sum + seconds, 0);
  const values = own.map(({ name, intensity, rate, seconds, isLabelled }) => ({
    x: intensity,
    y: rate / 1e12,
    label: `${name}: ${((100 * seconds) / total).toFixed(0)} %, ${formatRounded(rate, 'flop-rate')}`,
    text: `${phase}: ${name}, ${formatRounded(rate, 'flop-rate')}, ${intensity.toPrecision(3)} FLOP per byte`,
    size: 60 + (500 * seconds) / total,
    isLabelled,
  }));
  const isPrefill = phase === 'prefill';
  const named = values.filter((value) => value.isLabelled);
  const labels = isPrefill ? underCluster(named, values, axis, right) : besidePoints(named, axis);
  return [
    {
      data: { values },
      mark: {
        type: 'point',
        filled: true,
        shape: isPrefill ? 'circle' : 'triangle-up',
        color: isPrefill ? theme.ttft : theme.tpot,
        opacity: 0.85,
        stroke: theme.background,
        strokeWidth: 1,
      },
      encoding: {
        ...at,
        size: { field: 'size', type: 'quantitative', scale: null },
        description: { field: 'text' },
        tooltip: { field: 'text' },
      },
    },
    ...withHalo(
      labels.map(({ x, y, label }) => ({ x, y, label })),
      {
        align: isPrefill ? 'right' : 'left',
        baseline: 'middle',
        dx: isPrefill ? -4 : 13,
        color: isPrefill ? theme.words.ttft : theme.words.tpot,
      },
      at,
      theme,
    ),
  ];
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

const lineGap = 15;

/** Prefill crowds under the right end of the roof: its names stand in a list below, at the edge of the plot. */
function underCluster(
  named: readonly Placed[],
  all: readonly Placed[],
  axis: Axis,
  right: number,
): readonly { readonly x: number; readonly y: number; readonly label: string }[] {
  const edge = Math.min(...named.map(({ x }) => x));
  const lowest = Math.min(...all.filter(({ x }) => x > edge / 4).map(({ y }) => y));
  const top = fraction(axis, lowest) * height - lineGap;
  return named
    .toSorted((a, b) => b.y - a.y)
    .map(({ label }, index) => ({ x: right, y: valueAt(axis, (top - lineGap * index) / height), label }));
}

/** Decode is alone in its region: each name stands right of its point, or of the outermost one beside it. */
function besidePoints(named: readonly Placed[], axis: Axis): readonly Placed[] {
  const heights = spread(
    axis,
    named.map(({ y }) => y),
    height,
    lineGap,
  );
  const near = (x: number, other: number): boolean => Math.abs(Math.log(x / other)) < 0.3;
  return named.map(({ x, y, label }, index) => ({
    x: Math.max(...named.map((other) => other.x).filter((other) => near(x, other))),
    y: heights[index] ?? y,
    label,
  }));
}
