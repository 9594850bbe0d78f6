import { type BenchmarkRun, mostRuns } from './benchmark-run.ts';
import { formatOf, mooncake } from '../trace/trace-format.ts';
import { foreignJson, foreignJsonValues, has, isRecord } from './foreign-record.ts';
import { lineFormats, recordFormats, tableFormats, valueFormats } from './formats.ts';
import {
  arrivalTrace,
  badYaml,
  BenchmarkError,
  mixedFormats,
  noRuns,
  seenIn,
  seenText,
  tooDeep,
  tooManyValues,
  unknownFormat,
} from './messages.ts';
import type { LineReader } from './line-reader.ts';
import { openText, type OpenedText, type TextSource } from './text-source.ts';

/** What a file held. */
export interface BenchmarkFile {
  readonly format: string;
  readonly runs: readonly BenchmarkRun[];
}

/**
 * Reads a benchmark result, a server's metrics or its log; the format is told by content. Logs, metrics and JSON lines
 * are read as a stream in bounded memory; one JSON, YAML or table is held whole (64 million characters at most).
 *
 * @param where What messages call the file.
 * @throws BenchmarkError with one sentence that names line or JSON path.
 */
export async function readBenchmark(source: TextSource, where: string): Promise<BenchmarkFile> {
  const text = await openText(source, where);
  const file = await readOpened(text, where);
  if (file.runs.length > mostRuns) throw new BenchmarkError(tooManyValues(where, 'runs', mostRuns));
  return Object.freeze({ format: file.format, runs: Object.freeze([...file.runs]) });
}

