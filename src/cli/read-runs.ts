import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';
import { harmless } from '../exchange/benchmark/messages.ts';
import { readBenchmarkFile } from '../exchange/benchmark/read-file.ts';
import type { Measurement } from '../measured/measurement.ts';
import { readMeasurements } from '../measured/read-measurements.ts';
import { runsOfMeasurements } from '../measured/runs-of-measurements.ts';
import type { Deployment } from '../profile/scenario.ts';
import type { Catalog } from './catalog.ts';
import type { Given, OptionTable } from './command.ts';
import { InputError } from './input-error.ts';
import { tooLargeFile, unreadable } from './messages.ts';
import { readCount } from './read-number.ts';
import { readScenario } from './read-scenario.ts';
import { scenarioOptions } from './scenario-options.ts';
import { reasonOf } from './system-reason.ts';

/** A file of measurements of any kind. */
export interface MeasuredFile {
  readonly where: string;
  readonly format: string;
  readonly runs: readonly BenchmarkRun[];
  /** Rows, where it is a measurement CSV. */
  readonly rows?: readonly Measurement[];
}

const largestCsv = 64e6;

/** @throws BenchmarkError, MeasurementError or InputError with one sentence. */
export async function readMeasuredFile(path: string): Promise<MeasuredFile> {
  const where = harmless(basename(path));
  if (!isMeasurementCsv(path)) return { where, ...(await readBenchmarkFile(path)) };
  const { size } = statSync(path);
  if (size > largestCsv) throw new InputError(tooLargeFile(path, size, largestCsv));
  const rows = readMeasurements(readFileSync(path, 'utf8'), where);
  return { where, format: 'measurement CSV', rows, runs: runsOfMeasurements(rows, where) };
}

/** Told by its header, which every row of docs/formats.md#measurement-csv shares. */
function isMeasurementCsv(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(2048);
      const length = readSync(file, head);
      const [first = ''] = head.toString('utf8', 0, length).split('\n', 1);
      return (
        /^\uFEFF?"?[a-z_]+"?,/.test(first) &&
        ['engine', 'hardware', 'load', 'metric', 'value'].every((name) => first.includes(name))
      );
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new InputError(unreadable(path, reasonOf(error)), { cause: error });
  }
}

/** What runs, for commands that take measurements: lengths and load come from the file, lengths only where it has none. */
export const deploymentOptions: OptionTable = Object.fromEntries(
  Object.entries(scenarioOptions)
    .filter(
      ([name]) =>
        ![
          'batch',
          'concurrency',
          'rate',
          'cached',
          'ideal',
          'utilisation',
          'compute-utilisation',
          'memory-utilisation',
        ].includes(name),
    )
    .map(([name, option]) =>
      name === 'prompt' || name === 'output'
        ? [
            name,
            {
              ...option,
              describe: `${name} tokens, where the file does not say`,
              alias: name === 'prompt' ? ['p'] : [],
            },
          ]
        : [name, option],
    ),
);

/** The deployment that the options describe; undefined where no model, hardware or scenario file was given. */
export async function readDeployment(given: Given, catalog: Catalog): Promise<Deployment | undefined> {
  const { text } = given;
  if (['model', 'hardware', 'scenario'].every((name) => text[name] === undefined)) return undefined;
  return (await readScenario(given, catalog)).scenario.deployment;
}

/** Lengths that the options give. */
export function assumedLengths({ text }: Given): { readonly prompt?: number; readonly output?: number } {
  return {
    ...(text['prompt'] === undefined ? {} : { prompt: readCount('prompt', text['prompt']) }),
    ...(text['output'] === undefined ? {} : { output: readCount('output', text['output']) }),
  };
}
