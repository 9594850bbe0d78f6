/** Breaks text at blanks into lines of at most `width` characters; further lines start with `indent` blanks. */
export function wrapText(text: string, width: number, indent = 0): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width || line.trim() === '') {
      line = longer;
      continue;
    }
    lines.push(line);
    line = `${' '.repeat(indent)}${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
