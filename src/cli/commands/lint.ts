import { basename } from 'node:path';
import type { Finding } from '../../profile/lint/finding.ts';
import { lintProfile } from '../../profile/lint/lint-profile.ts';
import { plainText } from '../../present/plain-text.ts';
import { jsonText } from '../output-format.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { complaint, inputSentence } from '../input-error.ts';
import { jsonFile } from '../profile-files.ts';

const epilogue = `Hardware profiles are held against the traps of published figures (sparse for dense, shader for tensor,
both directions of a link, GB for GiB ...), models against their published parameter count, engines and
prices against their schema. Exit code 1 where anything was found, 2 where a file cannot be read at all.

Examples
  twoclocks lint my-card.json
  twoclocks lint hardware-profiles/*.json --json`;

export const lintCommand: Command = {
  positionals: '<profile.json...>',
  counts: [1, Infinity],
  options: { json: { type: 'flag', group: 'Output', describe: 'a list of { file, rule, severity, path, message }' } },
  epilogue,
  run,
};

interface FileFinding extends Finding {
  readonly file: string;
}

async function run({ positionals, flags }: Given, { catalog }: Surroundings): Promise<Outcome> {
  const { hardware } = await catalog.names();
  const known = await Promise.all(hardware.map(({ name }) => catalog.hardware(name)));
  const findings: FileFinding[] = [];
  const unreadable: string[] = [];
  for (const file of positionals) {
    try {
      findings.push(...lintProfile(jsonFile(file), basename(file), known).map((finding) => ({ file, ...finding })));
    } catch (error) {
      const sentence = inputSentence(error);
      if (sentence === undefined) throw error;
      unreadable.push(sentence);
    }
  }
  const error = unreadable.map(complaint).join('');
  const read = positionals.length - unreadable.length;
  return {
    ...(flags.has('json') ? { output: jsonText(findings) } : read === 0 ? {} : { output: textOf(findings, read) }),
    ...(error === '' ? {} : { error }),
    code: unreadable.length > 0 || findings.some(({ rule }) => rule === 'readable') ? 2 : findings.length > 0 ? 1 : 0,
  };
}

/** Sentences of readers start with the file that the line names already. */
const withoutFile = (message: string, file: string): string =>
  message.startsWith(`${basename(file)}: `) ? message.slice(basename(file).length + 2) : message;

function textOf(findings: readonly FileFinding[], read: number): string {
  const lines = findings.map(({ file, rule, severity, path, message }) =>
    plainText(`${file}: ${severity}: ${path === '' ? '' : `${path}: `}${withoutFile(message, file)} [${rule}]`),
  );
  const wrong = new Set(findings.map(({ file }) => file)).size;
  const profiles = (count: number): string => `${count} ${count === 1 ? 'profile' : 'profiles'}`;
  const verdict =
    wrong === 0
      ? `${profiles(read)}, nothing found.`
      : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'} in ${wrong} of ${profiles(read)}.`;
  return `${[...lines, verdict].join('\n')}\n`;
}
