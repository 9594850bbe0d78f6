import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { documents, executed } from './support/executed-docs.ts';

describe('documents', () => {
  it.each(documents)('%s: every example prints what the command prints (npm run update:docs)', async (path) => {
    const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    expect(text).toBe(await executed(text));
  });

  it.each(documents)('%s: every relative link leads somewhere', async (path) => {
    const url = new URL(`../${path}`, import.meta.url);
    const text = await readFile(url, 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1] ?? '');
    for (const link of links) await expect(readFile(new URL(link, url)), `${path}: ${link}`).resolves.toBeDefined();
  });
});
