import { definitions } from '../../measured/definitions.ts';
import { definitionList, definitionText } from '../../present/definitions-text.ts';
import type { Command, Given, Outcome } from '../command.ts';
import { InputError } from '../input-error.ts';
import { nearestWord, shown } from '../messages.ts';
import { jsonText } from '../output-format.ts';

export const defineCommand: Command = {
  positionals: '[word]',
  counts: [0, 1],
  options: { json: { type: 'flag', group: 'Output', describe: 'the definitions as JSON' } },
  epilogue: `Examples
  twoclocks define TPOT
  twoclocks define "output speed"`,
  run,
};

function run({ positionals, flags }: Given): Promise<Outcome> {
  const [word] = positionals;
  const found = word === undefined ? definitions : [definitionOf(word)];
  if (flags.has('json'))
    return Promise.resolve({ output: jsonText({ schema: 'twoclocks/define@1', definitions: found }), code: 0 });
  return Promise.resolve({
    output: word === undefined ? definitionList(found) : found.map(definitionText).join('\n'),
    code: 0,
  });
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

function definitionOf(word: string): (typeof definitions)[number] {
  const wanted = folded(word);
  const found = definitions.find(({ term, aliases }) => [term, ...aliases].some((name) => folded(name) === wanted));
  if (found !== undefined) return found;
  const known = definitions.flatMap(({ term, aliases }) => [term, ...aliases]);
  const near = nearestWord(wanted, known);
  const advice = near === undefined ? '' : `, did you mean '${near}'`;
  throw new InputError(
    `no definition of ${shown(word)}${advice}; known are ${definitions.map(({ term }) => term).join(', ')}.`,
  );
}
