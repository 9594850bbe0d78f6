import { profileKinds } from '../catalog/catalog-entry.ts';
import type { Catalog } from './catalog.ts';
import { commands } from './commands.ts';
import { quietYargs } from './parse-arguments.ts';

/** Options whose value is a name of the catalogue. */
const named: Readonly<Record<string, 'models' | 'hardware' | 'engines'>> = {
  '--model': 'models',
  '-m': 'models',
  '--hardware': 'hardware',
  '-g': 'hardware',
  '--engine': 'engines',
  '-e': 'engines',
};

/** The completion script for the shell in use, or, where the script itself asks, the words that fit. */
export async function completion(words: readonly string[], catalog: Catalog): Promise<string> {
  const offered = words.includes('--get-yargs-completions') ? await wordsFor(words, catalog) : undefined;
  if (offered !== undefined) return offered.map((word) => `${word}\n`).join('');
  const parser = quietYargs(words).help(false).version(false).completion('completion', false);
  for (const { name, summary, load } of commands) {
    const { options } = await load();
    parser.command(name, summary, (command) => {
      for (const [option, { type, describe, choices }] of Object.entries(options)) {
        command.option(option, {
          describe,
          ...(type === 'flag' ? { type: 'boolean' as const } : { type: 'string' as const }),
          ...(choices === undefined ? {} : { choices: [...choices] }),
        });
      }
      return command;
    });
  }
  return new Promise((resolve, reject) => {
    void parser.parse([...words], {}, (error: Error | undefined | null, _given: unknown, output: string) => {
      if (error instanceof Error) reject(error);
      else resolve(output === '' ? '' : `${output}\n`);
    });
  });
}

/** Names of the catalogue where one is wanted; undefined where yargs knows better. */
async function wordsFor(words: readonly string[], catalog: Catalog): Promise<readonly string[] | undefined> {
  const typed = words.slice(words.indexOf('--get-yargs-completions') + 1);
  const [, command] = typed;
  const current = typed.at(-1) ?? '';
  const kind = named[typed.at(-2) ?? ''];
  const starting = (names: readonly string[]): readonly string[] => names.filter((name) => name.startsWith(current));
  if (kind !== undefined) return starting((await catalog.names())[kind].map(({ name }) => name));
  if (current.startsWith('-') || typed.length !== 3) return undefined;
  if (command === 'list') return starting(profileKinds);
  if (command !== 'show') return undefined;
  const names = await catalog.names();
  return starting(profileKinds.flatMap((each) => names[each].map(({ name }) => name)));
}
