import type { Logger } from 'vega';
import type { ChartSpec } from '../chart/chart-spec.ts';
import { textWidth } from '../chart/text-width.ts';
import { vegaModules } from './vega-modules.ts';

/**
 * Draws a chart as SVG, byte for byte the same for the same specification. Loads Vega and Vega-Lite.
 * Text is laid out by the widths of Inter, whatever fonts the machine has.
 * @throws RangeError where Vega has anything to complain about: a fault of the specification.
 */
export async function svgOf(spec: ChartSpec): Promise<string> {
  const { compile, parse, View, textMetrics } = await vegaModules();
  // Vega's own guess, where there is no canvas, is 0.8 em a letter.
  textMetrics.width = ({ fontSize = 11, fontWeight }, text) => textWidth(String(text), fontSize, isBold(fontWeight));
  const complaints: string[] = [];
  const logger = collector(complaints);
  const { spec: compiled } = compile(spec, { logger });
  const view = new View(parse(compiled), { renderer: 'none', logger });
  try {
    const svg = await view.toSVG();
    if (complaints.length > 0) throw new RangeError(complaints.join('; '));
    return svg;
  } finally {
    view.finalize();
  }
}

const isBold = (weight: string | number | undefined): boolean =>
  weight === 'bold' || (typeof weight === 'number' && weight >= 600);

/** Level of vega-util at which warnings are told. */
const warnings = 2;

function collector(complaints: string[]): Logger {
  const keep = (...words: readonly unknown[]): Logger => {
    complaints.push(words.map(String).join(' '));
    return logger;
  };
  const ignore = (): Logger => logger;
  const logger: Logger = {
    level: (level) => (level === undefined ? warnings : logger),
    error: keep,
    warn: keep,
    info: ignore,
    debug: ignore,
  };
  return logger;
}
