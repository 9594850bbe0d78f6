import { plainText } from '../plain-text.ts';
import type { ReportBlock } from './report-block.ts';

/**
 * A report as Markdown. Text from outside is escaped: no markup, no HTML, no links that it brings along.
 * @param chartPath Where the picture of a chart lies, from the folder of the report.
 */
export const reportMarkdown = (blocks: readonly ReportBlock[], chartPath: (chart: string) => string): string =>
  `${blocks.map((block) => markdownOf(block, chartPath)).join('\n\n')}\n`;

function markdownOf(block: ReportBlock, chartPath: (chart: string) => string): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${markdownText(block.text)}`;
    case 'paragraph':
      return markdownText(block.text);
    case 'question':
      return `> ${markdownText(block.text)}`;
    case 'list':
      return block.items.map((item) => `- ${markdownText(item)}`).join('\n');
    case 'table': {
      const { headers, rows } = block.table;
      const line = (cells: readonly (string | number)[]): string =>
        `| ${cells.map((cell) => markdownText(String(cell))).join(' | ')} |`;
      return [line(headers), line(headers.map(() => '---')).replaceAll('\\', ''), ...rows.map(line)].join('\n');
    }
    case 'chart':
      return `![${markdownText(block.words)}](${encodeURI(chartPath(block.chart)).replace(/[()]/g, encodeURIComponent)})`;
    case 'lines':
      return `<details><summary>${markdownText(block.summary)}</summary>\n\n${fenced(block.lines)}\n\n</details>`;
  }
}

/** A fence longer than any row of back quotes inside. */
function fenced(lines: readonly string[]): string {
  const text = lines.map(plainText).join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([quotes]) => quotes.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Characters that mean something in Markdown lose it (CommonMark 0.31, 2.4; tables of GitHub). */
export const markdownText = (text: string): string =>
  plainText(text)
    .replace(/[\\`*_{}[\]<>|#~]/g, '\\$&')
    .replace(/^([-+]|\d+[.)])(?=\s)/, '\\$1')
    // No address becomes a link by itself.
    .replaceAll('://', '&#58;//');
