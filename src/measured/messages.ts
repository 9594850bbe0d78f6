/** Thrown where a measurement file is not what it should be; `message` is one sentence. */
export class MeasurementError extends Error {
  override readonly name: string = 'MeasurementError';
}

export const missingColumns = (where: string, missing: readonly string[]): string =>
  `${where}: line 1 lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}; expected the header of docs/formats.md.`;

export const notANumber = (where: string, line: number, column: string, value: string, expected: string): string =>
  `${where}: line ${line}, column ${column} is '${shown(value)}'; expected ${expected}.`;

export const unknownLoad = (where: string, line: number, value: string, known: readonly string[]): string =>
  `${where}: line ${line}, column load is '${shown(value)}'; expected one of ${known.join(', ')}.`;

export const brokenCsv = (where: string, reason: string): string => `${where}: not readable as CSV: ${shown(reason)}.`;

export const emptyFile = (where: string): string =>
  `${where}: the file has no rows; expected a header line and one row per measured figure.`;

export const noRowsToFit = (first: string | undefined): string =>
  `there is no row to fit${first === undefined ? '' : `; the first was left out because ${first}`}.`;

export const severalSystems = (what: string, names: readonly string[]): string =>
  `the rows are of ${names.length} ${what} (${names.slice(0, 4).join(', ')}${names.length > 4 ? ' ...' : ''}); a calibration is of one: fit them one by one.`;

/** A value as a short quotation without control characters. */
const shown = (value: string): string => value.slice(0, 80).replaceAll(/\p{Cc}/gu, ' ');
