import type { CandidateRow } from '../../measured/calibration-row.ts';
import { calibrationText } from '../../present/calibration-text.ts';
import { plainPaint, terminalPaint } from '../../present/paint.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { jsonText } from '../output-format.ts';
import { assumedLengths, deploymentOptions, readDeployment, readMeasuredFile } from '../read-runs.ts';
import { writeAside } from '../write-aside.ts';

export const calibrateCommand: Command = {
  positionals: '<file...>',
  counts: [1, 200],
  options: {
    ...deploymentOptions,
    out: {
      type: 'text',
      group: 'Output',
      alias: ['o'],
      describe: 'write the overlay to this file, for --calibration of any command',
    },
    json: { type: 'flag', group: 'Output', describe: 'parameters, rows, residuals and what was left out, as JSON' },
  },
  epilogue: `Fits shares of peak, overheads and link latency to your own rows by bounded least squares, each
only where the rows identify it. A measurement CSV says itself what ran; for benchmark results
give model and hardware.

Examples
  twoclocks calibrate rows.csv -o my.json && twoclocks estimate -m llama-3.1-8b -g h100 --calibration my.json
  twoclocks calibrate c1.json c8.json c64.json -m llama-3.1-8b -g h100 -o my.json`,
  run,
};

async function run(given: Given, { catalog, colour }: Surroundings): Promise<Outcome> {
  const deployment = await readDeployment(given, catalog);
  const assumed = assumedLengths(given);
  // The fit comes with its libraries: loaded only here.
  const [{ calibrate }, { rowOfMeasurement, rowsOfRun }, { measuredProfiles }] = await Promise.all([
    import('../../measured/calibrate.ts'),
    import('../../measured/calibration-row.ts'),
    import('../measured-profiles.ts'),
  ]);
  const candidates: CandidateRow[] = [];
  for (const path of given.positionals) {
    const { where, rows, runs } = await readMeasuredFile(path);
    if (rows !== undefined) {
      const profiles = await measuredProfiles(rows, catalog);
      candidates.push(...rows.map((row) => rowOfMeasurement(row, profiles, where)));
    } else if (deployment === undefined) {
      throw new InputError(
        `${where} does not say what ran; give --model and --hardware, and --tp where more than one device did.`,
      );
    } else {
      candidates.push(...runs.flatMap((each) => rowsOfRun(each, deployment, assumed)));
    }
  }
  const result = calibrate(candidates);
  const { out } = given.text;
  if (out !== undefined) writeAside(out, jsonText(result.calibration));
  if (given.flags.has('json')) return { output: jsonText({ schema: 'twoclocks/calibrate@1', ...result }), code: 0 };
  const text = calibrationText(result, colour ? terminalPaint : plainPaint);
  return { output: out === undefined ? text : `${text}Written; use it with --calibration.\n`, code: 0 };
}
