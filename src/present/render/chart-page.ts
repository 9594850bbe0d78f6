import type { Theme } from '../chart/theme.ts';
import { type ChartRecord, recordName } from './chart-record.ts';
import { escaped, scriptJson } from './escape.ts';

/** Shows what a mark stands for where the pointer or a finger is: each mark of the picture carries its own words. */
const tooltips = `
const tip = document.getElementById('tip');
const words = (target) => target.closest('[aria-roledescription][aria-label]')?.getAttribute('aria-label');
const show = (event) => {
  const text = event.target instanceof Element ? words(event.target) : undefined;
  tip.hidden = text === undefined || text === null || text === '';
  if (tip.hidden) return;
  tip.textContent = text;
  const { clientX: x, clientY: y } = event;
  tip.style.left = Math.min(x + 14, innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 12 : y + 18) + 'px';
};
addEventListener('pointermove', show);
addEventListener('pointerdown', show);
`;

/** A page that works from a file, without a network: the picture, tooltips, and the record to draw it again. */
export function chartPage(svg: string, description: string, record: ChartRecord, theme: Theme): string {
  const { background, ink, font } = theme;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escaped(description)}</title>
<style>
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: ${background}; color: ${ink}; font-family: ${font}; }
svg { max-width: 100%; height: auto; }
.mark-text, .mark-rule, .mark-line, .mark-area { pointer-events: none; }
#tip { position: fixed; max-width: 24rem; padding: 0.35rem 0.6rem; border-radius: 4px; background: ${ink}; color: ${background}; font-size: 0.8rem; pointer-events: none; }
@media print { #tip { display: none; } }
</style>
<figure style="margin: 0">
${svg}
</figure>
<div id="tip" role="status" hidden></div>
<script type="application/json" id="${recordName}">${scriptJson(record)}</script>
<script>${tooltips}</script>
</html>
`;
}
