import { profileKinds } from '../catalog/catalog-entry.ts';
import type { Catalog } from './catalog.ts';
import { commands } from './commands.ts';
import { dashed } from './messages.ts';
import { quietYargs } from './quiet-yargs.ts';

/** Options whose value is a name of the catalogue. */
const optionKinds: Readonly<Record<string, 'models' | 'hardware' | 'engines'>> = {
  model: 'models',
  hardware: 'hardware',
  engine: 'engines',
};

/** yargs's completion script for the shell in use, or, where that script itself asks, the words that fit. */
export async function completion(words: readonly string[], catalog: Catalog): Promise<string> {
  const at = words.indexOf('--get-yargs-completions');
  if (at < 0) return script(words);
  // The script passes the whole line, the program's own name first.
  const [, command = '', ...typed] = words.slice(at + 1);
  const current = typed.at(-1) ?? command;
  const offered = typed.length === 0 ? topWords : await wordsOf(command, typed, catalog);
  return offered.map((word) => (word.startsWith(current) ? `${word}\n` : '')).join('');
}

const topWords = [...commands.map(({ name }) => name), 'completion', 'help', '--help', '--version'];

async function script(words: readonly string[]): Promise<string> {
  const parser = quietYargs(words).help(false).version(false).completion('completion', false);
  return new Promise((resolve, reject) => {
    void parser.parse([...words], {}, (error: Error | undefined | null, _given: unknown, output: string) => {
      if (error instanceof Error) reject(error);
      else resolve(`${output}\n`);
    });
  });
}

/** What may stand at the end of a command's line: the value of an option, an option, a name. */
async function wordsOf(command: string, typed: readonly string[], catalog: Catalog): Promise<readonly string[]> {
  const entry = commands.find(({ name }) => name === command);
  if (entry === undefined) return command === 'help' ? commands.map(({ name }) => name) : [];
  const { options } = await entry.load();
  const [before = '', current = ''] = [typed.at(-2), typed.at(-1)];
  const option = Object.entries(options).find(([name, { alias }]) =>
    [name, ...(alias ?? [])].map(dashed).includes(before),
  );
  if (option !== undefined && option[1].type !== 'flag') return valuesOf(option, catalog);
  if (current.startsWith('-')) return ['help', ...Object.keys(options)].map(dashed);
  if (command === 'list') return profileKinds;
  return command === 'show' ? namesOf(profileKinds, catalog) : [];
}

async function valuesOf(
  [name, { choices }]: readonly [string, { readonly choices?: readonly string[] }],
  catalog: Catalog,
): Promise<readonly string[]> {
  const kind = Object.hasOwn(optionKinds, name) ? optionKinds[name] : undefined;
  return kind === undefined ? (choices ?? []) : namesOf([kind], catalog);
}

async function namesOf(kinds: readonly (typeof profileKinds)[number][], catalog: Catalog): Promise<readonly string[]> {
  const names = await catalog.names();
  return kinds.flatMap((kind) => names[kind].map(({ name }) => name));
}
