import type { ChartSpec } from '../chart/chart-spec.ts';
import type { Theme } from '../chart/theme.ts';
import { chartPage } from './chart-page.ts';
import { type ChartRecord, recordName } from './chart-record.ts';
import { escaped, unescaped } from './escape.ts';
import { isPng, pngText, withPngText } from './png-text.ts';

/** Pixels of a PNG per pixel of the SVG: sharp on the screens of laptops. */
const pngScale = 1.5;

/** A chart in the format of its record, with the record inside. */
export async function chartFile(spec: ChartSpec, record: ChartRecord, theme: Theme): Promise<string | Uint8Array> {
  if (record.format === 'json') {
    return `${JSON.stringify({ ...spec, usermeta: { [recordName]: record } }, undefined, 1)}\n`;
  }
  const { svgOf } = await import('./svg-of.ts');
  const svg = withTitle(await svgOf(spec), spec.description);
  switch (record.format) {
    case 'svg':
      return `${withRecord(svg, record)}\n`;
    case 'html':
      return chartPage(svg, spec.description, record, theme);
    case 'png': {
      const { pngOf } = await import('./png-of.ts');
      return withPngText(await pngOf(svg, pngScale), recordName, JSON.stringify(record));
    }
  }
}

/** The first child of the svg element: what screen readers say. */
const withTitle = (svg: string, title: string): string =>
  svg.replace(/^(<svg[^>]*)>/, (_, start: string) => `${start} role="img"><title>${escaped(title)}</title>`);

const withRecord = (svg: string, record: ChartRecord): string =>
  svg.replace('</title>', () => `</title><metadata id="${recordName}">${escaped(JSON.stringify(record))}</metadata>`);

/**
 * The record in a file of any format, still to be checked; undefined where there is none.
 * @throws SyntaxError where it is no JSON.
 */
export function recordIn(bytes: Uint8Array): unknown {
  if (isPng(bytes)) return parsed(pngText(bytes, recordName));
  const text = new TextDecoder().decode(bytes);
  const svg = /<metadata id="twoclocks">([^<]*)<\/metadata>/.exec(text)?.[1];
  if (svg !== undefined) return parsed(unescaped(svg));
  const html = /<script type="application\/json" id="twoclocks">([^<]*)<\/script>/.exec(text)?.[1];
  return parsed(html);
}

const parsed = (text: string | undefined): unknown => {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return value;
};
