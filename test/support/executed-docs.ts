import { readdirSync } from 'node:fs';
import { bundledCatalog } from '../../src/cli/catalog.ts';
import { main } from '../../src/cli/main.ts';

const root = new URL('../../', import.meta.url);

/** Documents whose console examples are run: README and everything in docs/. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The command as a reader without a terminal of colours sees it. */
const surroundings = {
  version: '0.1.0',
  catalog: bundledCatalog,
  colour: false,
  readInput: () => Promise.resolve(new Uint8Array()),
};

/** A fenced block that starts with `$ twoclocks`: the command and, below it, all that it prints. */
const example = /```console\n\$ twoclocks([^\n]*)\n[^]*?```/g;

/** The document with every example's output as the command prints it now. */
export async function executed(text: string): Promise<string> {
  let updated = '';
  let from = 0;
  for (const match of text.matchAll(example)) {
    const words = wordsOf(match[1] ?? '');
    const { output = '', error = '' } = await main(words, surroundings);
    updated += `${text.slice(from, match.index)}\`\`\`console\n$ twoclocks${match[1] ?? ''}\n${output}${error}\`\`\``;
    from = match.index + match[0].length;
  }
  return updated + text.slice(from);
}

/** Words of a command line; quotes keep spaces. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
