import { formatRounded } from '../../quantity/format-quantity.ts';
import { type Axis, axisEncoding, fraction, valueAt } from './axis.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import { withHalo } from './curves.ts';
import {
  bestPlace,
  type Box,
  boxOf,
  type LabelPlace,
  labelWidth,
  type Pixel,
  placesAround,
  tieOf,
} from './label-place.ts';
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
  const dots = dotsOf(points, { x, y }, theme);
  const pixel = (px: number, py: number): Pixel => pixelOf({ x, y }, theme, px, py);
  const start = pixel(low, (low * bandwidth) / 1e12);
  const half = Math.sqrt((low * peak) / bandwidth);
  const memoryWords = `memory ${formatRounded(bandwidth, 'bandwidth')}`;
  const ceilingWords = ({ format, peak: top }: RooflineData['ceilings'][number]): string =>
    `${format} ${formatRounded(top, 'flop-rate')}`;
  const ridgeWords = (ridge: number): string => `ridge: ${ridge.toFixed(0)} FLOP per byte`;
  const above = (place: Pixel, align: LabelPlace['align'], text: string): Box =>
    boxOf(labelWidth(text), { ...place, y: place.y - 12, align });
  const boxes = [
    above(pixel(half, (half * bandwidth) / 1e12), 'right', memoryWords),
    ...roof.flatMap((each) => [
      above(pixel(high, each.peak / 1e12), 'right', ceilingWords(each)),
      above(pixel(each.ridge, each.peak / 1e12), 'right', ridgeWords(each.ridge)),
    ]),
  ];
  const lines = [
    [start, pixel(peak / bandwidth, peak / 1e12)],
    ...roof.map(({ peak: top, ridge }) => [pixel(ridge, top / 1e12), pixel(high, top / 1e12)]),
  ];
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
        roof.map((each) => ({ x: high, y: each.peak / 1e12, label: ceilingWords(each) })),
        { align: 'right', baseline: 'bottom', dy: -5 },
      ),
      label([{ x: half, y: (half * bandwidth) / 1e12, label: memoryWords }], {
        align: 'right',
        baseline: 'bottom',
        dx: -8,
        dy: -4,
      }),
      ...roof.map(({ ridge, peak: top }) =>
        label([{ x: ridge, y: top / 1e12, label: ridgeWords(ridge) }], {
          align: 'right',
          baseline: 'bottom',
          dy: -5,
          dx: -4,
          fontWeight: 400,
        }),
      ),
      ...(['prefill', 'decode'] as const).map((phase) => pointLayer(dots, phase, at, theme)),
      ...nameLayers(dots, { boxes, lines }, { x, y }, at, theme),
    ],
  });
}

/** A point with its place in pixels and what stands beside it. */
interface Dot extends RooflinePoint {
  readonly middle: Pixel;
  readonly radius: number;
  readonly size: number;
  readonly label: string;
}

interface Axes {
  readonly x: Axis;
  readonly y: Axis;
}

const pixelOf = ({ x, y }: Axes, theme: Theme, px: number, py: number): Pixel => ({
  x: fraction(x, px) * theme.width,
  y: (1 - fraction(y, py)) * height,
});

function dotsOf(points: readonly RooflinePoint[], axes: Axes, theme: Theme): readonly Dot[] {
  return points.map((point) => {
    const { phase, name, seconds, rate, intensity } = point;
    const total = points.reduce((sum, other) => sum + (other.phase === phase ? other.seconds : 0), 0);
    const size = 60 + (500 * seconds) / total;
    return {
      ...point,
      size,
      radius: Math.sqrt(size / Math.PI),
      middle: pixelOf(axes, theme, intensity, rate / 1e12),
      label: `${name} ${((100 * seconds) / total).toFixed(0)} %`,
    };
  });
}

/** Circles prefill, triangles decode; area grows with the seconds spent. */
function pointLayer(dots: readonly Dot[], phase: Dot['phase'], at: JsonObject, theme: Theme): JsonObject {
  const isPrefill = phase === 'prefill';
  return {
    data: {
      values: dots
        .filter((dot) => dot.phase === phase)
        .map(({ name, intensity, rate, size }) => ({
          x: intensity,
          y: rate / 1e12,
          text: `${phase}: ${name}, ${formatRounded(rate, 'flop-rate')}, ${intensity.toPrecision(3)} FLOP per byte`,
          size,
        })),
    },
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
  };
}

/** Names of the longest operators, each where it covers neither roof nor points. */
function nameLayers(
  dots: readonly Dot[],
  { boxes, lines }: { readonly boxes: readonly Box[]; readonly lines: readonly (readonly Pixel[])[] },
  axes: Axes,
  at: JsonObject,
  theme: Theme,
): readonly JsonObject[] {
  const area = { left: 4, right: theme.width - 4, top: 0, bottom: height };
  const taken: Box[] = [
    ...boxes,
    ...dots.map(({ middle, radius }) => ({
      left: middle.x - radius,
      right: middle.x + radius,
      top: middle.y - radius,
      bottom: middle.y + radius,
    })),
  ];
  const named = dots
    .filter(({ isLabelled }) => isLabelled)
    // From left to right, so that a line down to a later name passes right of the earlier ones.
    .toSorted((a, b) => a.middle.x - b.middle.x)
    .map((dot) => {
      const width = labelWidth(dot.label, false);
      const place = bestPlace(width, placesBeside(dot), { boxes: taken, lines }, area, dot.middle);
      const box = boxOf(width, place);
      taken.push(box);
      return { dot, place, tie: tieOf(box, dot.middle) };
    });
  const values = (point: Pixel): { readonly x: number; readonly y: number } => ({
    x: valueAt(axes.x, point.x / theme.width),
    y: valueAt(axes.y, 1 - point.y / height),
  });
  return [
    ...named.flatMap(({ tie }) =>
      tie === undefined
        ? []
        : [
            {
              data: { values: tie.map(values) },
              mark: { type: 'line', color: theme.muted, strokeWidth: 0.9 },
              encoding: at,
            },
          ],
    ),
    ...named.flatMap(({ dot, place }) =>
      withHalo(
        [{ ...values(place), label: dot.label }],
        {
          align: place.align,
          baseline: 'middle',
          color: dot.phase === 'prefill' ? theme.words.ttft : theme.words.tpot,
        },
        at,
        theme,
      ),
    ),
  ];
}

/** Beside the point, then further and further below it, where the roof leaves room. */
function placesBeside({ middle, radius }: Dot): readonly [LabelPlace, ...LabelPlace[]] {
  const below = Array.from({ length: 8 }, (_, row) => middle.y + radius + 16 * (row + 1));
  return [
    { x: middle.x + radius + 6, y: middle.y, align: 'left' },
    { x: middle.x - radius - 6, y: middle.y, align: 'right' },
    ...below.flatMap((y): readonly LabelPlace[] => [
      { x: middle.x + radius + 8, y, align: 'left' },
      { x: middle.x + radius + 8, y, align: 'right' },
    ]),
    ...placesAround(middle, radius),
  ];
}
