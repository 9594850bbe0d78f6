import { clockTime } from '../clock-time.ts';
import { chartFrame, type Heading, noteBody } from './chart-frame.ts';
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
  if (clocks.length === 0) return chartFrame(theme, heading, noteBody(theme, 'No input moves a clock.'));
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
  const ends = inputs.flatMap(({ label, less, more }) => {
    const pair = [
      { end: less, text: words.less, colour: theme.before },
      { end: more, text: words.more, colour: theme.ttft },
    ].toSorted((a, b) => Math.abs(b.end - seconds) - Math.abs(a.end - seconds));
    // Both ends on one side: the nearer is drawn over the further.
    const [far, near] = pair;
    const isOneSided = far !== undefined && near !== undefined && far.end < seconds === near.end < seconds;
    return pair.map(({ end, text, colour }) => ({
      label,
      from: seconds * perSecond,
      to: end * perSecond,
      tip: `${label} ${text}: ${name} ${clockTime(end)}`,
      colour,
      isOneSided,
      text,
      isLeft: end < seconds,
      isShown: Math.abs(end - seconds) > (most - least) * 0.004,
    }));
  });
  const named = [
    ...ends.filter(({ isOneSided, isShown }) => !isOneSided && isShown),
    // Both names stand on the empty side of the line.
    ...inputs.flatMap(({ label, less, more }) =>
      ends.some((end) => end.label === label && end.isOneSided)
        ? [
            {
              label,
              to: seconds * perSecond,
              text: `${words.less}: ${clockTime(less)}, ${words.more}: ${clockTime(more)}`,
              isLeft: less > seconds,
            },
          ]
        : [],
    ),
  ];
  const label = (isLeft: boolean): JsonObject => ({
    data: {
      values: named
        .filter((end) => end.isLeft === isLeft)
        .map(({ label: input, to, text }) => ({ label: input, to, text })),
    },
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
