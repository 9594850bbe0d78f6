import { plainPaint, terminalPaint } from '../../present/paint.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { jsonText } from '../output-format.ts';
import { progressBar } from '../progress-bar.ts';
import { readCount } from '../read-number.ts';
import { readMeasuredFile } from '../read-runs.ts';

/** Rows of all files together; more would take hours. */
const mostRows = 500_000;

const worstShown = 5;

export const validateCommand: Command = {
  positionals: '<file.csv...>',
  counts: [1, 200],
  options: {
    pairs: {
      type: 'flag',
      group: 'Output',
      describe: 'also compare rows that differ in one factor only: does the prediction move as the measurement does?',
    },
    worst: { type: 'text', group: 'Output', describe: 'how many of the rows that are furthest off to show (5)' },
    json: {
      type: 'flag',
      group: 'Output',
      describe: 'every row with its prediction and band, and the summary, as JSON',
    },
  },
  epilogue: `Predicts every row of measurement CSVs (docs/formats.md#measurement-csv) from nothing but what the row says, and shows
how far off it is by source, engine, device and model. Rows that beat the physical floor are flagged, not judged.

Examples
  twoclocks validate rows.csv
  twoclocks validate rows.csv --pairs --json > validation.json`,
  run,
};

async function run(given: Given, { catalog, colour }: Surroundings): Promise<Outcome> {
  const shown = given.text['worst'] === undefined ? worstShown : readCount('worst', given.text['worst']);
  const [{ validateRows }, { summariseValidation, worstRows }, { summarisePairs, validationPairs }, profilesOf] =
    await Promise.all([
      import('../../measured/validate.ts'),
      import('../../measured/validation-summary.ts'),
      import('../../measured/validation-pairs.ts'),
      import('../measured-profiles.ts'),
    ]);
  const files = await Promise.all(given.positionals.map((path) => readMeasuredFile(path)));
  const rows = files.flatMap(({ where, rows: own }) => {
    if (own === undefined) {
      throw new InputError(`${where} is no measurement CSV; use doctor, diagnose or calibrate for results of a tool`);
    }
    return own;
  });
  if (rows.length > mostRows) {
    throw new InputError(`${rows.length} rows are too many at once; give at most ${mostRows}`);
  }
  const profiles = await profilesOf.measuredProfiles(rows, catalog);
  const bar = progressBar(rows.length);
  const all = validateRows(rows, profiles, bar.show);
  bar.clear();
  const summary = summariseValidation(all);
  const found = given.flags.has('pairs') ? validationPairs(all) : undefined;
  const pairs = found === undefined ? undefined : { pairs: found, summary: summarisePairs(found) };
  if (given.flags.has('json')) {
    const { validationJson } = await import('../../present/validate-json.ts');
    return { output: jsonText(validationJson(all, summary, pairs)), code: 0 };
  }
  const { validationText } = await import('../../present/validate-text.ts');
  const paint = colour ? terminalPaint : plainPaint;
  return { output: validationText(summary, worstRows(all, shown), pairs?.summary, paint), code: 0 };
}
