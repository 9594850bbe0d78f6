import { textWidth } from './text-width.ts';
import { textSizes } from './theme.ts';

/** Pixels from the upper left corner of a plot. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Where a label stands: the middle of its line of text, and which end of it. */
export interface LabelPlace extends Pixel {
  readonly align: 'left' | 'right' | 'center';
}

/** What a label should not lie on. */
export interface Obstacles {
  readonly boxes: readonly Box[];
  /** Corners of lines. */
  readonly lines: readonly (readonly Pixel[])[];
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const halfLine = 7;

/** What a fault of a place costs, in steps down the list of places. */
const costs = { outside: 1000, box: 60, line: 25 } as const;

/**
 * The first place of a list that lies on nothing, or the one that lies on least. A line that ties it to its anchor
 * counts as what it crosses, too.
 */
export function bestPlace(
  width: number,
  places: readonly [LabelPlace, ...LabelPlace[]],
  { boxes, lines }: Obstacles,
  area: Box,
  anchor?: Pixel,
): LabelPlace {
  let [best] = places;
  let least = Infinity;
  places.forEach((place, index) => {
    const box = boxOf(width, place);
    const isOutside = box.left < area.left || box.right > area.right || box.top < area.top || box.bottom > area.bottom;
    const cost =
      index +
      (isOutside ? costs.outside : 0) +
      costs.box * boxes.filter((other) => isOverlapping(box, other)).length +
      costs.line * lines.filter((line) => isCrossed(box, line)).length +
      (anchor === undefined || !isFar(box, anchor)
        ? 0
        : costs.line *
          boxes.filter((other) => !holds(other, anchor) && isReached(other, anchor, nearest(box, anchor))).length);
    if (cost >= least) return;
    least = cost;
    best = place;
  });
  return best;
}

/** The room that a label of a width takes in a place. */
export function boxOf(width: number, { x, y, align }: LabelPlace): Box {
  const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
  return { left, right: left + width, top: y - halfLine, bottom: y + halfLine };
}

/** Width of a label in the size and weight of labels in a plot. */
export const labelWidth = (text: string, isBold = true): number => textWidth(text, textSizes.label, isBold);

/** Around a point, the nearest first: where clocks rise to the right, above and to the left is room. */
export function placesAround({ x, y }: Pixel, radius: number): readonly [LabelPlace, ...LabelPlace[]] {
  const ring = (distance: number): readonly [LabelPlace, ...LabelPlace[]] => {
    const [beside, above] = [radius + distance, radius + distance + halfLine];
    return [
      { x: x - beside, y: y - above + 2, align: 'right' },
      { x: x + beside, y: y + above - 2, align: 'left' },
      { x: x + beside, y, align: 'left' },
      { x: x - beside, y, align: 'right' },
      { x: x + beside, y: y - above + 2, align: 'left' },
      { x: x - beside, y: y + above - 2, align: 'right' },
      { x, y: y - above, align: 'center' },
      { x, y: y + above, align: 'center' },
    ];
  };
  return [...ring(3), ...ring(14), ...ring(27), ...ring(42)];
}

/** From a label to what it is about, where it stands so far off that a line has to tie them. */
export function tieOf(box: Box, anchor: Pixel): readonly [Pixel, Pixel] | undefined {
  return isFar(box, anchor) ? [anchor, nearest(box, anchor)] : undefined;
}

const far = 20;

const isFar = (box: Box, anchor: Pixel): boolean => {
  const end = nearest(box, anchor);
  return Math.hypot(end.x - anchor.x, end.y - anchor.y) > far;
};

const nearest = ({ left, right, top, bottom }: Box, { x, y }: Pixel): Pixel => ({
  x: Math.min(right, Math.max(left, x)),
  y: Math.min(bottom, Math.max(top, y)),
});

const holds = ({ left, right, top, bottom }: Box, { x, y }: Pixel): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

const isOverlapping = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isCrossed = (box: Box, line: readonly Pixel[]): boolean =>
  line.some((end, index) => {
    const start = line[index - 1];
    return start !== undefined && isReached(box, start, end);
  });

/** Whether a stretch of line touches a box (Liang and Barsky, 1984). */
function isReached({ left, right, top, bottom }: Box, from: Pixel, to: Pixel): boolean {
  let [first, last] = [0, 1];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  for (const [step, room] of [
    [-dx, from.x - left],
    [dx, right - from.x],
    [-dy, from.y - top],
    [dy, bottom - from.y],
  ] as const) {
    if (step === 0) {
      if (room < 0) return false;
    } else if (step < 0) first = Math.max(first, room / step);
    else last = Math.min(last, room / step);
  }
  return first <= last;
}
