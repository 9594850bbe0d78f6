import { axisEncoding, type Axis } from './axis.ts';
import { chartFrame, type Heading } from './chart-frame.ts';
import type { ChartSpec, JsonObject } from './chart-spec.ts';
import { type Curve, curveLayers, type Pin } from './curves.ts';
import type { Theme } from './theme.ts';

/** Levers along something that varies: a clock with the lever over the clock without. */
export interface BreakEvenData {
  readonly heading: Heading;
  readonly panels: readonly BreakEvenPanel[];
}

export interface BreakEvenPanel {
  readonly title: string;
  readonly axis: {
    readonly title: string;
    readonly isLog: boolean;
    readonly kind: 'tokens' | 'number';
    readonly ticks?: readonly number[];
  };
  readonly curves: readonly {
    readonly label: string;
    readonly points: readonly { readonly x: number; readonly ratio: number }[];
  }[];
  /** Where the balance tips. */
  readonly tips: readonly { readonly x: number; readonly label: string }[];
}

const height = 190;

/** Small panels, two a row: below the line at 1 a lever pays, above it it costs. */
export function breakEvenChart({ heading, panels }: BreakEvenData, theme: Theme): ChartSpec {
  const width = Math.round((theme.width - 130) / 2);
  const rows = Array.from({ length: Math.ceil(panels.length / 2) }, (_, index) =>
    panels.slice(2 * index, 2 * index + 2),
  );
  return chartFrame(theme, heading, {
    vconcat: rows.map((row) => ({ hconcat: row.map((panel) => panelSpec(panel, theme, width)) })),
  });
}

function panelSpec({ title, axis, curves, tips }: BreakEvenPanel, theme: Theme, width: number): JsonObject {
  const xs = curves.flatMap(({ points }) => points.map(({ x }) => x));
  const ratios = curves.flatMap(({ points }) => points.map(({ ratio }) => ratio));
  const [least, most] = [Math.min(...ratios, 1), Math.max(...ratios, 1)];
  const room = Math.max(0.05, (most - least) * 0.14);
  const x: Axis = { ...axis, domain: [Math.min(...xs), Math.max(...xs)] };
  const y: Axis = {
    title: '',
    domain: [Math.max(0, least - room), most + room],
    isLog: false,
    kind: 'number',
  };
  const styles = [
    { colour: theme.ttft, labelColour: theme.words.ttft },
    { colour: theme.tpot, labelColour: theme.words.tpot },
    { colour: theme.e2e, labelColour: theme.words.e2e },
  ];
  const drawn: readonly Curve[] = curves.map(({ label, points }, index) => ({
    label,
    ...(styles[index % styles.length] ?? { colour: theme.muted }),
    points: points.map(({ x: px, ratio }) => ({
      x: px,
      y: ratio,
      text: `${label}: ${ratio.toFixed(2)} times at ${px.toPrecision(3)}`,
    })),
  }));
  const pins: readonly Pin[] = tips.map((tip) => ({ x: tip.x, y: 1, label: tip.label }));
  return {
    title: { text: title, fontSize: 12.5, offset: 10, frame: 'group' },
    width,
    height,
    layer: [
      {
        data: { values: [{ one: 1 }] },
        mark: { type: 'rule', color: theme.ink, strokeWidth: 1.2 },
        encoding: { y: { ...axisEncoding(y, true), field: 'one' } },
      },
      ...curveLayers({ curves: drawn, pins, limits: [] }, { x, y }, { ...theme, width }, height),
    ],
  };
}
