import { clockTime } from '../clock-time.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import type { Theme } from './theme.ts';
import { timeUnit } from './time-unit.ts';

/** How far each clock moves where one input is less or more than assumed; seconds. */
export interface TornadoData {
  readonly heading: Heading;
  /** '−20 %' and '+20 %'. */
  readonly words: { readonly less: string; readonly more: string };
  readonly clocks: readonly TornadoClock[];
}

export interface TornadoClock {
  readonly name: string;
  readonly seconds: number;
  /** The widest first. */
  readonly inputs: readonly { readonly label: string; readonly less: number; readonly more: number }[];
}

const rowHeight = 25;

/** Bars from the clock as predicted to the clock with an input changed, the most important input on top. */
export function tornadoChart({ heading, words, clocks }: TornadoData, theme: Theme): ChartSpec {
  return chartFrame(theme, heading, { vconcat: clocks.map((clock) => panel(clock, words, theme)) });
}

function panel({ name, seconds, inputs }: TornadoClock, words: TornadoData['words'], theme: Theme): JsonObject {
  const all = [seconds, ...inputs.flatMap(({ less, more }) => [less, more])];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const { unit, perSecond } = timeUnit(most);
  // Room for a label at both ends.
  const room = (most - least) * 0.16 || seconds * 0.1;
  const y = {
    field: 'label',
    type: 'nominal',
    sort: inputs.map(({ label }) => label),
    title: null,
    axis: { domain: false, ticks: false },
  };
  const x = {
    type: 'quantitative',
    scale: { domain: [(least - room) * perSecond, (most + room) * perSecond], nice: false, zero: false },
    title: `${name} (${unit}); line: as predicted, ${clockTime(seconds)}`,
    axis: { tickCount: 8 },
  };
  const ends = inputs.flatMap(({ label, less, more }) =>
    (
      [
        [less, words.less, theme.before],
        [more, words.more, theme.ttft],
      ] as const
    ).map(([end, text, colour]) => ({
      label,
      from: seconds * perSecond,
      to: end * perSecond,
      text,
      tip: `${label} ${text}: ${name} ${clockTime(end)}`,
      colour,
      isLeft: end < seconds,
      isShown: Math.abs(end - seconds) > (most - least) * 0.004,
    })),
  );
  const label = (isLeft: boolean): JsonObject => ({
    data: { values: ends.filter((end) => end.isLeft === isLeft && end.isShown) },
    mark: { type: 'text', align: isLeft ? 'right' : 'left', baseline: 'middle', dx: isLeft ? -5 : 5, fontSize: 11 },
    encoding: { y, x: { ...x, field: 'to' }, text: { field: 'text' } },
  });
  return {
    width: theme.width,
    height: rowHeight * inputs.length,
    layer: [
      {
        data: { values: ends },
        mark: { type: 'bar', height: { band: 0.66 } },
        encoding: {
          y,
          x: { ...x, field: 'from' },
          x2: { field: 'to' },
          color: { field: 'colour', type: 'nominal', scale: null },
          description: { field: 'tip' },
          tooltip: { field: 'tip' },
        },
      },
      {
        data: { values: [{ at: seconds * perSecond }] },
        mark: { type: 'rule', color: theme.ink, strokeWidth: 1.4 },
        encoding: { x: { ...x, field: 'at' } },
      },
      label(true),
      label(false),
    ],
  };
}
