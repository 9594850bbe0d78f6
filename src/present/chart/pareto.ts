import { roomyDomain } from './axis.ts';
import { clockTime, digits } from '../clock-time.ts';
import { type Axis, axisEncoding } from './axis.ts';
import { chartFrame, type Heading, noteBody } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import { type Curve, curveLayers, type Limit } from './curves.ts';
import type { Theme } from './theme.ts';

/** Throughput of a device against the time between a user's tokens, as the load grows. */
export interface ParetoData {
  readonly heading: Heading;
  readonly curves: readonly ParetoCurve[];
  /** The scenario itself, where it has a steady state. */
  readonly here?: ParetoPoint;
  /** Targets, seconds. */
  readonly objectives: { readonly ttft?: number; readonly tpot?: number };
}

/** One way to spread the model, from one request in flight to as many as fit. */
export interface ParetoCurve {
  readonly label: string;
  readonly points: readonly ParetoPoint[];
}

export interface ParetoPoint {
  readonly inFlight: number;
  readonly ttft: number;
  readonly tpot: number;
  readonly tokensPerSecondPerDevice: number;
}

const height = 360;

/** One curve per spread; what misses the target for TTFT is drawn hollow, the target for TPOT is a line. */
export function paretoChart({ heading, curves, here, objectives }: ParetoData, theme: Theme): ChartSpec {
  const styles = [
    { colour: theme.ttft, labelColour: theme.words.ttft },
    { colour: theme.tpot, labelColour: theme.words.tpot },
    { colour: theme.e2e, labelColour: theme.words.e2e },
    { colour: theme.muted, labelColour: theme.muted },
  ];
  const all = [...curves.flatMap(({ points }) => points), ...(here === undefined ? [] : [here])];
  if (all.length === 0) return chartFrame(theme, heading, noteBody(theme, 'Not even one request fits in memory.'));
  const milliseconds = all.map(({ tpot }) => tpot * 1e3);
  const limit = objectives.tpot === undefined ? [] : [objectives.tpot * 1e3];
  const x: Axis = {
    title: 'TPOT (ms); further left is faster for a user',
    domain: [Math.min(...milliseconds) / 1.1, Math.max(...milliseconds, ...limit) * 1.05],
    isLog: true,
    kind: 'number',
  };
  const y: Axis = {
    title: 'output tokens/s per device',
    domain: roomyDomain(
      all.map(({ tokensPerSecondPerDevice }) => tokensPerSecondPerDevice),
      false,
    ),
    isLog: false,
    kind: 'number',
  };
  const styled: readonly Curve[] = curves.map(({ label, points }, index) => ({
    label,
    ...(styles[index % styles.length] ?? { colour: theme.muted }),
    points: points.map((point) => ({
      x: point.tpot * 1e3,
      y: point.tokensPerSecondPerDevice,
      text: wordsOf(label, point),
    })),
  }));
  const limits: readonly Limit[] =
    objectives.tpot === undefined
      ? []
      : [{ along: 'x', value: objectives.tpot * 1e3, label: `target: TPOT ${clockTime(objectives.tpot)}` }];
  const meets = ({ ttft }: ParetoPoint): boolean => objectives.ttft === undefined || ttft <= objectives.ttft;
  const marks = curves.flatMap(({ points }, index) =>
    points.map((point) => ({
      x: point.tpot * 1e3,
      y: point.tokensPerSecondPerDevice,
      text: wordsOf(curves[index]?.label ?? '', point),
      colour: styles[index % styles.length]?.colour ?? theme.muted,
      fill: meets(point) ? (styles[index % styles.length]?.colour ?? theme.muted) : theme.background,
    })),
  );
  const pins =
    here === undefined
      ? []
      : [{ x: here.tpot * 1e3, y: here.tokensPerSecondPerDevice, label: `this scenario: ${here.inFlight} in flight` }];
  const points: JsonObject = {
    data: { values: marks },
    mark: { type: 'point', size: 42, strokeWidth: 1.6, opacity: 1 },
    encoding: {
      x: { ...axisEncoding(x, true), field: 'x' },
      y: { ...axisEncoding(y, true), field: 'y' },
      stroke: { field: 'colour', type: 'nominal', scale: null },
      fill: { field: 'fill', type: 'nominal', scale: null },
      description: { field: 'text' },
      tooltip: { field: 'text' },
    },
  };
  return chartFrame(theme, heading, {
    width: theme.width,
    height,
    layer: curveLayers({ curves: styled, pins, limits, marks: [points] }, { x, y }, theme, height),
  });
}

const wordsOf = (label: string, { inFlight, tpot, ttft, tokensPerSecondPerDevice }: ParetoPoint): string =>
  `${label}, ${inFlight} in flight: TPOT ${clockTime(tpot)}, TTFT ${clockTime(ttft)}, ${digits(tokensPerSecondPerDevice)} tokens/s per device`;
