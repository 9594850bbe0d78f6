// Writes validation/rows.csv and validation/expected.json: a sample of public rows whose licence allows it, and the
// errors that predictions reach on it today. node scripts/run.js scripts/build-validation.ts FILE... (none = the rows
// that are already there, to record new errors only).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { readMeasurements } from '../src/measured/read-measurements.ts';
import { validateRows } from '../src/measured/validate.ts';
import { isPredicted, summariseValidation } from '../src/measured/validation-summary.ts';
import { tableCsv } from '../src/present/table-text.ts';
import { shippedProfiles } from './shipped-profiles.ts';

/** Sources under Apache-2.0, MIT or BSD; validation/README.md cites them. */
const licensed =
  /^(?:aic-silicon-agg|trtllm-|gpustack|lmdeploy|sglang-cookbook|tt-metal|llamacpp-benches|gpt-fast|mlx-lm|mistralrs)/;

/** Of one source, device and metric. */
const rowsOfGroup = 2;

/** Longer finite runs make the test slow. */
const mostInFlight = 64;

const columns = [
  'source_id',
  'row_ref',
  'engine',
  'engine_version',
  'hardware',
  'gpus',
  'tp',
  'pp',
  'ep',
  'dp',
  'model',
  'weight_format',
  'activation_format',
  'kv_format',
  'load',
  'batch',
  'rate_rps',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'metric',
  'value',
  'unit',
  'options',
] as const;

const folder = new URL('../validation/', import.meta.url);
mkdirSync(folder, { recursive: true });
const rowsFile = new URL('rows.csv', folder);
const paths = process.argv.slice(2);
if (paths.length > 0) writeFileSync(rowsFile, sampled(paths.flatMap((path) => recordsOf(path))));

const rows = readMeasurements(readFileSync(rowsFile, 'utf8'), 'rows.csv');
const all = validateRows(rows, await shippedProfiles());
const { byRegime, bySource, predicted, coverage } = summariseValidation(all);
const rounded = (share: number): number => Number(share.toFixed(4));
const expected = {
  rows: all.length,
  predicted,
  coverage: rounded(coverage),
  medians: Object.fromEntries(
    [...byRegime, ...bySource].map(({ key, clock, median }) => [`${key} (${clock})`, rounded(median)]),
  ),
  beatFloor: all.filter(isPredicted).filter(({ beatsFloor }) => beatsFloor).length,
};
writeFileSync(new URL('expected.json', folder), `${JSON.stringify(expected, undefined, 2)}\n`);

function recordsOf(path: string): readonly Readonly<Record<string, string>>[] {
  const records: Record<string, string>[] = parse(readFileSync(path, 'utf8'), { columns: true, bom: true });
  return records.filter(({ source_id: source = '' }) => licensed.test(source));
}

/** The first, and those evenly behind it, of every group: no choice by how well they are predicted. */
function sampled(records: readonly Readonly<Record<string, string>>[]): string {
  const groups = new Map<string, Readonly<Record<string, string>>[]>();
  for (const record of records) {
    if (Number(record['batch'] ?? 0) > mostInFlight || record['load'] === 'offline') continue;
    const key = [record['source_id'], record['engine'], record['hardware'], record['metric'], record['load']].join(
      '\n',
    );
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const chosen = [...groups.values()].flatMap((group) => {
    const stride = Math.max(1, Math.floor(group.length / rowsOfGroup));
    return group.filter((_, index) => index % stride === 0).slice(0, rowsOfGroup);
  });
  return tableCsv({ headers: [...columns], rows: chosen.map((record) => columns.map((name) => record[name] ?? '')) });
}
