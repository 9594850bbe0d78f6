import { estimateJson } from '../../present/estimate-json.ts';
import { estimateText } from '../../present/estimate-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import { jsonText } from '../output-format.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { estimateReceipt } from '../make-receipt.ts';
import { chartDiffers, differs, identical, identicalChart } from '../messages.ts';
import { bytesOfFile, jsonOfBytes } from '../profile-files.ts';
import { chartRecordOf, type ChartReplay, recordInSpec, replayChart } from '../replay-chart.ts';
import { replayReceipt } from '../replay-receipt.ts';

const epilogue = `Takes a receipt, any JSON output that carries one, or a chart, which is drawn again and compared byte for byte; - is
standard input. Exit code 1 where a figure or a byte differs.

Examples
  twoclocks estimate -m llama-3.1-8b -g h100 --json > result.json
  twoclocks replay result.json
  twoclocks chart waterfall -m llama-3.1-8b -g h100 -o clocks.png && twoclocks replay clocks.png
  twoclocks estimate -m llama-3.1-8b -g h100 --json | twoclocks replay -`;

export const replayCommand: Command = {
  positionals: '<receipt.json|chart.svg|->',
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
  const bytes = path === '-' ? await readInput() : bytesOfFile(path);
  const picture = await chartRecordOf(bytes);
  const json = picture === undefined ? jsonOfBytes(bytes, where) : undefined;
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
