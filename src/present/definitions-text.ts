import type { Definition } from '../measured/definitions.ts';
import { wrapText } from './wrap-text.ts';

const width = 100;

/** A word with what every tool means by it, for a terminal. */
export function definitionText({ term, aliases, ours, tools }: Definition): string {
  const lines = [
    `${term}${aliases.length === 0 ? '' : ` (also: ${aliases.slice(0, 5).join(', ')})`}`,
    ...wrapText(`  ${ours}`, width, 2),
    '',
    ...tools.flatMap(({ tool, meaning, conversion }) => [
      ...wrapText(`  ${tool}: ${meaning}`, width, 4),
      ...(conversion === undefined ? [] : wrapText(`    -> ${conversion}`, width, 7)),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Every word in one line each. */
export const definitionList = (definitions: readonly Definition[]): string =>
  `${definitions.flatMap(({ term, ours }) => wrapText(`${term}: ${ours}`, width, 2)).join('\n')}\n`;

/** The page of all definitions. */
export function definitionsPage(definitions: readonly Definition[]): string {
  const escaped = (text: string): string => text.replaceAll('|', '\\|');
  const sections = definitions.map(({ term, aliases, ours, tools }) =>
    [
      `## ${term}`,
      '',
      ours,
      '',
      `Also called: ${aliases.join(', ')}.`,
      '',
      '| Tool | Means | To ours |',
      '| --- | --- | --- |',
      ...tools.map(
        ({ tool, meaning, conversion }) =>
          `| ${escaped(tool)} | ${escaped(meaning)} | ${escaped(conversion ?? 'the same')} |`,
      ),
    ].join('\n'),
  );
  return `# What each tool means

The same word means different things in different benchmarks. The readers convert to the meaning here and say so;
\`twoclocks define TPOT\` prints one entry. Generated from the table that both use, by \`npx vitest run test/measured/measured-commands.test.ts -u\`.

${sections.join('\n\n')}
`;
}
