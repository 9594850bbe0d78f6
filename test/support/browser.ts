import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether pages can be looked at; says so where not. */
export const hasBrowser: boolean = existsSync(path);
if (!hasBrowser) {
  process.stderr.write(`not run: pages in a browser, as ${path} is not there (Debian: apt-get install chromium).\n`);
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
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