async function readOpened(text: OpenedText, where: string): Promise<BenchmarkFile> {
  const { head } = text;
  const start = head.trimStart();
  const first = start[0];
  // Logs of SGLang begin with '[': JSON only where a value follows.
  if (first === '{' || (first === '[' && /^\[\s*(?:[[{"\]]|-?\d+(?:\.\d+)?\s*[,\]])/.test(start))) {
    return looksLikeLines(start) ? readValues(jsonOfLines(text, where), where) : readWholeJson(text, where);
  }
  const lines = lineFormats.find(({ is }) => is(head));
  if (lines !== undefined) {
    const reader = lines.open(where);
    let number = 0;
    for await (const line of text.lines()) {
      number += 1;
      reader.line(line, `${where} line ${number}`);
    }
    return { format: lines.name, runs: reader.end() };
  }
  const table = tableFormats.find(({ is }) => is(head));
  if (table !== undefined) return { format: table.name, runs: table.read(await text.table(), where) };
  if (
    /^(?:---\s|[\w-]+:(?:\s|$))/m.test(head.slice(0, 1000)) &&
    /^(?:benchmarks|metadata|version|results|run|scenario):/m.test(head)
  ) {
    return readWholeYaml(await text.yaml(), where);
  }
  throw new BenchmarkError(unknown(head, where));
}

/** What else a text may be that people have at hand. */
function unknown(head: string, where: string): string {
  const [first = ''] = head.split('\n', 1);
  const trace = formatOf(first.trim().split(','));
  return trace === undefined ? unknownFormat(where, seenText(head)) : arrivalTrace(where, trace.name);
}

/** A value on the first line and another on the second: JSON lines, or runs that were appended. */
function looksLikeLines(start: string): boolean {
  const end = start.indexOf('\n');
  // A first line longer than the head: one JSON value, or lines that each hold one; only lines are read as a stream.
  if (end < 0) return false;
  const rest = start.slice(end + 1).trimStart();
  return /[}\]]\s*$/.test(start.slice(0, end)) && (rest === '' ? start.startsWith('{') : rest.startsWith('{'));
}

/** One value, or several that were appended without a line each. */
async function readWholeJson(text: OpenedText, where: string): Promise<BenchmarkFile> {
  const values = foreignJsonValues(await text.whole(), where);
  const first = values.next();
  const second = first.done === true ? first : values.next();
  if (first.done === true) throw new BenchmarkError(noRuns(where, 'JSON', 'a value'));
  if (second.done === true) return readValue(first.value.value, where);
  return readValues(restOf([first.value, second.value], values), where);
}

interface PlacedValue {
  readonly value: unknown;
  readonly line: number;
}

async function* restOf(first: readonly PlacedValue[], rest: Iterable<PlacedValue>): AsyncGenerator<PlacedValue> {
  yield* first;
  yield* rest;
}

async function* jsonOfLines(text: OpenedText, where: string): AsyncGenerator<PlacedValue> {
  let line = 0;
  for await (const each of text.lines()) {
    line += 1;
    if (each.trim() !== '') yield { value: foreignJson(each, `${where} line ${line}`), line };
  }
}

function readValue(value: unknown, where: string): BenchmarkFile {
  const format = valueFormats.find(({ is }) => is(value));
  if (format !== undefined) return { format: format.name, runs: format.read(value, where) };
  const records = recordFormats.find(({ is }) => is(value));
  if (records !== undefined) {
    const reader = records.open(where);
    reader.line(value, where);
    return { format: records.name, runs: reader.end() };
  }
  throw new BenchmarkError(unknownFormat(where, seenIn(value)));
}

async function readValues(values: AsyncIterable<PlacedValue>, where: string): Promise<BenchmarkFile> {
  const runs: BenchmarkRun[] = [];
  let name: string | undefined;
  let reader: LineReader<unknown> | undefined;
  for await (const { value, line } of values) {
    const at = `${where} line ${line}`;
    const records = recordFormats.find(({ is }) => is(value));
    const format = records ?? valueFormats.find(({ is }) => is(value));
    if (format === undefined) {
      const trace = [mooncake.arrival, mooncake.prompt, mooncake.output];
      throw new BenchmarkError(
        has(value, ...trace) ? arrivalTrace(where, mooncake.name) : unknownFormat(at, seenIn(value)),
      );
    }
    if (name !== undefined && name !== format.name) {
      throw new BenchmarkError(mixedFormats(where, line, name, format.name));
    }
    name = format.name;
    if (records !== undefined) {
      reader ??= records.open(where);
      reader.line(value, at);
    } else if ('read' in format) {
      runs.push(...format.read(value, at));
      if (runs.length > mostRuns) throw new BenchmarkError(tooManyValues(where, 'runs', mostRuns));
    }
  }
  if (name === undefined) throw new BenchmarkError(noRuns(where, 'JSON lines', 'a line'));
  return { format: name, runs: reader === undefined ? runs : reader.end() };
}

/** YAML of GuideLLM and llm-d: the same tree as their JSON. */
async function readWholeYaml(whole: string, where: string): Promise<BenchmarkFile> {
  const { parse, YAMLError } = await import('yaml');
  let value: unknown;
  try {
    value = parse(whole, {
      maxAliasCount: 100,
      prettyErrors: false,
      schema: 'core',
      uniqueKeys: true,
      logLevel: 'error',
    });
  } catch (error) {
    if (error instanceof YAMLError) {
      if (error.code === 'RESOURCE_EXHAUSTION') throw new BenchmarkError(tooDeep(where, deepest));
      const line = whole.slice(0, error.pos[0]).split('\n').length;
      throw new BenchmarkError(badYaml(`${where} line ${line}`, error.message));
    }
    throw new BenchmarkError(badYaml(where, error instanceof Error ? error.message : String(error)));
  }
  refuseDeep(value, where);
  return readValue(value, where);
}

const deepest = 64;

/** Prototype keys are own properties in what the parser builds, and nobody asks for them. */
function refuseDeep(value: unknown, where: string): void {
  const walk = (inner: unknown, depth: number): void => {
    if (depth > deepest) throw new BenchmarkError(tooDeep(where, deepest));
    if (Array.isArray(inner)) for (const each of inner) walk(each, depth + 1);
    else if (isRecord(inner)) for (const each of Object.values(inner)) walk(each, depth + 1);
  };
  walk(value, 0);
}
