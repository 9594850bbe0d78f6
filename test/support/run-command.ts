import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { bundledCatalog, type Catalog } from '../../src/cli/catalog.ts';
import type { Outcome } from '../../src/cli/command.ts';
import { main } from '../../src/cli/main.ts';
import { toyCatalog } from './toy-catalog.ts';

/** Runs the command in this process, as `twoclocks WORDS` would. */
export const run = (words: readonly string[], catalog: Catalog = bundledCatalog, input = ''): Promise<Outcome> =>
  main(words, {
    version: '0.0.0-test',
    catalog,
    colour: false,
    readInput: () => Promise.resolve(new TextEncoder().encode(input)),
  });

/** Runs it on the toy profiles: `toy estimate ...` without naming them. */
export const toyEstimate = (...words: readonly string[]): Promise<Outcome> =>
  run(['estimate', '-m', 'toy-13m', '-g', 'toy', '-e', 'none', ...words], toyCatalog);

/** A folder that goes away with the test file. */
export function scratch(): (name: string, content: string | Uint8Array) => string {
  const folder = mkdtempSync(join(tmpdir(), 'twoclocks-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
}

/** Parsed JSON of an outcome, as a record. */
export function jsonOf({ output = '' }: Outcome): Record<string, unknown> {
  const value: unknown = JSON.parse(output);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return Object.fromEntries(Object.entries(value));
}

/** What stands at a dotted path of a parsed JSON value. */
export function at(json: unknown, path: string): unknown {
  let value = json;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) throw new TypeError(`nothing at ${key} of ${path}`);
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

/** The sum of the numbers in an object. */
export const sumOf = (values: unknown): number =>
  typeof values === 'object' && values !== null
    ? Object.values(values).reduce<number>((total, value) => total + Number(value), 0)
    : Number.NaN;

/** The keys of an object in their order; none of anything else. */
export const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];
