import { type Axis, axisEncoding, fraction as share, spread, valueAt } from './axis.ts';
import type { JsonObject } from './chart-spec.ts';
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

export interface CurveParts {
  readonly curves: readonly Curve[];
  readonly pins: readonly Pin[];
  readonly limits: readonly Limit[];
  /** Drawn over the points of the curves, below the pins. */
  readonly marks?: readonly JsonObject[];
}

interface LabelWish {
  readonly label: string;
  readonly colour: string;
  readonly places: readonly [LabelPlace, ...LabelPlace[]];
  /** What a line may have to tie it to. */
  readonly anchor?: Pixel;
}

interface Axes {
  readonly x: Axis;
  readonly y: Axis;
}

/** Bands below lines below labels, on fixed axes; no label lies on a line or on another label where there is room. */
export function curveLayers(
  { curves, pins, limits, marks = [] }: CurveParts,
  { x, y }: Axes,
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
  const endLabels = ends.map(({ label, colour, labelColour, last }, index) => ({
    // Near the edge a label stands outside of the plot, where no rule crosses it.
    x: share(x, last.x) > 0.88 ? x.domain[1] : last.x,
    y: heights[index] ?? last.y,
    label,
    colour: labelColour ?? colour,
  }));
  const pixel = (point: { readonly x: number; readonly y: number }): Pixel => ({
    x: share(x, point.x) * theme.width,
    y: (1 - share(y, point.y)) * height,
  });
  const lines = [
    ...curves.map(({ points }) => points.filter(inside).map(pixel)),
    ...limits.map((limit) => ruleOf(limit, { x, y }).map(pixel)),
  ];
  const boxes: Box[] = [
    ...[...pins, ...(marks.length === 0 ? [] : curves.flatMap(({ points }) => points))].map(pixel).map(around),
    ...endLabels.map((end) => {
      const { x: left, y: middle } = pixel(end);
      return boxOf(labelWidth(end.label), { x: left + endGap, y: middle, align: 'left' });
    }),
  ];
  const area = { left: 0, right: theme.width, top: 0, bottom: height };
  const wishes: readonly LabelWish[] = [
    ...limits.map((limit) => ({
      label: limit.label,
      colour: theme.limit,
      places: limitPlaces(limit, pixel(limitStart(limit, { x, y })), theme.width, height),
    })),
    ...pins.map((pin) => ({
      label: pin.label,
      colour: theme.ink,
      places: placesAround(pixel(pin), pinRadius),
      anchor: pixel(pin),
    })),
  ];
  const texts = wishes.map(({ label, colour, places, anchor }) => {
    const place = bestPlace(labelWidth(label), places, { boxes, lines }, area, anchor);
    const box = boxOf(labelWidth(label), place);
    boxes.push(box);
    return { label, colour, place, tie: anchor === undefined ? undefined : tieOf(box, anchor) };
  });
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
        values: endLabels.map(({ x: px, y: py, label, colour }) => ({ x: px, y: py, label, colour })),
      },
      mark: { type: 'text', align: 'left', baseline: 'middle', dx: endGap, fontWeight: 600 },
      encoding: { ...at, text: { field: 'label' }, color: { field: 'colour', type: 'nominal', scale: null } },
    },
    ...marks,
    ...(pins.length === 0 ? [] : [pinPoints(pins, at, theme)]),
    ...texts.flatMap(({ tie }) =>
      tie === undefined
        ? []
        : [
            {
              data: { values: tie.map((point) => valuesAt(point, { x, y }, theme.width, height)) },
              mark: { type: 'line', color: theme.muted, strokeWidth: 0.9 },
              encoding: at,
            },
          ],
    ),
    ...texts.flatMap(({ label, colour, place }) =>
      withHalo(
        [{ ...valuesAt(place, { x, y }, theme.width, height), label }],
        { align: place.align, baseline: 'middle', fontWeight: 600, color: colour },
        at,
        theme,
      ),
    ),
  ];
}

/** Between the end of a curve and its name. */
const endGap = 8;

function limitRule({ along, value }: Limit, xEncoding: JsonObject, yEncoding: JsonObject, theme: Theme): JsonObject {
  return {
    data: { values: [{ at: value }] },
    mark: { type: 'rule', color: theme.limit, strokeWidth: 1.4, strokeDash: [5, 3] },
    encoding: along === 'x' ? { x: { ...xEncoding, field: 'at' } } : { y: { ...yEncoding, field: 'at' } },
  };
}

/** Where the rule of a limit meets the left or upper edge of the plot. */
const limitStart = ({ along, value }: Limit, { x, y }: Axes): { readonly x: number; readonly y: number } =>
  along === 'x' ? { x: value, y: y.domain[1] } : { x: x.domain[0], y: value };

const ruleOf = (limit: Limit, axes: Axes): readonly { readonly x: number; readonly y: number }[] => {
  const start = limitStart(limit, axes);
  return [start, limit.along === 'x' ? { ...start, y: axes.y.domain[0] } : { ...start, x: axes.x.domain[1] }];
};

/** Beside an upright rule, at its top on the roomier side first; above or below a level one, at its left end first. */
function limitPlaces(
  { along }: Limit,
  { x, y }: Pixel,
  width: number,
  height: number,
): readonly [LabelPlace, ...LabelPlace[]] {
  if (along === 'y') {
    const at = (left: number, row: number): LabelPlace => ({ x: left, y: y + row, align: 'left' });
    const right = (row: number): LabelPlace => ({ x: width - 6, y: y + row, align: 'right' });
    return [at(6, -11), right(-11), at(6, 11), right(11), at(width / 3, -11), at(width / 3, 11), at(width / 2, -11)];
  }
  const sides: readonly ('left' | 'right')[] = x > width / 2 ? ['right', 'left'] : ['left', 'right'];
  const place = (align: 'left' | 'right', row: number): LabelPlace => ({
    x: x + (align === 'left' ? 7 : -7),
    y: y + 8 + lineGap * row,
    align,
  });
  const rows = Array.from({ length: Math.floor(height / lineGap) - 1 }, (_, row) => row);
  const [first, second] = [sides[0] ?? 'left', sides[1] ?? 'right'];
  return [
    place(first, 0),
    place(second, 0),
    ...rows.slice(1).flatMap((row) => [place(first, row), place(second, row)]),
  ];
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

const pinRadius = 5;

const around = ({ x, y }: Pixel): Box => ({
  left: x - pinRadius,
  right: x + pinRadius,
  top: y - pinRadius,
  bottom: y + pinRadius,
});

/** Values of the axes at a place in pixels. */
const valuesAt = ({ x: px, y: py }: Pixel, { x, y }: Axes, width: number, height: number): JsonObject => ({
  x: valueAt(x, px / width),
  y: valueAt(y, 1 - py / height),
});

const pinPoints = (pins: readonly Pin[], at: JsonObject, theme: Theme): JsonObject => ({
  data: { values: pins.map(({ x, y, label }) => ({ x, y, label })) },
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
});
