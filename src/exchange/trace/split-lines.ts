import { longLine, TraceError } from './messages.ts';

/** Characters of a line at most: a prompt of a million tokens has 2,000 hashes of Mooncake. */
const longestLine = 1_000_000;

/** Text in pieces as they are read, into lines without their ends. The last line needs no end. */
export async function* splitLines(pieces: AsyncIterable<string>, where: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  let line = 0;
  for await (const piece of pieces) {
    // A line longer than its pieces is only put together once it ends.
    if (!piece.includes('\n')) {
      rest += piece;
      if (rest.length > longestLine) throw new TraceError(longLine(where, line + 1, longestLine));
      continue;
    }
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const [index, text] of lines.entries()) {
      if (text.length > longestLine) throw new TraceError(longLine(where, line + index + 1, longestLine));
      if (text.endsWith('\r')) lines[index] = text.slice(0, -1);
    }
    line += lines.length;
    if (rest.length > longestLine) throw new TraceError(longLine(where, line + 1, longestLine));
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest.endsWith('\r') ? rest.slice(0, -1) : rest];
}
