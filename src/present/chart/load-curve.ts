import { clockTime } from '../clock-time.ts';
import type { Axis } from './axis.ts';
import { roomyDomain } from './axis.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec } from './chart-spec.ts';
import { type Curve, curveLayers } from './curves.ts';
import type { Theme } from './theme.ts';
import { logTimeUnit } from './time-unit.ts';

/** Percentiles of TTFT from the event simulation at growing arrival rates. Seconds, requests per second. */
export interface LoadCurveData {
  readonly heading: Heading;
  readonly points: readonly {
    readonly rate: number;
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
  }[];
  /** The largest rate that the deployment finishes. */
  readonly saturation: number;
  /** A target for TTFT. */
  readonly target?: number;
}

const height = 340;

/** Three percentiles that part and rise before the line behind which there is no steady state. */
export function loadCurveChart({ heading, points, saturation, target }: LoadCurveData, theme: Theme): ChartSpec {
  const times = points.flatMap(({ p50, p90, p99 }) => [p50, p90, p99]);
  const { unit, perSecond } = logTimeUnit(Math.max(...times));
  const x: Axis = {
    title: 'requests per second that arrive',
    domain: [0, saturation],
    isLog: false,
    kind: 'number',
  };
  const y: Axis = {
    title: `TTFT (${unit})`,
    domain: roomyDomain(
      [...times, ...(target === undefined ? [] : [target])].map((seconds) => seconds * perSecond),
      true,
    ),
    isLog: true,
    kind: 'number',
  };
  const curve = (key: 'p50' | 'p90' | 'p99', look: Pick<Curve, 'colour' | 'labelColour' | 'dash'>): Curve => ({
    label: key,
    ...look,
    points: points.map((point) => ({
      x: point.rate,
      y: point[key] * perSecond,
      text: `${key} of TTFT ${clockTime(point[key])} at ${point.rate.toPrecision(3)} requests/s`,
    })),
  });
  const curves = [
    curve('p99', { colour: theme.tpot, labelColour: theme.words.tpot }),
    curve('p90', { colour: theme.e2e, labelColour: theme.words.e2e }),
    curve('p50', { colour: theme.ttft, labelColour: theme.words.ttft }),
  ];
  const limits = [
    { along: 'x', value: saturation, label: `saturation ${saturation.toPrecision(3)} requests/s` },
    ...(target === undefined
      ? []
      : [{ along: 'y', value: target * perSecond, label: `target: TTFT ${clockTime(target)}` } as const]),
  ] as const;
  return chartFrame(theme, heading, {
    width: theme.width,
    height,
    layer: curveLayers({ curves, pins: [], limits }, { x, y }, theme, height),
  });
}
