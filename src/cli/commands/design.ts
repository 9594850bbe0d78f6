import { alignColumns } from '../../present/align-columns.ts';
import { clockTime } from '../../present/clock-time.ts';
import { screenWidth } from '../../present/estimate-text.ts';
import { deploymentTitle, workloadTitle } from '../../present/scenario-title.ts';
import { wrapText } from '../../present/wrap-text.ts';
import { checkScenario } from '../../profile/check-scenario.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { formatRounded } from '../../quantity/format-quantity.ts';
import { type InverseDesign, inverseDesign } from '../../whatif/inverse-design.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { missingTarget } from '../messages.ts';
import { jsonText } from '../output-format.ts';
import { readCount } from '../read-number.ts';
import { readScenario } from '../read-scenario.ts';
import { readSeconds } from '../read-seconds.ts';
import { scenarioOptions } from '../scenario-options.ts';
import { allDevices } from '../what-if-choices.ts';

const targets = 'Targets';

export const designCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: {
    ...scenarioOptions,
    ttft: { type: 'text', group: targets, describe: "time to the first token to meet: '200 ms'" },
    tpot: { type: 'text', group: targets, describe: "time per output token to meet: '20 ms'" },
    top: { type: 'text', group: targets, describe: 'devices to show (8)' },
    json: { type: 'flag', group: 'Output', describe: 'the documented JSON object' },
  },
  epilogue: `Scales the FLOP/s and bandwidth of the device given until the targets are just met; engine, links and spread stay.

Example
  twoclocks design -m llama-3.1-70b -g h100 --tp 4 -p 2k -o 300 -c 16 --ttft '400 ms' --tpot '15 ms'`,
  run,
};

async function run(given: Given, { catalog }: Surroundings): Promise<Outcome> {
  const { text, flags } = given;
  const top = text['top'] === undefined ? 8 : readCount('top', text['top']);
  const [ttft, tpot] = [await readSeconds(given, 'ttft'), await readSeconds(given, 'tpot')];
  if (ttft === undefined && tpot === undefined) throw new InputError(missingTarget);
  const { scenario } = await readScenario(given, catalog);
  checkScenario(scenario);
  const wanted = { ...(ttft === undefined ? {} : { ttft }), ...(tpot === undefined ? {} : { tpot }) };
  const result = inverseDesign(scenario, wanted, await allDevices(catalog));
  if (flags.has('json'))
    return { output: jsonText({ schema: 'twoclocks/design@1', targets: wanted, ...result }), code: 0 };
  return { output: textOf(scenario, result, top), code: 0 };
}

function textOf(scenario: Scenario, { needed, has, capacity, floor, devices }: InverseDesign, top: number): string {
  const rate = (value: number): string => formatRounded(value, 'flop-rate');
  const speed = (value: number): string => formatRounded(value, 'bandwidth');
  const size = (value: number): string => formatRounded(value, 'bytes');
  const sentence =
    needed === undefined
      ? `No FLOP/s and no bandwidth meets the targets: TTFT ${clockTime(floor.ttft)} and TPOT ${clockTime(floor.tpot)} are links, overhead and waiting.`
      : `Needed per device: ${rate(needed.flops)} (it has ${rate(has.flops)}), ${speed(needed.bandwidth)} (it has ${speed(has.bandwidth)}), and ${size(capacity)} to hold the work (it has ${size(has.capacity)}).`;
  const rows = [
    ['device', '', 'TTFT', 'TPOT', 'FLOP/s', 'bandwidth', 'capacity'],
    ...devices
      .slice(0, top)
      .map((device) => [
        device.title,
        device.meets ? 'meets' : device.fits ? '' : 'does not fit',
        clockTime(device.ttft),
        clockTime(device.tpot),
        rate(device.flops),
        speed(device.bandwidth),
        size(device.capacity),
      ]),
  ];
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2),
    workloadTitle(scenario.workload),
    '',
    ...wrapText(sentence, screenWidth, 2),
    '',
    ...alignColumns(rows, [2, 3, 4, 5, 6]),
  ];
  return `${lines.join('\n')}\n`;
}
