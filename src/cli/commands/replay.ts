import { estimateJson } from '../../present/estimate-json.ts';
import { estimateText } from '../../present/estimate-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { jsonText } from '../output-format.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { estimateReceipt } from '../make-receipt.ts';
import { differs, identical } from '../messages.ts';
import { jsonFile, jsonOfBytes } from '../profile-files.ts';
import { replayReceipt } from '../replay-receipt.ts';

const epilogue = `Takes a receipt, or any JSON output that carries one; - is standard input. Exit code 1 where a figure differs.

Examples
  twoclocks estimate -m llama-3.1-8b -g h100 --json > result.json
  twoclocks replay result.json
  twoclocks estimate -m llama-3.1-8b -g h100 --json | twoclocks replay -`;

export const replayCommand: Command = {
  positionals: '<receipt.json|->',
  counts: [1, 1],
  options: {
    json: {
      type: 'flag',
      group: 'Output',
      describe: 'an object with identical, the difference, notes and the estimate',
    },
  },
  epilogue,
  run,
};

async function run({ positionals, flags }: Given, surroundings: Surroundings): Promise<Outcome> {
  const { catalog, version, colour, readInput } = surroundings;
  const [path = ''] = positionals;
  const where = path === '-' ? 'standard input' : path;
  const json = path === '-' ? jsonOfBytes(await readInput(), where) : jsonFile(path);
  const { scenario, estimate, own, difference, notes } = await replayReceipt(json, where, catalog, version);
  const code = difference === undefined ? 0 : 1;
  if (flags.has('json')) {
    const output = {
      schema: 'twoclocks/replay@1',
      identical: difference === undefined,
      ...(difference === undefined ? {} : { difference }),
      notes,
      estimate: estimateJson(estimate, estimateReceipt(scenario, estimate, own, version)),
    };
    return { output: jsonText(output), code };
  }
  const verdict = difference === undefined ? identical : differs(difference.figure, difference.was, difference.now);
  const lines = [...notes.map((note) => `Note: ${note}`), verdict];
  return {
    output: `${estimateText(scenario, estimate, colour ? terminalPaint : plainPaint)}\n${lines.join('\n')}\n`,
    code,
  };
}
