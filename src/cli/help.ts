import type { Command } from './command.ts';
import { type CommandEntry, commands } from './commands.ts';
import { InputError } from './input-error.ts';
import { unknownCommand } from './messages.ts';
import { quietYargs } from './quiet-yargs.ts';
import { alignColumns } from '../present/align-columns.ts';
import { screenWidth } from '../present/estimate-text.ts';

const examples = `Examples
  Will it be fast enough, and what limits it?
    twoclocks estimate --model llama-3.1-70b --hardware h100 --tp 4 --prompt 2k --output 300 --concurrency 16
  What is the least that physics allows?
    twoclocks estimate --model llama-3.1-70b --hardware h100 --tp 4 --ideal
  A model that is only a file:
    twoclocks import ./my-model/config.json -o my-model.json
    twoclocks estimate --model my-model.json --hardware h100
  Is this result real?
    twoclocks estimate -m llama-3.1-8b -g h100 --json > result.json && twoclocks replay result.json

Numbers: 2k = 2K = 2000, 2Ki = 2048, 1e3, 128_000. A text with a path or a .json or .gguf ending is a file, anything
else a name; names of the catalogue go before files. Exit codes: 0 fine, 1 findings, 2 wrong input, 3 a fault of the
program.`;

/** Help over all, or of one command. */
export async function helpText(name: string | undefined): Promise<string> {
  if (name === undefined) return overall();
  const entry = commands.find((each) => each.name === name);
  if (entry === undefined)
    throw new InputError(
      unknownCommand(
        name,
        commands.map((each) => each.name),
      ),
    );
  return ofCommand(entry, await entry.load());
}

function overall(): string {
  const entries = [
    ...commands,
    {
      name: 'completion',
      group: 'Shell',
      summary: 'a completion script: twoclocks completion >> ~/.bashrc (or ~/.zshrc)',
    },
  ];
  const groups = [...new Set(entries.map(({ group }) => group))];
  const rows = alignColumns(entries.map((entry) => [`  ${entry.name}`, entry.summary]));
  return [
    'twoclocks: which clock of LLM inference will a change move, TTFT or TPOT, by how much, and what limits it then?',
    '',
    'Usage: twoclocks <command> [options], twoclocks <command> --help',
    '',
    ...groups.flatMap((group) => [group, ...rows.filter((_, index) => entries[index]?.group === group), '']),
    examples,
    '',
  ].join('\n');
}

async function ofCommand({ name, summary }: CommandEntry, command: Command): Promise<string> {
  const positionals = command.positionals === '' ? '' : ` ${command.positionals}`;
  const parser = quietYargs([])
    .usage(`twoclocks ${name}${positionals} [options]\n\n${summary}`)
    .version(false)
    .help(false)
    .wrap(screenWidth)
    .epilogue(unbroken(command.epilogue));
  for (const [option, { type, alias, describe, choices, group }] of Object.entries(command.options)) {
    parser.option(option, {
      alias: [...(alias ?? [])],
      describe: type === 'list' ? `${describe} (may be given several times)` : describe,
      group: `${group}:`,
      // yargs names the type of every option; only flags differ from the rest in what follows them.
      ...(type === 'flag' ? { type: 'boolean' as const } : { type: 'string' as const }),
      ...(choices === undefined ? {} : { choices: [...choices] }),
    });
  }
  return `${await parser.getHelp()}\n`;
}

/** Paragraphs in one line each, so that they are wrapped once, to the screen; indented lines stay as they are. */
const unbroken = (text: string): string =>
  text.split('\n').reduce((whole, line, index, lines) => {
    const before = lines[index - 1] ?? '';
    return whole + (/^\S/.test(before) && /^\S/.test(line) ? ' ' : index === 0 ? '' : '\n') + line;
  }, '');
