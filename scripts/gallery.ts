import { bundledCatalog } from '../src/cli/catalog.ts';
import { main } from '../src/cli/main.ts';
import { chartNames, type ChartKind } from '../src/present/chart/chart-names.ts';

/** The scenario of every example: a 70B model as many serve it. */
const scenario: readonly string[] =
  '--model llama-3.1-70b --hardware h100 --tp 4 --prompt 2k --output 300 --concurrency 16'.split(' ');

/** One example of the gallery. */
export interface GalleryExample {
  readonly kind: ChartKind;
  readonly summary: string;
  /** As a person would type it, without the file. */
  readonly words: readonly string[];
}

/** Every kind of chart with nothing but the scenario. */
export const galleryExamples: readonly GalleryExample[] = chartNames.map(({ name, summary }) => ({
  kind: name,
  summary,
  words: ['chart', name, ...scenario],
}));

/** The example as the command writes it. */
export async function galleryFile({ words }: GalleryExample, format: 'svg' | 'json' | 'html'): Promise<string> {
  const { output, error } = await main([...words, '--format', format], {
    version: 'gallery',
    catalog: bundledCatalog,
    colour: false,
    readInput: () => Promise.resolve(new Uint8Array()),
  });
  if (output === undefined || error !== undefined) throw new Error(error ?? 'the command wrote nothing');
  return output;
}

/** docs/gallery.md. */
export const galleryPage = (): string =>
  `# Gallery

Every kind of chart from one scenario alone: Llama 3.1 70B on four H100, prompts of 2,000 tokens, answers of 300, 16 requests
in flight. Written by \`node scripts/run.js scripts/build-gallery.ts\`; a test draws each again and compares. Each file carries its
receipt: \`twoclocks replay docs/gallery/waterfall.svg\`.

${galleryExamples.map(sectionOf).join('\n')}`;

const sectionOf = ({ kind, summary, words }: GalleryExample): string => `## ${kind}

${summary[0]?.toUpperCase() ?? ''}${summary.slice(1)}.

\`\`\`sh
twoclocks ${words.slice(0, 2).join(' ')} ${words.slice(2, 8).join(' ')} \\
  ${words.slice(8).join(' ')} -o ${kind}.svg
\`\`\`

![${summary}](gallery/${kind}.svg)
`;
