import { screenWidth } from '../../present/estimate-text.ts';
import { deploymentTitle, workloadTitle } from '../../present/scenario-title.ts';
import { wrapText } from '../../present/wrap-text.ts';
import { checkClaim, type ClaimResult } from '../../whatif/check-claim.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { missingClaim } from '../messages.ts';
import { jsonText } from '../output-format.ts';
import { readPositive } from '../read-number.ts';
import { readScenario } from '../read-scenario.ts';
import { readSeconds } from '../read-seconds.ts';
import { scenarioOptions } from '../scenario-options.ts';

const claim = 'Claim';

export const checkCommand: Command = {
  positionals: '',
  counts: [0, 0],
  options: {
    ...scenarioOptions,
    ttft: { type: 'text', group: claim, describe: "claimed time to the first token: '250 ms'" },
    tpot: { type: 'text', group: claim, describe: "claimed time per output token: '12.2 ms'" },
    'tokens-per-second': { type: 'text', group: claim, describe: 'claimed output tokens per second of one stream' },
    throughput: { type: 'text', group: claim, describe: 'claimed output tokens per second of the whole deployment' },
    plain: { type: 'flag', group: claim, describe: 'of an empty cache and without speculation' },
    json: { type: 'flag', group: 'Output', describe: 'the documented JSON object' },
  },
  epilogue: `Exit code 1 where a claim is impossible.

Examples
  twoclocks check -m llama-3.1-70b -g dgx-spark-gb10 -e llama.cpp --weights int4-g32 --tokens-per-second 82
  twoclocks check -m llama-3-8b -g a100-80gb --prompt 50k --output 1 --batch 1 --ttft '2.5 s' --plain`,
  run,
};

async function run(given: Given, { catalog }: Surroundings): Promise<Outcome> {
  const { text, flags } = given;
  const { scenario } = await readScenario(given, catalog);
  const rate = (name: string): number | undefined =>
    text[name] === undefined ? undefined : readPositive(name, text[name], 'tokens per second such as 82');
  const [ttft, tpot] = [await readSeconds(given, 'ttft'), await readSeconds(given, 'tpot')];
  const [single, throughput] = [rate('tokens-per-second'), rate('throughput')];
  const paced = tpot ?? (single === undefined ? undefined : 1 / single);
  if (ttft === undefined && paced === undefined && throughput === undefined) throw new InputError(missingClaim);
  const results = checkClaim(scenario, {
    ...(ttft === undefined ? {} : { ttft }),
    ...(paced === undefined ? {} : { tpot: paced }),
    ...(throughput === undefined ? {} : { outputTokensPerSecond: throughput }),
    plain: flags.has('plain'),
  });
  const code = results.some(({ verdict }) => verdict === 'impossible') ? 1 : 0;
  if (flags.has('json')) return { output: jsonText({ schema: 'twoclocks/check@1', claims: results }), code };
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2),
    workloadTitle(scenario.workload),
    ...results.flatMap(linesOf),
  ];
  return { output: `${lines.join('\n')}\n`, code };
}

const linesOf = ({ inequality, sentence }: ClaimResult): readonly string[] => [
  '',
  inequality,
  ...wrapText(sentence, screenWidth, 2),
];
