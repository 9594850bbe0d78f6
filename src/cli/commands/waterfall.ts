import { alignColumns } from '../../present/align-columns.ts';
import { clockTime } from '../../present/clock-time.ts';
import { screenWidth } from '../../present/estimate-text.ts';
import { plainText } from '../../present/plain-text.ts';
import { deploymentTitle, workloadTitle } from '../../present/scenario-title.ts';
import { tableCsv, tableMarkdown } from '../../present/table-text.ts';
import { wrapText } from '../../present/wrap-text.ts';
import { checkScenario } from '../../profile/check-scenario.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { waterfall, type Waterfall } from '../../whatif/waterfall.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { missingChange } from '../messages.ts';
import { jsonText, outputFormat } from '../output-format.ts';
import { readScenario } from '../read-scenario.ts';
import { outputOptions, scenarioOptions } from '../scenario-options.ts';
import { changeOption, readChanges } from '../what-if-choices.ts';

export const waterfallCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: { ...scenarioOptions, ...changeOption, ...outputOptions },
  epilogue: `Levers are pulled one after the other, in the order given; the order-free share of each is the mean over all orders.

Example
  twoclocks waterfall -m llama-3.1-70b -g h100 --tp 4 -c 16 --change weights=fp8 --change tp=8 --change hit=80%`,
  run,
};

async function run(given: Given, { catalog }: Surroundings): Promise<Outcome> {
  const format = outputFormat(given);
  const { scenario } = await readScenario(given, catalog);
  const levers = (await readChanges(given, catalog)).flatMap((change) => change.levers);
  if (levers.length === 0) throw new InputError(missingChange);
  checkScenario(scenario);
  const result = waterfall(scenario, levers);
  switch (format) {
    case 'text':
      return { output: textOf(scenario, result), code: 0 };
    case 'json':
      return { output: jsonText({ schema: 'twoclocks/waterfall@1', ...result }), code: 0 };
    case 'csv':
    case 'md':
      return { output: (format === 'csv' ? tableCsv : tableMarkdown)(rowsOf(result)), code: 0 };
  }
}

function textOf(scenario: Scenario, { base, steps, end, orderFree, note }: Waterfall): string {
  const signed = (seconds: number): string => `${seconds > 0 ? '+' : ''}${clockTime(seconds)}`;
  const rows = [
    ['', 'TTFT', '', 'TPOT', '', 'E2E', ''],
    ['now', clockTime(base.ttft), '', clockTime(base.tpot), '', clockTime(base.e2e), ''],
    ...steps.map(({ lever, added, after }) => [
      `+ ${plainText(lever)}`,
      clockTime(after.ttft),
      signed(added.ttft),
      clockTime(after.tpot),
      signed(added.tpot),
      clockTime(after.e2e),
      signed(added.e2e),
    ]),
    [
      '',
      clockTime(end.ttft),
      signed(end.ttft - base.ttft),
      clockTime(end.tpot),
      signed(end.tpot - base.tpot),
      clockTime(end.e2e),
      signed(end.e2e - base.e2e),
    ],
    ...(orderFree === undefined
      ? []
      : [
          ['', '', '', '', '', '', ''],
          ['whatever the order', '', '', '', '', '', ''],
          ...orderFree.map(({ lever, added }) => [
            `  ${plainText(lever)}`,
            '',
            signed(added.ttft),
            '',
            signed(added.tpot),
            '',
            signed(added.e2e),
          ]),
        ]),
  ];
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2),
    workloadTitle(scenario.workload),
    '',
    ...alignColumns(rows, [1, 2, 3, 4, 5, 6]),
    ...(note === undefined ? [] : wrapText(`Note: ${plainText(note)}`, screenWidth, 2)),
  ];
  return `${lines.join('\n')}\n`;
}

const rowsOf = ({
  steps,
  orderFree,
}: Waterfall): { headers: readonly string[]; rows: readonly (readonly (string | number)[])[] } => ({
  headers: [
    'lever',
    ...['TTFT', 'TPOT', 'E2E'].flatMap((clock) => [
      `${clock} after (ms)`,
      `${clock} added (ms)`,
      `${clock} order-free (ms)`,
    ]),
  ],
  rows: steps.map(({ lever, added, after }) => {
    const free = orderFree?.find((each) => each.lever === lever)?.added;
    return [
      lever,
      ...(['ttft', 'tpot', 'e2e'] as const).flatMap((clock) => [
        after[clock] * 1e3,
        added[clock] * 1e3,
        free === undefined ? '' : free[clock] * 1e3,
      ]),
    ];
  }),
});
