import { readdirSync, readFileSync } from 'node:fs';
import type { Hardware } from '../../src/profile/hardware.ts';
import { readHardware } from '../../src/profile/read-hardware.ts';

const folder = new URL('../../hardware-profiles/', import.meta.url);

/** Parsed JSON of every shipped profile by file name without its ending. */
export const shippedFiles: ReadonlyMap<string, unknown> = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as unknown]),
);

export const shippedHardware: readonly Hardware[] = [...shippedFiles].map(([name, json]) => readHardware(json, name));

export function device(name: string): Hardware {
  const found = shippedHardware.find((hardware) => hardware.name === name);
  if (found === undefined) throw new Error(`no shipped profile ${name}`);
  return found;
}

/** A shipped profile with some fields replaced, by path; `undefined` takes a field out. */
export function changed(name: string, changes: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(changes).reduce(
    (json, [path, value]) => replaced(json, path.split('.'), value),
    structuredClone(shippedFiles.get(name)),
  );
}

function replaced(json: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const fields: Record<string, unknown> = typeof json === 'object' ? { ...json } : {};
  fields[key] = rest.length === 0 ? value : replaced(fields[key], rest, value);
  if (fields[key] === undefined) delete fields[key];
  return fields;
}
