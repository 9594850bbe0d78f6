import { readFile, writeFile } from 'node:fs/promises';
import { documents, executed } from '../test/support/executed-docs.ts';

/** Runs every `$ twoclocks ...` example of the documents and writes what it prints below it. */
for (const path of documents) {
  const url = new URL(`../${path}`, import.meta.url);
  const text = await readFile(url, 'utf8');
  const updated = await executed(text);
  if (updated === text) continue;
  await writeFile(url, updated);
  console.log(`updated ${path}`);
}
