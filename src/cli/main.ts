import { commands } from './commands.ts';
import type { Outcome, Surroundings } from './command.ts';
import { complaint, inputSentence, InputError } from './input-error.ts';
import { missingArgument, needlessArgument, unknownCommand, unknownOption } from './messages.ts';
import { parseArguments } from './parse-arguments.ts';

/**
 * The whole command: words in, text and exit code out. Nothing is printed here.
 * @throws only what is a fault of the program.
 */
export async function main(words: readonly string[], surroundings: Surroundings): Promise<Outcome> {
  try {
    return await outcomeOf(words, surroundings);
  } catch (error) {
    const sentence = inputSentence(error);
    if (sentence === undefined) throw error;
    return { error: complaint(sentence), code: 2 };
  }
}

async function outcomeOf(words: readonly string[], surroundings: Surroundings): Promise<Outcome> {
  const [first, ...rest] = words;
  if (first === undefined) {
    const { demo } = await import('./demo.ts');
    return demo(surroundings);
  }
  if (first === '--version' || first === '-v') return { output: `${surroundings.version}\n`, code: 0 };
  if (first === '--help' || first === '-h' || first === 'help') return help(rest);
  if (first === 'completion' || words.includes('--get-yargs-completions')) {
    const { completion } = await import('./completion.ts');
    return { output: await completion(words, surroundings.catalog), code: 0 };
  }
  const entry = commands.find(({ name }) => name === first);
  if (entry === undefined) {
    if (first.startsWith('-')) throw new InputError(unknownOption(first.replace(/^-+/, ''), '', ['help', 'version']));
    throw new InputError(unknownCommand(first, [...commands.map(({ name }) => name), 'completion', 'help']));
  }
  const command = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) return help([first]);
  const given = parseArguments(entry.name, rest, command.options);
  const [least, most] = command.counts;
  if (given.positionals.length < least) throw new InputError(missingArgument(entry.name, command.positionals));
  const surplus = given.positionals[most];
  if (surplus !== undefined) throw new InputError(needlessArgument(entry.name, surplus));
  return command.run(given, surroundings);
}

async function help(words: readonly string[]): Promise<Outcome> {
  const { helpText } = await import('./help.ts');
  return { output: await helpText(words[0]), code: 0 };
}
