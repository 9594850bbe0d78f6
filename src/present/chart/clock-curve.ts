import { clockTime } from '../clock-time.ts';
import { roomyDomain } from './axis.ts';
import { chartFrame, type Heading, noteBody } from './chart-frame.ts';
import type { ChartSpec } from './chart-spec.ts';
import { type Curve, curveLayers, type Limit } from './curves.ts';
import type { Theme } from './theme.ts';
import { logTimeUnit, timeUnit } from './time-unit.ts';

/** A clock along something that varies: TTFT against the prompt, TPOT against batch or context. Seconds. */
export interface ClockCurveData {
  readonly heading: Heading;
  readonly clock: 'ttft' | 'tpot';
  readonly against: {
    readonly title: string;
    readonly kind: 'tokens' | 'number';
    readonly ticks?: readonly number[];
    /** 'at 2,000 tokens'. */
    readonly words: (x: number) => string;
  };
  readonly isLogY: boolean;
  readonly points: readonly ClockCurvePoint[];
  /** The scenario itself; absent where its clock grows without end. */
  readonly here?: ClockCurvePoint;
  /** Along x. */
  readonly limits: readonly Limit[];
}

export interface ClockCurvePoint {
  readonly x: number;
  readonly seconds: number;
  /** Absent where no band is known. */
  readonly band?: { readonly low: number; readonly high: number };
  /** The textbook floor; absent where the clock is the floor. */
  readonly ideal?: number;
}

const height = 340;

/** One clock as a line with its band, the ideal floor below it, and the scenario as a point. */
export function clockCurveChart(data: ClockCurveData, theme: Theme): ChartSpec {
  const { heading, clock, against, points, here, isLogY } = data;
  const name = clock.toUpperCase();
  const all = here === undefined ? points : [...points, here];
  if (all.length === 0) {
    return chartFrame(theme, heading, noteBody(theme, `${name} grows without end wherever along this axis.`));
  }
  const longest = Math.max(...all.map(({ seconds, band }) => band?.high ?? seconds));
  const { unit, perSecond } = isLogY ? logTimeUnit(longest) : timeUnit(longest);
  const xs = all.map(({ x }) => x);
  const axes = {
    x: {
      title: against.title,
      domain: [Math.min(...xs), Math.max(...xs)],
      isLog: true,
      kind: against.kind,
      ...(against.ticks === undefined ? {} : { ticks: against.ticks }),
    },
    y: {
      title: `${name} (${unit})`,
      domain: roomyDomain(
        all.flatMap(({ seconds, band, ideal }) =>
          [seconds, band?.low, band?.high, isLogY ? ideal : undefined].flatMap((each) =>
            each === undefined ? [] : [each * perSecond],
          ),
        ),
        isLogY,
      ),
      isLog: isLogY,
      kind: 'number',
    },
  } as const;
  const clockCurve: Curve = {
    label: name,
    colour: theme[clock],
    labelColour: theme.words[clock],
    points: points.map(({ x, seconds, band }) => ({
      x,
      y: seconds * perSecond,
      ...(band === undefined ? {} : { low: band.low * perSecond, high: band.high * perSecond }),
      text: `${name} ${clockTime(seconds)} ${against.words(x)}${band === undefined ? '' : `, 80 % between ${clockTime(band.low)} and ${clockTime(band.high)}`}`,
    })),
  };
  const floors = points.flatMap(({ x, ideal }) => (ideal === undefined ? [] : [{ x, ideal }]));
  const floor: Curve = {
    label: 'ideal floor',
    colour: theme.muted,
    dash: [4, 3],
    points: floors.map(({ x, ideal }) => ({
      x,
      y: ideal * perSecond,
      text: `ideal floor ${clockTime(ideal)} ${against.words(x)}`,
    })),
  };
  const pins =
    here === undefined
      ? []
      : [{ x: here.x, y: here.seconds * perSecond, label: `this scenario: ${clockTime(here.seconds)}` }];
  const curves = floors.length === 0 ? [clockCurve] : [clockCurve, floor];
  return chartFrame(theme, heading, {
    width: theme.width,
    height,
    layer: curveLayers({ curves, pins, limits: data.limits }, axes, theme, height),
  });
}
