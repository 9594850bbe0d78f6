import { estimateJson } from '../../present/estimate-json.ts';
import { estimateText } from '../../present/estimate-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { jsonText } from '../output-format.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { estimateReceipt } from '../make-receipt.ts';
import { chartDiffers, differs, identical, identicalChart, identicalRun, identicalValues } from '../messages.ts';
import { bytesOfFile, jsonOfBytes } from '../profile-files.ts';
import { chartRecordOf, type ChartReplay, recordInSpec, replayChart } from '../replay-chart.ts';
import { replayReceipt } from '../replay-receipt.ts';
import { isSimulation, replaySimulation } from '../simulate-json.ts';

const epilogue = `Takes a receipt, any JSON output that carries one, the JSON of a simulation, which is run again, or a chart, which is
drawn again; the last two are compared byte for byte. - is standard input. Exit code 1 where a figure or a byte differs.

Examples
  twoclocks estimate -m llama-3.1-8b -g h100 --json > result.json
  twoclocks replay result.json
  twoclocks chart waterfall -m llama-3.1-8b -g h100 -o clocks.png && twoclocks replay clocks.png
  twoclocks estimate -m llama-3.1-8b -g h100 --json | twoclocks replay -
  twoclocks simulate -m llama-3.1-8b -g h100 --rate 20 --json > run.json && twoclocks replay run.json`;

export const replayCommand: Command = {
  positionals: '<receipt.json|chart.svg|->',
  counts: [1, 1],
  options: {
    json: {
      type: 'flag',
      group: 'Output',
      describe:
        'an object with identical, the difference, notes and the estimate; of a simulation its JSON as it is now',
    },
  },
  epilogue,
  run,
};

async function run({ positionals, flags }: Given, surroundings: Surroundings): Promise<Outcome> {
  const { catalog, version, colour, readInput } = surroundings;
  const [path = ''] = positionals;
  const where = path === '-' ? 'standard input' : path;
  const bytes = path === '-' ? await readInput() : bytesOfFile(path);
  const picture = await chartRecordOf(bytes);
  const json = picture === undefined ? jsonOfBytes(bytes, where) : undefined;
  if (isSimulation(json)) {
    const { output, identical: same, difference, notes } = await replaySimulation(json, bytes, where, catalog);
    const code = same === false ? 1 : 0;
    if (flags.has('json')) return { output, code };
    const verdict = same === 'bytes' ? identicalRun : same === 'values' ? identicalValues : (difference ?? '');
    return { output: `${[...notes.map((note) => `Note: ${note}`), verdict].join('\n')}\n`, code };
  }
  const record = picture ?? recordInSpec(json);
  const replay: ChartReplay =
    record === undefined
      ? await replayReceipt(json, where, catalog, version)
      : await replayChart(record, bytes, where, catalog, version);
  const { scenario, estimate, own, difference, differentByte, notes } = replay;
  const isIdentical = difference === undefined && differentByte === undefined;
  const code = isIdentical ? 0 : 1;
  if (flags.has('json')) {
    const output = {
      schema: 'twoclocks/replay@1',
      identical: isIdentical,
      ...(difference === undefined ? {} : { difference }),
      ...(differentByte === undefined ? {} : { differentByte }),
      notes,
      estimate: estimateJson(estimate, estimateReceipt(scenario, estimate, own, version)),
    };
    return { output: jsonText(output), code };
  }
  const same = record === undefined ? identical : identicalChart;
  const verdict =
    difference !== undefined
      ? differs(difference.figure, difference.was, difference.now)
      : differentByte === undefined
        ? same
        : chartDiffers(differentByte);
  const lines = [...notes.map((note) => `Note: ${note}`), verdict];
  return {
    output: `${estimateText(scenario, estimate, colour ? terminalPaint : plainPaint)}\n${lines.join('\n')}\n`,
    code,
  };
}
