import {
  BenchmarkError,
  binaryFile,
  emptyFile,
  lineTooLong,
  tableTooLong,
  textTooLong,
  yamlTooLong,
} from './messages.ts';

/** Text in pieces of any size: a string, or what a file or socket gives. */
export type TextSource = string | AsyncIterable<string>;

/** Characters by which a format is told; the first line of an appended run with details can be long. */
const headLength = 262_144;

/** One JSON, YAML or table is held whole; longer ones are refused. */
const longestWhole: number = 64 * 1024 * 1024;

/** Tables unfold to a hundred times their text in memory, YAML to four hundred. */
const longestTable: number = 4 * 1024 * 1024;
const longestYaml: number = 1024 * 1024;

/** A line of a log, or one JSON of JSON lines. */
const longestLine = longestWhole;

/** A text whose beginning has been looked at: read it whole or line by line, once. */
export interface OpenedText {
  readonly head: string;
  /** One JSON. */
  readonly whole: () => Promise<string>;
  readonly table: () => Promise<string>;
  readonly yaml: () => Promise<string>;
  readonly lines: () => AsyncGenerator<string>;
}

/** @throws BenchmarkError for empty and binary input. */
export async function openText(source: TextSource, where: string): Promise<OpenedText> {
  const pieces = (typeof source === 'string' ? oneOf(source) : source)[Symbol.asyncIterator]();
  const read: string[] = [];
  let length = 0;
  let done = false;
  while (length < headLength && !done) {
    const next = await pieces.next();
    done = next.done === true;
    if (next.done === true) break;
    read.push(next.value);
    length += next.value.length;
  }
  const head = read.join('').replace(/^\uFEFF/, '');
  if (head.trim() === '' && done) throw new BenchmarkError(emptyFile(where));
  if (isBinary(head.slice(0, headLength))) throw new BenchmarkError(binaryFile(where));
  const rest = async function* (): AsyncGenerator<string> {
    yield head;
    if (done) return;
    for (;;) {
      const next = await pieces.next();
      if (next.done === true) return;
      yield next.value;
    }
  };
  return {
    head: head.slice(0, headLength),
    whole: () => joined(rest(), where, longestWhole, textTooLong),
    table: () => joined(rest(), where, longestTable, tableTooLong),
    yaml: () => joined(rest(), where, longestYaml, yamlTooLong),
    lines: () => linesOf(rest(), where),
  };
}

async function* oneOf(text: string): AsyncGenerator<string> {
  yield text;
}

/** Zero bytes, or replaced bytes in number, are no text. */
function isBinary(head: string): boolean {
  if (head.includes('\u0000')) return true;
  let replaced = 0;
  for (const character of head.slice(0, 4096)) if (character === '\uFFFD') replaced += 1;
  return replaced > 40;
}

async function joined(
  pieces: AsyncIterable<string>,
  where: string,
  longest: number,
  sentence: (where: string, limit: number) => string,
): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > longest) throw new BenchmarkError(sentence(where, longest));
    parts.push(piece);
  }
  return parts.join('');
}

async function* linesOf(pieces: AsyncIterable<string>, where: string): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  let number = 1;
  for await (const piece of pieces) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf('\n', from);
      const part = piece.slice(from, end < 0 ? undefined : end);
      open.push(part);
      length += part.length;
      if (length > longestLine) throw new BenchmarkError(lineTooLong(where, number, longestLine));
      if (end < 0) break;
      yield open.join('').replace(/\r$/, '');
      open = [];
      length = 0;
      number += 1;
      from = end + 1;
    }
  }
  const last = open.join('').replace(/\r$/, '');
  if (last !== '') yield last;
}
