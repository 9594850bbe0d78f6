import { parse } from 'csv-parse/browser/esm/sync';
import { badCsv, BenchmarkError } from './messages.ts';

/** Rows of a CSV text; ragged rows are kept as they are. */
export function csvRows(text: string, where: string): readonly (readonly string[])[] {
  try {
    return parse(text, {
      bom: true,
      relaxColumnCount: true,
      skipEmptyLines: false,
      trim: true,
      maxRecordSize: 1_000_000,
    });
  } catch (error) {
    throw new BenchmarkError(badCsv(where, error instanceof Error ? error.message : String(error)));
  }
}
