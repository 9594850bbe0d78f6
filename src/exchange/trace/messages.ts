/* Every sentence of reading traces: where, line, value, what was expected. */

/** Thrown where a trace is not what it should be; `message` is one sentence. */
export class TraceError extends Error {
  override readonly name: string = 'TraceError';
}

export const unknownHeader = (where: string, header: string): string =>
  `${where}: line 1 is '${shown(header)}'; expected the header of an Azure, BurstGPT, Vidur or splitwise trace, 'arrival,prompt,output' (seconds and tokens), or Mooncake's JSON lines.`;

export const emptyTrace = (where: string): string =>
  `${where}: the trace has no requests; expected a header line and one line per request.`;

export const longLine = (where: string, line: number, most: number): string =>
  `${where}: line ${line} has more than ${most} characters; no trace has such a line.`;

export const fieldCount = (where: string, line: number, found: number, expected: number): string =>
  `${where}: line ${line} has ${found} fields; expected ${expected} as in the header.`;

export const notATime = (where: string, line: number, column: string, value: string, expected: string): string =>
  `${where}: line ${line}, column ${column} is '${shown(value)}'; expected ${expected}.`;

export const notACount = (where: string, line: number, column: string, value: string): string =>
  `${where}: line ${line}, column ${column} is '${shown(value)}'; expected a whole number of tokens, at least 1.`;

export const outOfOrder = (where: string, line: number, seconds: number): string =>
  `${where}: line ${line} arrives ${Number(seconds.toPrecision(3))} s before the line above it; expected times in order.`;

export const notJson = (where: string, line: number): string =>
  `${where}: line ${line} is not a JSON object; expected {"timestamp": ms, "input_length": n, "output_length": n, "hash_ids": [...]}.`;

export const notHashIds = (where: string, line: number, found: string): string =>
  `${where}: line ${line}, hash_ids is ${shown(found)}; expected a list of whole numbers, one for each 512 tokens of the prompt.`;

/** A value as a short quotation without control characters. */
const shown = (value: string): string => value.slice(0, 80).replace(/\p{Cc}/gu, ' ');
