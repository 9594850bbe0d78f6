import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { run } from '../support/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'twoclocks-page-'));
const scenario = ['-m', 'llama-3.1-70b', '-g', 'h100', '--tp', '4', '-c', '16'] as const;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Opened {
  readonly page: Page;
  /** Everything that the page asked for besides itself, and what it complained about. */
  readonly asked: readonly string[];
}

describe.skipIf(!hasBrowser)('in a browser, from a file, without a network', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function open(name: string, words: readonly string[]): Promise<Opened> {
    const path = join(folder, name);
    const outcome = await run([...words, '-o', path]);
    expect(outcome.error).toBeUndefined();
    const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => asked.push(message.text()));
    page.on('pageerror', (error) => asked.push(error.message));
    const { href } = pathToFileURL(path);
    await page.goto(href);
    return { page, asked: asked.filter((each) => each !== href) };
  }

  it.each([
    ['waterfall', /^compute: [\d.]+ ms \(\d+ %\)$/],
    ['pareto', /in flight: TPOT [\d.]+ ms/],
    ['elasticity', /^TTFT −0\.\d+ % where FLOP\/s/],
    ['what-if', /^as it is: [\d.]+ ms$/],
  ])('a %s says what a mark stands for where the pointer is', async (kind, words) => {
    const { page, asked } = await open(`${kind}.html`, ['chart', kind, ...scenario]);
    const tip = page.locator('#tip');
    expect(await tip.isVisible()).toBe(false);
    const first = page.locator('svg .role-mark [aria-label]').first();
    await first.hover({ force: true });
    expect(await tip.isVisible()).toBe(true);
    expect(await tip.textContent()).toMatch(words);
    await page.mouse.move(2, 2);
    expect(await tip.isVisible()).toBe(false);
    expect(asked).toEqual([]);
  });

  it.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(21, 26, 33)'],
  ])('the %s theme colours page and picture', async (theme, colour) => {
    const { page } = await open(`${theme}.html`, ['chart', 'waterfall', ...scenario, '--theme', theme]);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colour);
    const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(Number(width)).toBeLessThanOrEqual(0);
  });

  it('a report is on paper what it is on the screen, its derivation opened', async () => {
    const plan = join(folder, 'plan.yaml');
    writeFileSync(
      plan,
      `schema: twoclocks/scenarios@1
scenarios:
  today: { model: llama-3.1-8b, hardware: h100, concurrency: 8 }
  h200: { extends: today, hardware: h200 }
comparisons:
  bigger: { question: 'Will <i>it</i> help?', base: today, with: [h200], charts: [what-if] }
`,
    );
    const { page, asked } = await open('report.html', ['report', plan]);
    expect(await page.locator('blockquote').textContent()).toBe('Will <i>it</i> help?');
    expect(await page.locator('pre').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('pre').isVisible()).toBe(true);
    const height = await page.evaluate("document.querySelector('pre').getBoundingClientRect().height");
    expect(Number(height)).toBeGreaterThan(500);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(asked).toEqual([]);
  });

  it('a report fits a telephone: only the table scrolls', async () => {
    const { page } = await open('alone.html', ['report', ...scenario]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390);
  });
});
