import { plainText, shortened } from '../plain-text.ts';
import { type ChartSpec, type Json, type JsonObject, vegaLiteSchema } from './chart-spec.ts';
import { wrapToWidth } from './text-width.ts';
import { textSizes, type Theme } from './theme.ts';

/** Title and the lines under it; text from outside is made safe here. */
export interface Heading {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Room beside the inner width that axes and labels usually take; titles run over all of it. */
const besideWidth = 110;

const longestText = 400;

const linesOf = (theme: Theme, text: string, size: number, isBold: boolean): readonly string[] =>
  wrapToWidth(plainText(shortened(text, longestText)), theme.width + besideWidth, size, isBold);

/** The same chart under a title of the reader's own. */
export function withTitle(spec: ChartSpec, title: string | undefined, theme: Theme): ChartSpec {
  const old = spec['title'];
  if (title === undefined || !isObject(old)) return spec;
  return { ...spec, title: { ...old, text: linesOf(theme, title, textSizes.title, true) } };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In place of a picture that has nothing to draw: why. */
export const noteBody = (theme: Theme, words: string): JsonObject => ({
  width: theme.width,
  height: 60,
  data: { values: [{ words: linesOf(theme, words, textSizes.title, true) }] },
  mark: { type: 'text', align: 'left', fontSize: textSizes.title, color: theme.muted, lineHeight: 22 },
  encoding: { x: { value: 0 }, text: { field: 'words' } },
});

/** A whole specification around the body of a chart: title, fonts, colours of axes and grid. */
export function chartFrame(theme: Theme, heading: Heading, body: JsonObject): ChartSpec {
  return {
    $schema: vegaLiteSchema,
    description: plainText([heading.title, ...heading.lines].join('. ')),
    background: theme.background,
    padding: { left: 16, right: 16, top: 14, bottom: 14 },
    title: {
      text: linesOf(theme, heading.title, textSizes.title, true),
      subtitle: heading.lines.flatMap((line) => linesOf(theme, line, textSizes.subtitle, false)),
    },
    ...body,
    config: config(theme),
  };
}

function config({ font, ink, muted, grid }: Theme): JsonObject {
  return {
    font,
    view: { stroke: null },
    concat: { spacing: 26 },
    title: {
      anchor: 'start',
      frame: 'bounds',
      offset: 16,
      fontSize: textSizes.title,
      fontWeight: 600,
      color: ink,
      lineHeight: 22,
      subtitleFontSize: textSizes.subtitle,
      subtitleColor: muted,
      subtitleLineHeight: 17,
      subtitlePadding: 5,
    },
    axis: {
      labelFontSize: textSizes.label,
      labelColor: ink,
      titleFontSize: textSizes.label,
      titleFontWeight: 400,
      titleColor: muted,
      titlePadding: 9,
      gridColor: grid,
      domainColor: grid,
      tickColor: grid,
      labelPadding: 5,
      labelLimit: 0,
      labelOverlap: true,
    },
    axisY: { titleAngle: 0, titleAlign: 'left', titleAnchor: 'end', titleBaseline: 'bottom', titleY: -8, titleX: 0 },
    // Only what has words of its own is told to a screen reader or a pointer.
    text: { fontSize: textSizes.label, color: ink, aria: false },
    rule: { aria: false },
    line: { aria: false },
    area: { aria: false },
    legend: { labelFontSize: textSizes.label, titleFontSize: textSizes.label, labelColor: ink, titleColor: muted },
    header: { labelFontSize: textSizes.label, labelFontWeight: 600, labelColor: ink, title: null },
  };
}
