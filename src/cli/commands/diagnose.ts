import { compareRuns } from '../../measured/compare-runs.ts';
import { diagnose } from '../../measured/diagnose.ts';
import { type Targets, targetPresets } from '../../measured/targets.ts';
import { comparisonText, diagnosisText } from '../../present/diagnosis-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import type { Deployment } from '../../profile/scenario.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { jsonText } from '../output-format.ts';
import { assumedLengths, deploymentOptions, readDeployment, readMeasuredFile } from '../read-runs.ts';
import { readSeconds } from '../read-seconds.ts';

const group = 'Targets';

export const diagnoseCommand: Command = {
  positionals: '<file...>',
  counts: [1, 20],
  options: {
    ...deploymentOptions,
    use: {
      type: 'text',
      group,
      choices: targetPresets.map(({ name }) => name),
      describe: 'targets of a use (chat)',
    },
    ttft: { type: 'text', group, describe: "target for TTFT: '400 ms'" },
    tpot: { type: 'text', group, describe: "target for TPOT: '40 ms'" },
    change: {
      type: 'list',
      group: 'Comparison',
      describe: "what is different in the second file: 'hardware=h200', 'tp=8'",
    },
    json: { type: 'flag', group: 'Output', describe: 'the documented JSON object' },
  },
  epilogue: `Which clock is broken, on which resource, and the first two levers with their predicted effect.
A client's and a server's view of the same traffic given together are one diagnosis: their
difference is the network. Two results of one kind are compared: what hardware, lengths and load
explain, and what is left for software. Exit code 1 where a clock is broken or software became
slower.

Uses
${targetPresets.map(({ name, ttft, tpot, source }) => `  ${name.padEnd(11)}TTFT ${ttft} s, TPOT ${tpot} s\n    ${source}`).join('\n')}

Examples
  twoclocks diagnose metrics.txt -m llama-3.1-8b -g h100 --use chat
  twoclocks diagnose client.json metrics.txt -m llama-3.1-8b -g h100
  twoclocks diagnose before.json after.json -m llama-3.1-8b -g h100 --change hardware=h200`,
  run,
};

async function run(given: Given, { catalog, colour }: Surroundings): Promise<Outcome> {
  const targets = await readTargets(given);
  const deployment = await readDeployment(given, catalog);
  const assumed = assumedLengths(given);
  const files = [];
  for (const path of given.positionals) files.push(await readMeasuredFile(path));
  const runs = files.flatMap((file) => file.runs);
  const options = {
    targets,
    assumed,
    ...(deployment === undefined ? {} : { deployment, choices: await choicesOf(catalog) }),
  };
  const diagnoses = diagnose(runs, options);
  const [before, after] = diagnoses.length === 2 && runs.length === 2 && files.length === 2 ? runs : [];
  const comparison =
    before === undefined || after === undefined
      ? undefined
      : compareRuns(
          before,
          after,
          deployment === undefined
            ? undefined
            : { before: deployment, after: await changed(given, deployment, catalog) },
          assumed,
        );
  const bad =
    diagnoses.some(({ broken }) => broken !== 'neither' && broken !== 'unknown') ||
    comparison?.clocks.some(({ verdict }) => verdict === 'software slower') === true;
  const code = bad ? 1 : 0;
  if (given.flags.has('json')) {
    return {
      output: jsonText({
        schema: 'twoclocks/diagnose@1',
        targets,
        diagnoses,
        ...(comparison === undefined ? {} : { comparison }),
      }),
      code,
    };
  }
  const paint = colour ? terminalPaint : plainPaint;
  const texts = [
    ...diagnoses.map((diagnosis) => diagnosisText(diagnosis, targets, paint)),
    ...(comparison === undefined ? [] : [comparisonText(comparison, paint)]),
  ];
  return { output: texts.join('\n'), code };
}

async function readTargets(given: Given): Promise<Targets> {
  const name = given.text['use'] ?? 'chat';
  const preset = targetPresets.find((each) => each.name === name);
  if (preset === undefined)
    throw new InputError(`--use is '${name}'; expected one of ${targetPresets.map((each) => each.name).join(', ')}.`);
  const [ttft, tpot] = [await readSeconds(given, 'ttft'), await readSeconds(given, 'tpot')];
  if (ttft === undefined && tpot === undefined) return preset;
  return {
    name: 'given',
    ttft: ttft ?? preset.ttft,
    tpot: tpot ?? preset.tpot,
    source: ttft === undefined || tpot === undefined ? `the other from ${preset.source}` : 'as given',
  };
}

async function choicesOf(
  catalog: Surroundings['catalog'],
): Promise<NonNullable<Parameters<typeof diagnose>[1]['choices']>> {
  const { allChoices } = await import('../what-if-choices.ts');
  return allChoices(catalog);
}

async function changed(given: Given, deployment: Deployment, catalog: Surroundings['catalog']): Promise<Deployment> {
  if ((given.lists['change'] ?? []).length === 0) return deployment;
  const [{ readChanges }, { applyLevers }] = await Promise.all([
    import('../what-if-choices.ts'),
    import('../../whatif/lever.ts'),
  ]);
  const levers = (await readChanges(given, catalog)).flatMap((change) => change.levers);
  const workload = { prompt: 1000, output: 250, cached: 0, load: { kind: 'concurrency', size: 1 } } as const;
  return applyLevers(levers, { deployment, workload, grade: 'typical' }).deployment;
}
