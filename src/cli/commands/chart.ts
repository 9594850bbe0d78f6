import { estimate } from '../../estimate.ts';
import { alignColumns } from '../../present/align-columns.ts';
import { chartNames, isChartKind } from '../../present/chart/chart-names.ts';
import type { ChartFormat, ChartRecord } from '../../present/render/chart-record.ts';
import { chartOptions } from '../chart-request.ts';
import type { Command, Given, OptionTable, Outcome, Surroundings } from '../command.ts';
import { drawChart } from '../draw-chart.ts';
import { InputError } from '../input-error.ts';
import { estimateReceipt } from '../make-receipt.ts';
import * as message from '../messages.ts';
import { jsonText } from '../output-format.ts';
import { readScenarios } from '../read-scenarios.ts';
import { scenarioOptions } from '../scenario-options.ts';
import { writeAside } from '../write-aside.ts';

const formats: readonly ChartFormat[] = ['svg', 'png', 'json', 'html'];

const epilogue = `Kinds
${alignColumns(chartNames.map(({ name, summary }) => [`  ${name}`, summary])).join('\n')}

Every file carries its receipt: 'twoclocks replay chart.svg' draws it again and compares it byte for byte.

Examples
  What are the clocks spent on?
    twoclocks chart waterfall -m llama-3.1-70b -g h100 --tp 4 -p 2k --output 300 -c 16 -o clocks.svg
  Before and after, as a picture for a slide:
    twoclocks chart what-if -m llama-3.1-70b -g h100 --tp 4 --change hardware=h200 --change tp=8 -o change.png
  A page with tooltips that works offline; a specification for any Vega editor:
    twoclocks chart pareto -m llama-3.1-70b -g h100 --tp 4 --target-tpot '30 ms' -o pareto.html
    twoclocks chart roofline -m llama-3.1-8b -g h100 -o roofline.json
  A comparison of a scenario file:
    twoclocks chart what-if --scenario plan.yaml#bigger-gpu -o plan.svg`;

/** The output tokens lose their short spelling to the file that is written. */
const { output: outputTokens, ...otherOptions } = scenarioOptions;
const options: OptionTable = {
  ...otherOptions,
  ...(outputTokens === undefined ? {} : { output: { ...outputTokens, alias: [] } }),
  ...chartOptions,
  out: { type: 'text', group: 'Output', alias: ['o'], describe: 'file to write: .svg, .png, .json or .html' },
  format: {
    type: 'text',
    group: 'Output',
    choices: formats,
    describe: 'format, where the name of the file does not say',
  },
  list: { type: 'flag', group: 'Output', describe: 'the kinds of charts' },
  json: { type: 'flag', group: 'Output', describe: 'with --list: as JSON; else the same as --format json' },
};

export const chartCommand: Command = { positionals: '[kind]', counts: [0, 1], options, epilogue, run };

async function run(given: Given, surroundings: Surroundings): Promise<Outcome> {
  const { catalog, version } = surroundings;
  const [kind] = given.positionals;
  if (given.flags.has('list')) return list(given);
  const kinds = chartNames.map(({ name }) => name);
  if (kind === undefined) throw new InputError(message.missingChart(kinds));
  if (!isChartKind(kind)) throw new InputError(message.unknownChart(kind, kinds));
  const { out } = given.text;
  const format = formatOf(given);
  if (format === 'png' && out === undefined) throw new InputError(message.binaryToScreen);
  const { scenario, own, others, changes } = await readScenarios(given, catalog);
  const record: ChartRecord = {
    schema: 'twoclocks/chart@1',
    kind,
    format,
    options: typedOptions(kind === 'what-if' ? withChanges(given, changes) : given),
    receipt: estimateReceipt(scenario, estimate(scenario), own, version),
    ...(others.length === 0
      ? {}
      : {
          others: others.map((other) => ({
            label: other.label,
            receipt: estimateReceipt(other.scenario, estimate(other.scenario), other.own, version),
          })),
        }),
  };
  const content = await drawChart(record, scenario, others, catalog);
  if (out === undefined) return { output: String(content), code: 0 };
  writeAside(out, content);
  return { output: '', code: 0 };
}

function list({ flags }: Given): Outcome {
  if (flags.has('json'))
    return { output: jsonText(chartNames.map(({ name, summary }) => ({ name, summary }))), code: 0 };
  return { output: `${alignColumns(chartNames.map(({ name, summary }) => [name, summary])).join('\n')}\n`, code: 0 };
}

function formatOf({ text, flags }: Given): ChartFormat {
  const { format, out } = text;
  const isFormat = (name: string | undefined): name is ChartFormat => formats.some((each) => each === name);
  if (isFormat(format)) return format;
  if (out === undefined || flags.has('json')) return 'json';
  const ending = /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase();
  if (isFormat(ending)) return ending;
  throw new InputError(message.wrongChartFormat(out, formats));
}

/** Changes of a comparison count where none are typed. */
const withChanges = (given: Given, changes: readonly string[]): Given =>
  given.lists['change'] !== undefined || changes.length === 0
    ? given
    : { ...given, lists: { ...given.lists, change: changes } };

/** What was said about the chart, as it was typed. */
function typedOptions({ text, lists }: Given): ChartRecord['options'] {
  const said = Object.keys(chartOptions).flatMap((name): readonly (readonly [string, string | readonly string[]])[] => {
    const value = text[name] ?? lists[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(said);
}
