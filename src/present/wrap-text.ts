/**
 * Breaks text at blanks into lines of at most `width` characters; further lines start with `indent` blanks. A number
 * and its '%' or 'x' stay together, and blanks at the start are kept.
 */
export function wrapText(text: string, width: number, indent = 0): readonly string[] {
  const lines: string[] = [];
  const start = /^ */.exec(text)?.[0] ?? '';
  let line = start;
  let isEmpty = true;
  for (const word of text.slice(start.length).split(/ (?!%|x )/)) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(indent) + word;
      continue;
    }
    line = isEmpty ? line + word : `${line} ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
