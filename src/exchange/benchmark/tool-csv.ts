import { parse } from 'csv-parse/browser/esm/sync';
import { badCsv, BenchmarkError, tooManyValues } from './messages.ts';

/** Rows of one table: a run or a metric each. */
const mostRows = 100_000;

/** Rows of a CSV text; ragged rows are kept as they are. */
export function csvRows(text: string, where: string): readonly (readonly string[])[] {
  let rows: string[][];
  try {
    rows = parse(text, {
      bom: true,
      relaxColumnCount: true,
      skipEmptyLines: false,
      trim: true,
      maxRecordSize: 1_000_000,
      to: mostRows + 1,
    });
  } catch (error) {
    throw new BenchmarkError(badCsv(where, error instanceof Error ? error.message : String(error)));
  }
  if (rows.length > mostRows) throw new BenchmarkError(tooManyValues(where, 'rows', mostRows));
  return rows;
}
