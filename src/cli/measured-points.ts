import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccuracyPoint } from '../present/chart/accuracy.ts';
import { readMeasurements } from '../measured/read-measurements.ts';
import { validateRows } from '../measured/validate.ts';
import type { Catalog } from './catalog.ts';
import { InputError } from './input-error.ts';
import { loadEngine, loadHardware, loadModel } from './load-profile.ts';
import { noMeasuredClock, tooLargeFile, unreadable } from './messages.ts';
import { reasonOf } from './system-reason.ts';

/** Public measurements under a free licence, two folders up from src/cli and from dist/cli. */
const publicSample: string = fileURLToPath(new URL('../../measurements/public-sample.csv', import.meta.url));

const largestFile = 64e6;

/**
 * Clocks of a file of measurements with what is predicted for them, with no configuration beyond what the rows say.
 * @throws InputError or MeasurementError, one sentence, where the file cannot be read or holds no clock.
 */
export async function measuredPoints(path: string = publicSample, catalog: Catalog): Promise<readonly AccuracyPoint[]> {
  const rows = readMeasurements(textOf(path), basename(path)).filter(({ metric }) => clockOf(metric) !== undefined);
  const [models, hardware, engines] = await Promise.all([
    found(
      rows.map(({ model }) => model),
      (name) => loadModel(name, catalog),
    ),
    found(
      rows.map((row) => row.hardware),
      (name) => loadHardware(name, catalog),
    ),
    found(
      rows.map(({ engine }) => engine),
      (name) => loadEngine(name, catalog),
    ),
  ]);
  const source =
    <T>(of: ReadonlyMap<string, T | string>) =>
    (name: string): T | string =>
      of.get(name) ?? name;
  const validated = validateRows(rows, {
    model: source(models),
    hardware: source(hardware),
    engine: source(engines),
  });
  const points = validated.flatMap((row): readonly AccuracyPoint[] => {
    const clock = clockOf(row.row.metric);
    if (!('figure' in row) || clock === undefined) return [];
    return [
      {
        clock,
        measured: row.row.value / 1e3,
        predicted: row.figure.predicted / 1e3,
        label: `${row.row.model} on ${row.row.gpus} x ${row.row.hardware}`,
      },
    ];
  });
  if (points.length === 0) throw new InputError(noMeasuredClock(path));
  return points;
}

function clockOf(metric: string): AccuracyPoint['clock'] | undefined {
  const name = /^(ttft|tpot|e2e)_(?:p50_)?ms$/.exec(metric)?.[1];
  return name === 'ttft' || name === 'tpot' || name === 'e2e' ? name : undefined;
}

function textOf(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > largestFile) throw new InputError(tooLargeFile(path, size, largestFile));
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(unreadable(path, reasonOf(error)), { cause: error });
  }
}

/** Profiles by the names of the rows; the reason where a name leads to none. */
async function found<T>(
  names: readonly string[],
  load: (name: string) => Promise<{ readonly profile: T }>,
): Promise<ReadonlyMap<string, T | string>> {
  const pairs = [...new Set(names)].map(async (name): Promise<readonly [string, T | string]> => {
    try {
      return [name, (await load(name)).profile];
    } catch (error) {
      if (error instanceof Error && error.name.endsWith('Error') && error.name !== 'TypeError')
        return [name, error.message];
      throw error;
    }
  });
  return new Map(await Promise.all(pairs));
}
