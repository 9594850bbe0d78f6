import { Parser } from 'yargs/helpers';
import type { Given, OptionTable } from './command.ts';
import { InputError } from './input-error.ts';
import * as message from './messages.ts';

/*
 * yargs's parser splits the words; what they mean is checked here, so that everything that is wrong gets one sentence.
 * The rest of yargs comes with help and completion only, as its start costs more than the whole engine.
 */

/** Words as yargs splits them, for the options of one command. */
interface Split {
  readonly values: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
}

/** How words are split: names as written, numbers left as text, `--no-x` and `a.b` no special forms. */
export const parserConfiguration = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
  'strip-aliased': true,
  'strip-dashed': false,
  'duplicate-arguments-array': true,
  'flatten-duplicate-arrays': true,
  'greedy-arrays': false,
} as const;

/**
 * Splits the words of one command into options and the rest.
 * @throws InputError for an unknown option, a missing or needless value, an option given twice, a wrong choice.
 */
export function parseArguments(command: string, words: readonly string[], options: OptionTable): Given {
  refuseFlagValues(words, options);
  const { values, words: positionals } = split(words, options);
  const text: Record<string, string> = {};
  const lists: Record<string, readonly string[]> = {};
  const flags = new Set<string>();
  for (const [name, value] of Object.entries(values)) {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw new InputError(message.unknownOption(name, command, spellings(options)));
    if (value === undefined || value === false) continue;
    const given = (Array.isArray(value) ? value : [value]).map(String);
    if (option.type === 'flag') {
      flags.add(name);
      continue;
    }
    if (given.some((each) => each === '')) throw new InputError(message.missingValue(name));
    if (option.type === 'list') {
      lists[name] = given;
      continue;
    }
    const [only = ''] = given;
    if (given.length > 1) throw new InputError(message.givenTwice(name, given));
    if (option.choices !== undefined && !option.choices.includes(only)) {
      throw new InputError(message.wrongChoice(name, only, option.choices));
    }
    text[name] = only;
  }
  return { text, flags, lists, positionals };
}

/** The parser takes `--ideal=maybe` for no; only true and false may stand there. */
function refuseFlagValues(words: readonly string[], options: OptionTable): void {
  for (const word of words) {
    const [, name = '', value = ''] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
    const isFlag = Object.hasOwn(options, name) && options[name]?.type === 'flag';
    if (isFlag && value !== 'true' && value !== 'false') throw new InputError(message.needlessValue(name, value));
  }
}

function split(words: readonly string[], options: OptionTable): Split {
  const entries = Object.entries(options);
  const { _: rest, ...values } = Parser([...words], {
    alias: Object.fromEntries(entries.map(([name, { alias }]) => [name, [...(alias ?? [])]])),
    boolean: entries.flatMap(([name, { type }]) => (type === 'flag' ? [name] : [])),
    string: entries.flatMap(([name, { type }]) => (type === 'flag' ? [] : [name])),
    configuration: parserConfiguration,
  });
  return { values, words: rest.map(String) };
}

const spellings = (options: OptionTable): readonly string[] => [
  'help',
  ...Object.entries(options).flatMap(([name, { alias }]) => [name, ...(alias ?? [])]),
];
