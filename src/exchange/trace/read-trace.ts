import { parse } from 'csv-parse/browser/esm/sync';
import * as z from 'zod/mini';
import type { TracedRequest } from '../../profile/traced-request.ts';
import * as message from './messages.ts';
import { TraceError } from './messages.ts';
import { splitLines } from './split-lines.ts';
import { formatOf, mooncake, mooncakeBlock, type TraceFormat } from './trace-format.ts';
import { dateSeconds, plainSeconds } from './trace-time.ts';

/** A trace as it is read. */
export interface TraceReader {
  /** Requests in pieces, in order of arrival; the first arrives at 0. */
  readonly requests: AsyncGenerator<readonly TracedRequest[]>;
  /** Lines left out so far, and the sentences about the first of them. */
  readonly skipped: () => { readonly count: number; readonly reasons: readonly string[] };
  /** Known once the first piece was read. */
  readonly format: () => TraceFormat['name'] | undefined;
}

export interface TraceOptions {
  /** Names the file in messages. */
  readonly where: string;
  /** Leave bad lines out and count them, instead of stopping at the first. */
  readonly skipBad: boolean;
}

/** Sentences kept about lines left out. */
const mostReasons = 5;

/** Tokens of one request; far above any context window. */
const mostTokens = 100_000_000;

/** Turns one line into a request; `undefined` for a blank one. Throws TraceError. */
type LineReader = (text: string, line: number) => TracedRequest | undefined;

/**
 * Reads a trace as a stream; the format is told by the first line.
 * @throws TraceError, with line and expectation, for the first bad line unless bad ones are to be skipped.
 */
export function readTrace(pieces: AsyncIterable<string>, { where, skipBad }: TraceOptions): TraceReader {
  let skipped = 0;
  let format: TraceFormat | undefined;
  const reasons: string[] = [];
  async function* requests(): AsyncGenerator<readonly TracedRequest[]> {
    let line = 0;
    let read: LineReader | undefined;
    let first: number | undefined;
    let last = -Infinity;
    for await (const lines of splitLines(pieces, where)) {
      const rows: TracedRequest[] = [];
      for (const text of lines) {
        line += 1;
        if (read === undefined) {
          const opened = openFormat(text.replace(/^\ufeff/, ''), where);
          format = opened.format;
          read = opened.read;
          if (opened.isHeader) continue;
        }
        try {
          const row = read(text, line);
          if (row === undefined) continue;
          if (row.arrival < last) throw new TraceError(message.outOfOrder(where, line, last - row.arrival));
          last = row.arrival;
          first ??= row.arrival;
          rows.push({ ...row, arrival: row.arrival - first });
        } catch (error) {
          if (!skipBad || !(error instanceof TraceError)) throw error;
          skipped += 1;
          if (reasons.length < mostReasons) reasons.push(error.message);
        }
      }
      if (rows.length > 0) yield rows;
    }
    if (first === undefined) throw new TraceError(message.emptyTrace(where));
  }
  return { requests: requests(), skipped: () => ({ count: skipped, reasons }), format: () => format?.name };
}

function openFormat(
  text: string,
  where: string,
): { readonly format: TraceFormat; readonly read: LineReader; readonly isHeader: boolean } {
  if (text.trimStart().startsWith('{')) return { format: mooncake, read: mooncakeLine(where), isHeader: false };
  const columns = fieldsOf(text).map((column) => column.trim());
  const format = formatOf(columns);
  if (format === undefined) throw new TraceError(message.unknownHeader(where, text));
  return { format, read: csvLine(format, columns, where), isHeader: true };
}

function csvLine(format: TraceFormat, columns: readonly string[], where: string): LineReader {
  const [arrivalAt, promptAt, outputAt] = [format.arrival, format.prompt, format.output].map((name) =>
    columns.indexOf(name),
  );
  const count = (fields: readonly string[], at: number | undefined, column: string, line: number): number => {
    const text = fields[at ?? -1] ?? '';
    const tokens = /^\d+(?:\.0*)?$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(tokens >= 1 && tokens <= mostTokens)) throw new TraceError(message.notACount(where, line, column, text));
    return tokens;
  };
  return (text, line) => {
    if (text.trim() === '') return undefined;
    const fields = fieldsOf(text);
    if (fields.length !== columns.length)
      throw new TraceError(message.fieldCount(where, line, fields.length, columns.length));
    const written = fields[arrivalAt ?? -1] ?? '';
    const arrival = format.time === 'date' ? dateSeconds(written.trim()) : plainSeconds(written);
    if (arrival === undefined) {
      const expected = format.time === 'date' ? "a date such as '2023-11-16 18:17:03.9799600'" : 'seconds, at least 0';
      throw new TraceError(message.notATime(where, line, format.arrival, written, expected));
    }
    return {
      arrival,
      prompt: count(fields, promptAt, format.prompt, line),
      output: count(fields, outputAt, format.output, line),
    };
  };
}

/** Fields of a line; the quick way where nothing is quoted, which is nearly always. */
function fieldsOf(text: string): readonly string[] {
  if (!text.includes('"')) return text.split(',');
  try {
    const [fields] = parse(text, { relaxColumnCount: true });
    return fields ?? [];
  } catch {
    // A quote in the middle: the count of fields or a field itself will be wrong, and is said so.
    return [text];
  }
}

const tokens = z.int().check(z.gte(1), z.lte(mostTokens));
const mooncakeRow = z.object({
  timestamp: z.number().check(z.gte(0)),
  input_length: tokens,
  output_length: tokens,
  hash_ids: z.optional(z.array(z.int().check(z.gte(0)))),
});

function mooncakeLine(where: string): LineReader {
  return (text, line) => {
    if (text.trim() === '') return undefined;
    const json = parsed(text);
    if (typeof json !== 'object' || json === null) throw new TraceError(message.notJson(where, line));
    const result = mooncakeRow.safeParse(json);
    if (!result.success) throw new TraceError(mooncakeFault(json, result.error.issues[0]?.path[0], where, line));
    const { timestamp, input_length: prompt, output_length: output, hash_ids: ids = [] } = result.data;
    if (ids.length > 0 && ids.length !== Math.ceil(prompt / mooncakeBlock)) {
      throw new TraceError(message.notHashIds(where, line, `${ids.length} numbers for ${prompt} tokens`));
    }
    const parts = ids.map((key, index) => ({ key, end: Math.min(prompt, (index + 1) * mooncakeBlock) }));
    return { arrival: timestamp / 1000, prompt, output, ...(parts.length === 0 ? {} : { parts }) };
  };
}

function mooncakeFault(json: object, field: PropertyKey | undefined, where: string, line: number): string {
  const written: unknown = Object.entries(json).find(([key]) => key === field)?.[1];
  const value = written === undefined ? 'missing' : JSON.stringify(written);
  switch (String(field)) {
    case 'timestamp':
      return message.notATime(where, line, 'timestamp', value, 'milliseconds, at least 0');
    case 'input_length':
    case 'output_length':
      return message.notACount(where, line, String(field), value);
    case 'hash_ids':
      return message.notHashIds(where, line, value);
    default:
      return message.notJson(where, line);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
