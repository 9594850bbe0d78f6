import { parse } from 'csv-parse/browser/esm/sync';
import { type Measurement, type MeasuredLoad, measuredLoads } from './measurement.ts';
import { brokenCsv, emptyFile, MeasurementError, missingColumns, notANumber, unknownLoad } from './messages.ts';

const required = ['source_id', 'engine', 'hardware', 'model', 'load', 'metric', 'value'] as const;

/**
 * Reads a CSV of measured figures (columns of docs/formats.md#measurement-csv, one figure a row).
 * @throws MeasurementError with line and column where something cannot be read; nothing is dropped silently.
 */
export function readMeasurements(text: string, where: string): readonly Measurement[] {
  const records = recordsOf(text, where);
  const [header, ...rows] = records;
  if (header === undefined || rows.length === 0) throw new MeasurementError(emptyFile(where));
  const missing = required.filter((column) => !header.includes(column));
  if (missing.length > 0) throw new MeasurementError(missingColumns(where, missing));
  return rows.map((row, index) => {
    const cells = new Map(header.map((column, position) => [column, (row[position] ?? '').trim()]));
    return measurementOf(cells, index + 2, where);
  });
}

function recordsOf(text: string, where: string): readonly (readonly string[])[] {
  try {
    return parse(text, { bom: true, relaxColumnCount: false, skipEmptyLines: true, maxRecordSize: 1_000_000 });
  } catch (error) {
    throw new MeasurementError(brokenCsv(where, error instanceof Error ? error.message : String(error)));
  }
}

function measurementOf(cells: ReadonlyMap<string, string>, line: number, where: string): Measurement {
  const text = (column: string): string => cells.get(column) ?? '';
  const number = (column: string): number | undefined => {
    const value = text(column);
    if (value === '') return undefined;
    const parsed = Number(value);
    if (!(parsed >= 0 && parsed < Infinity)) {
      throw new MeasurementError(notANumber(where, line, column, value, 'a number of at least 0, or nothing'));
    }
    return parsed;
  };
  const value = number('value');
  if (value === undefined || value === 0) {
    throw new MeasurementError(notANumber(where, line, 'value', text('value'), 'a number above 0'));
  }
  return {
    sourceId: text('source_id'),
    rowRef: text('row_ref'),
    line,
    engine: text('engine'),
    engineVersion: text('engine_version'),
    hardware: text('hardware'),
    gpus: number('gpus') ?? number('tp') ?? 1,
    ...stated({
      tensor: number('tp'),
      pipeline: number('pp'),
      expert: number('ep'),
      data: number('dp'),
      batch: number('batch'),
      rate: number('rate_rps'),
      inputTokens: number('input_tokens'),
      outputTokens: number('output_tokens'),
    }),
    model: text('model'),
    weightFormat: text('weight_format'),
    activationFormat: text('activation_format'),
    keyValueFormat: text('kv_format'),
    load: loadOf(text('load'), line, where),
    cachedTokens: number('cached_tokens') ?? 0,
    metric: text('metric'),
    value,
    options: optionsOf(text('options')),
    notes: text('notes'),
  };
}

/** Leaves out what a row does not state. */
const stated = <Key extends string>(values: Record<Key, number | undefined>): { [key in Key]?: number } => {
  const known: { [key in Key]?: number } = {};
  for (const key in values) {
    const value = values[key];
    if (value !== undefined) known[key] = value;
  }
  return known;
};

function loadOf(value: string, line: number, where: string): MeasuredLoad {
  const load = measuredLoads.find((known) => known === value);
  if (load === undefined) throw new MeasurementError(unknownLoad(where, line, value, measuredLoads));
  return load;
}

/** `key=value; key=value`; a part without `=` is a bare remark and is kept as `yes`. */
function optionsOf(text: string): Readonly<Record<string, string>> {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? [part, 'yes'] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
}
