import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../notebooks/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.ipynb'));

interface Notebook {
  readonly nbformat: number;
  readonly metadata: { readonly kernelspec: { readonly name: string } };
  readonly cells: readonly {
    readonly cell_type: string;
    readonly source: readonly string[];
    readonly outputs?: readonly { readonly output_type: string; readonly data?: Readonly<Record<string, unknown>> }[];
  }[];
}

const isNotebook = (value: unknown): value is Notebook =>
  typeof value === 'object' && value !== null && 'cells' in value && 'metadata' in value;

function read(name: string): Notebook {
  const value: unknown = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  if (!isNotebook(value)) throw new TypeError(`${name} is no notebook`);
  return value;
}

// That outputs are what the cells give is checked by scripts/check-notebooks.sh, which needs Jupyter.
describe.each(names)('%s', (name) => {
  const { nbformat, metadata, cells } = read(name);
  const outputs = cells.flatMap((cell) => cell.outputs ?? []);

  it('is a notebook for the Deno kernel that begins with words', () => {
    expect(nbformat).toBe(4);
    expect(metadata.kernelspec.name).toBe('deno');
    expect(cells[0]?.cell_type).toBe('markdown');
    expect(cells[0]?.source[0]).toMatch(/^# /);
  });

  it('holds its outputs: tables and pictures, no errors, no stray text', () => {
    const types = new Set(outputs.flatMap(({ data = {} }) => Object.keys(data)));
    expect(outputs.filter(({ output_type: type }) => type !== 'display_data')).toEqual([]);
    expect([...types].toSorted()).toEqual(['image/png', 'text/markdown']);
  });

  it('names no place of the machine that ran it', () => {
    expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/\/(?:home|root|Users|tmp)\//);
  });
});

it('there are six', () => {
  expect(names).toHaveLength(6);
});
