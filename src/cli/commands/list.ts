import { profileKinds } from '../../catalog/catalog-entry.ts';
import { alignColumns } from '../../present/align-columns.ts';
import { plainText, shortened } from '../../present/plain-text.ts';
import { jsonText } from '../output-format.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { nothingListed, wrongKind } from '../messages.ts';

const epilogue = `Examples
  twoclocks list hardware
  twoclocks list models --json
  twoclocks list hardware apple        only what has that word in its name, aliases or facts`;

export const listCommand: Command = {
  positionals: 'hardware|models|engines [word...]',
  counts: [1, 9],
  options: { json: { type: 'flag', group: 'Output', describe: 'a list of { name, aliases, summary }' } },
  epilogue,
  run,
};

async function run({ positionals, flags }: Given, { catalog }: Surroundings): Promise<Outcome> {
  const [written = '', ...words] = positionals;
  const kind = profileKinds.find((each) => each === written || each === `${written}s`);
  if (kind === undefined) throw new InputError(wrongKind(written, profileKinds));
  const folded = words.map((word) => word.toLowerCase());
  const entries = (await catalog.names())[kind].filter((entry) => {
    const text = [entry.name, ...entry.aliases, entry.summary].join(' ').toLowerCase();
    return folded.every((word) => text.includes(word));
  });
  if (flags.has('json')) return { output: jsonText(entries), code: 0 };
  if (entries.length === 0) return { output: `${plainText(nothingListed(kind, words))}\n`, code: 1 };
  const lines = alignColumns(entries.map(({ name, summary }) => [name, summary]));
  return { output: lines.map((line) => `${shortened(line, 160)}\n`).join(''), code: 0 };
}
