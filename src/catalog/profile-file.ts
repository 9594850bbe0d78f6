import { readFile, stat } from 'node:fs/promises';
import type { Engine } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import { CatalogError } from './catalog-error.ts';
import { profileTooLarge } from './messages.ts';
import { parsed } from './profile-folder.ts';

/** No profile comes near this. */
const mostBytes = 1_000_000;

/**
 * Reads a hardware profile of the user's own. The schema and unit libraries are loaded for it alone.
 * @throws ProfileError, QuantityError or CatalogError with one sentence; what the file system throws.
 */
export async function hardwareFile(path: string): Promise<Hardware> {
  const json = await jsonFile(path);
  const { readHardware } = await import('../profile/read-hardware.ts');
  return readHardware(json, path);
}

/** Reads a model profile of the user's own; see `hardwareFile`. */
export async function modelFile(path: string): Promise<Model> {
  const json = await jsonFile(path);
  const { readModel } = await import('../profile/read-model.ts');
  return readModel(json, path);
}

/** Reads an engine profile of the user's own; see `hardwareFile`. */
export async function engineFile(path: string): Promise<Engine> {
  const json = await jsonFile(path);
  const { readEngine } = await import('../profile/read-engine.ts');
  return readEngine(json, path);
}

async function jsonFile(path: string): Promise<unknown> {
  const { size } = await stat(path);
  if (size > mostBytes) throw new CatalogError(profileTooLarge(path, size, mostBytes));
  return parsed(await readFile(path, 'utf8'), path);
}
