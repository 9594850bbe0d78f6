import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const driver = new URL('../../node_modules/playwright-core/package.json', import.meta.url);

/** Whether pages can be looked at; says so where not. */
export const hasBrowser: boolean = existsSync(path) && existsSync(driver);
if (!hasBrowser) {
  process.stderr.write(
    `not run: pages in a browser, which needs ${path} (Debian: apt-get install chromium) and playwright-core (npm ci).\n`,
  );
}

export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
