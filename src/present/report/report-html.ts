import { escaped } from '../render/escape.ts';
import { plainText } from '../plain-text.ts';
import type { ReportBlock } from './report-block.ts';

/** A report as one page that works offline and prints well (for PDF: print it). */
export function reportHtml(title: string, blocks: readonly ReportBlock[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>${style}</style>
<main>
${blocks.map(htmlOf).join('\n')}
</main>
</html>
`;
}

const text = (words: string): string => escaped(plainText(words));

function htmlOf(block: ReportBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${text(block.text)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${text(block.text)}</p>`;
    case 'question':
      return `<blockquote>${text(block.text)}</blockquote>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${text(item)}</li>`).join('')}</ul>`;
    case 'table': {
      const cells = (row: readonly (string | number)[], tag: 'td' | 'th'): string =>
        `<tr>${row.map((cell, index) => `<${index === 0 ? 'th' : tag}${index === 0 ? ' scope="row"' : ''}>${text(String(cell))}</${index === 0 ? 'th' : tag}>`).join('')}</tr>`;
      const { headers, rows } = block.table;
      return `<div class="wide"><table><thead>${cells(headers, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`;
    }
    case 'chart':
      // Written by ourselves, and escaped there.
      return `<figure>${block.svg}<figcaption>${text(block.words)}</figcaption></figure>`;
    case 'lines':
      return `<details><summary>${text(block.summary)}</summary><pre>${block.lines.map(text).join('\n')}</pre></details>`;
  }
}

const style = `
:root { color-scheme: light; }
body { margin: 0; color: #1c2430; background: #fff; font: 16px/1.5 Inter, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid #dfe3e8; }
blockquote { margin: 1rem 0; padding: 0.2rem 1rem; border-left: 4px solid #d9731a; font-size: 1.1rem; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { padding: 0.35rem 0.6rem; border-bottom: 1px solid #dfe3e8; text-align: right; vertical-align: bottom; }
td, thead th:first-child { white-space: nowrap; }
th:first-child { text-align: left; }
tbody th { white-space: nowrap; }
figure { margin: 1.5rem 0; break-inside: avoid; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: #5b6675; font-size: 0.85rem; }
pre { overflow-x: auto; padding: 0.8rem; background: #f4f6f8; font-size: 0.75rem; }
li { overflow-wrap: anywhere; }
@page { margin: 18mm; }
@media print {
  main { max-width: none; padding: 0; }
  h2 { break-before: page; }
  h1 + h2 { break-before: auto; }
  h2, h3, summary { break-after: avoid; }
  details > summary { display: none; }
  /* Closed on the screen, all there on paper. */
  details::details-content { content-visibility: visible; display: block; height: auto; }
  pre { white-space: pre-wrap; }
  .wide { overflow: visible; }
  table { font-size: 0.62rem; }
  th, td { padding: 0.25rem 0.35rem; }
  tr { break-inside: avoid; }
  figure svg { max-height: 235mm; }
}
`;
