import { type Axis, axisEncoding, fraction as share, spread } from './axis.ts';
import type { JsonObject } from './chart-spec.ts';
import { textWidth } from './text-width.ts';
import { textSizes, type Theme } from './theme.ts';

/** A line with its label at the right end; `low` and `high` draw a band. */
export interface Curve {
  readonly label: string;
  readonly colour: string;
  /** Of its label, where the line's would be too pale. */
  readonly labelColour?: string;
  readonly dash?: readonly number[];
  readonly points: readonly CurvePoint[];
}

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
  /** What a tooltip says. */
  readonly text: string;
}

/** A point to show: 'this scenario', a break-even. */
export interface Pin {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** A limit across the plot: a target, saturation, memory. */
export interface Limit {
  readonly along: 'x' | 'y';
  readonly value: number;
  readonly label: string;
}

const lineGap = 15;

/** Bands below lines below labels, on fixed axes. */
export function curveLayers(
  {
    curves,
    pins,
    limits,
  }: { readonly curves: readonly Curve[]; readonly pins: readonly Pin[]; readonly limits: readonly Limit[] },
  { x, y }: { readonly x: Axis; readonly y: Axis },
  theme: Theme,
  height: number,
): readonly JsonObject[] {
  const xEncoding = axisEncoding(x, true);
  const yEncoding = axisEncoding(y, true);
  const at = { x: { ...xEncoding, field: 'x' }, y: { ...yEncoding, field: 'y' } };
  const inside = ({ x: atX, y: atY }: { readonly x: number; readonly y: number }): boolean =>
    atX >= x.domain[0] && atX <= x.domain[1] && atY >= y.domain[0] && atY <= y.domain[1];
  const bands = curves.filter(({ points }) => points.some(({ low }) => low !== undefined));
  const ends = curves.flatMap((curve) => {
    const last = curve.points.findLast(inside);
    return last === undefined ? [] : [{ ...curve, last }];
  });
  const heights = spread(
    y,
    ends.map(({ last }) => last.y),
    height,
    lineGap,
  );
  return [
    ...bands.map(({ colour, points }) => ({
      data: {
        values: points.flatMap(({ x: px, low, high }) =>
          low === undefined || high === undefined ? [] : [{ x: px, low, high }],
        ),
      },
      mark: { type: 'area', color: colour, opacity: 0.16, clip: true, line: false },
      encoding: { x: { ...xEncoding, field: 'x' }, y: { ...yEncoding, field: 'low' }, y2: { field: 'high' } },
    })),
    ...limits.map((limit) => limitRule(limit, xEncoding, yEncoding, theme)),
    ...limits.flatMap((limit, index) => limitLabels(limit, index, { x, y }, at, theme)),
    ...curves.map(({ colour, dash, points }) => ({
      data: { values: points.map(({ x: px, y: py, text }) => ({ x: px, y: py, text })) },
      mark: {
        type: 'line',
        color: colour,
        strokeWidth: dash === undefined ? 2.5 : 1.6,
        clip: true,
        ...(dash === undefined ? {} : { strokeDash: [...dash] }),
      },
      encoding: at,
    })),
    // What a pointer finds: lines have one label for all their points.
    {
      data: {
        values: curves.flatMap(({ points }) =>
          points.filter(inside).map(({ x: px, y: py, text }) => ({ x: px, y: py, text })),
        ),
      },
      mark: { type: 'point', filled: true, size: 70, opacity: 0 },
      encoding: { ...at, description: { field: 'text' }, tooltip: { field: 'text' } },
    },
    {
      data: {
        values: ends.map(({ label, colour, labelColour, last }, index) => ({
          // Near the edge a label stands outside of the plot, where no rule crosses it.
          x: share(x, last.x) > 0.88 ? x.domain[1] : last.x,
          y: heights[index] ?? last.y,
          label,
          colour: labelColour ?? colour,
        })),
      },
      mark: { type: 'text', align: 'left', baseline: 'middle', dx: 8, fontWeight: 600 },
      encoding: { ...at, text: { field: 'label' }, color: { field: 'colour', type: 'nominal', scale: null } },
    },
    ...(pins.length === 0 ? [] : pinLayers(pins, { x, y }, at, theme)),
  ];
}

function limitRule({ along, value }: Limit, xEncoding: JsonObject, yEncoding: JsonObject, theme: Theme): JsonObject {
  return {
    data: { values: [{ at: value }] },
    mark: { type: 'rule', color: theme.limit, strokeWidth: 1.4, strokeDash: [5, 3] },
    encoding: along === 'x' ? { x: { ...xEncoding, field: 'at' } } : { y: { ...yEncoding, field: 'at' } },
  };
}

/** Beside the top of an upright rule, on its roomier side; above the left end of a level one. */
function limitLabels(
  { along, value, label }: Limit,
  index: number,
  { x, y }: { readonly x: Axis; readonly y: Axis },
  at: JsonObject,
  theme: Theme,
): readonly JsonObject[] {
  const isRight = share(x, value) > 0.5;
  const isLevel = along === 'y';
  const values = [{ x: isLevel ? x.domain[0] : value, y: isLevel ? value : y.domain[1], label }];
  const place = isLevel
    ? { align: 'left', baseline: 'bottom', dx: 6, dy: -4 }
    : { align: isRight ? 'right' : 'left', baseline: 'top', dx: isRight ? -7 : 7, dy: 2 + lineGap * index };
  return withHalo(values, { ...place, fontWeight: 600, color: theme.limit }, at, theme);
}

/** Text that stays readable over lines and areas: drawn first in the colour of the page, thickly, then in its own. */
export const withHalo = (
  values: readonly JsonObject[],
  mark: JsonObject,
  at: JsonObject,
  theme: Theme,
): readonly JsonObject[] =>
  [true, false].map((isHalo) => ({
    data: { values },
    mark: {
      type: 'text',
      ...mark,
      ...(isHalo ? { stroke: theme.background, strokeWidth: 4, strokeJoin: 'round', color: theme.background } : {}),
    },
    encoding: { ...at, text: { field: 'label' } },
  }));

function pinLayers(
  pins: readonly Pin[],
  { x, y }: { readonly x: Axis; readonly y: Axis },
  at: JsonObject,
  theme: Theme,
): readonly JsonObject[] {
  const rows = pins.map((pin, index) => {
    // Clocks rise to the right, so that the room is above and to the left of a point.
    const isLeft = share(x, pin.x) * theme.width > textWidth(pin.label, textSizes.label, true) + 10;
    return { x: pin.x, y: pin.y, label: pin.label, isLeft, isHigh: share(y, pin.y) > 0.9, index };
  });
  const labels = rows.flatMap((row) =>
    withHalo(
      [row],
      {
        align: row.isLeft ? 'right' : 'left',
        baseline: row.isHigh ? 'top' : 'bottom',
        dx: row.isLeft ? -7 : 7,
        // Of several points each label stands on a line of its own.
        dy: row.isHigh ? 8 + lineGap * row.index : -8 - lineGap * row.index,
        fontWeight: 600,
      },
      at,
      theme,
    ),
  );
  return [
    {
      data: { values: rows },
      mark: {
        type: 'point',
        filled: true,
        size: 85,
        color: theme.ink,
        stroke: theme.background,
        strokeWidth: 1.5,
        opacity: 1,
      },
      encoding: { ...at, description: { field: 'label' } },
    },
    ...labels,
  ];
}
