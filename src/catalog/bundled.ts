import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { deepFreeze } from '../profile/deep-freeze.ts';
import type { Engine } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import type { Prices } from '../profile/price.ts';
import { CatalogError } from './catalog-error.ts';
import type { CatalogNames, ProfileKind } from './catalog-entry.ts';
import { damagedProfile, noSuchProfile, notBuilt } from './messages.ts';
import { resolveName, type Resolution } from './resolve-name.ts';

/*
 * Bundled profiles in Node, written by scripts/build-catalog.ts from the profile folders. They were checked there, so
 * that a start needs no schema library and reads only the files it is asked for.
 */

/** Two levels up both from src/catalog and from the folders of dist. */
const bundledProfiles: URL = new URL('../../dist/profiles/', import.meta.url);

/** Names, aliases and summaries of every bundled profile. */
export async function bundledNames(base: URL = bundledProfiles): Promise<CatalogNames> {
  return bundled('names.json', isNames, base);
}

/** Finds the bundled profile that a person means. */
export async function findBundled(kind: ProfileKind, text: string, base: URL = bundledProfiles): Promise<Resolution> {
  return resolveName(kind, text, (await bundledNames(base))[kind]);
}

/** @param name Canonical name; see `findBundled` for what people write. */
export async function bundledHardware(name: string, base: URL = bundledProfiles): Promise<Hardware> {
  return bundled(pathOf('hardware', name), isHardware, base);
}

export async function bundledModel(name: string, base: URL = bundledProfiles): Promise<Model> {
  return bundled(pathOf('models', name), isModel, base);
}

export async function bundledEngine(name: string, base: URL = bundledProfiles): Promise<Engine> {
  return bundled(pathOf('engines', name), isEngine, base);
}

/** What devices cost, by canonical hardware name. */
export async function bundledPrices(base: URL = bundledProfiles): Promise<Prices> {
  return bundled('prices.json', isPrices, base);
}

function pathOf(kind: ProfileKind, name: string): string {
  // Names are lower-case words; anything else could leave the folder.
  if (!/^[a-z0-9][a-z0-9.+_-]{0,63}$/.test(name)) throw new CatalogError(noSuchProfile(kind, name));
  return `${kind}/${name}.json`;
}

async function bundled<T>(path: string, is: (value: unknown) => value is T, base: URL): Promise<T> {
  const url = new URL(path, base);
  let text: string;
  try {
    text = await readFile(url, 'utf8');
  } catch (cause) {
    const [kind, file] = path.split('/');
    if (file === undefined || (kind !== 'hardware' && kind !== 'models' && kind !== 'engines')) {
      throw new CatalogError(notBuilt(fileURLToPath(base)), { cause });
    }
    throw new CatalogError(noSuchProfile(kind, file.replace(/\.json$/, '')), { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CatalogError(damagedProfile(fileURLToPath(url)), { cause });
  }
  if (!is(value)) throw new CatalogError(damagedProfile(fileURLToPath(url)));
  return deepFreeze(value);
}

// The build wrote whole checked values; what tells them apart is enough here.
const has = (value: unknown, ...keys: readonly string[]): value is object =>
  typeof value === 'object' && value !== null && keys.every((key) => key in value);

const isHardware = (value: unknown): value is Hardware => has(value, 'name', 'memory', 'matrix', 'link');
const isModel = (value: unknown): value is Model => has(value, 'name', 'layers', 'hiddenSize');
const isEngine = (value: unknown): value is Engine => has(value, 'name', 'releases', 'kernels');
const isPrices = (value: unknown): value is Prices => has(value, 'date', 'entries');
const isNames = (value: unknown): value is CatalogNames => has(value, 'hardware', 'models', 'engines');
