import { existsSync } from 'node:fs';
import type { ProfileKind } from '../catalog/catalog-entry.ts';
import { readAs, unknownName } from '../catalog/messages.ts';
import { resolveName } from '../catalog/resolve-name.ts';
import type { Engine, EngineRelease } from '../profile/engine.ts';
import { releaseFor } from '../profile/find-release.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import type { Catalog } from './catalog.ts';
import { InputError } from './input-error.ts';
import { unknownRelease, whichOne } from './messages.ts';

/** A profile and where it came from. */
export interface Loaded<T> {
  readonly profile: T;
  /** The file that it was read from; absent for one of the catalogue. */
  readonly path?: string;
  /** How a name was understood, where it was not the profile's own; what a file held that was not understood. */
  readonly notes: readonly string[];
}

/** A text that can only be meant as a path: it says so, or a file has that ending. */
const looksLikePath = (text: string): boolean =>
  /^(?:\.{0,2}[\\/]|\.{1,2}$|~[\\/]|[a-z]:[\\/])|\.(?:json|gguf)$/i.test(text);

/** @throws CatalogError for an unknown or ambiguous name; the errors of reading a file. */
export async function loadHardware(text: string, catalog: Catalog): Promise<Loaded<Hardware>> {
  const name = await nameOrPath('hardware', text, catalog);
  if (name.path === undefined) return { profile: await catalog.hardware(name.name), notes: name.notes };
  const { hardwareFromFile } = await import('./profile-files.ts');
  return { profile: hardwareFromFile(name.path), path: name.path, notes: [] };
}

/** A model by name, or from a model profile, a config.json, its folder or a GGUF file. */
export async function loadModel(text: string, catalog: Catalog): Promise<Loaded<Model>> {
  const name = await nameOrPath('models', text, catalog);
  if (name.path === undefined) return { profile: await catalog.model(name.name), notes: name.notes };
  const { modelFromPath } = await import('./profile-files.ts');
  const { model, notes } = await modelFromPath(name.path);
  return { profile: model, path: name.path, notes };
}

export interface LoadedEngine extends Loaded<Engine> {
  readonly release: EngineRelease;
}

/** An engine and the release whose rules hold: 'vllm', 'vllm@0.11.0', './engine.json'. */
export async function loadEngine(text: string, catalog: Catalog): Promise<LoadedEngine> {
  const at = text.lastIndexOf('@');
  const [plain, version] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined];
  const name = await nameOrPath('engines', plain, catalog);
  const engine =
    name.path === undefined
      ? await catalog.engine(name.name)
      : await import('./profile-files.ts').then(({ engineFromFile }) => engineFromFile(name.path));
  const release = version === undefined ? engine.releases.at(-1) : releaseFor(engine, version);
  if (release === undefined) {
    throw new InputError(
      unknownRelease(
        engine.name,
        version ?? '',
        engine.releases.map((each) => each.version),
      ),
    );
  }
  return { profile: engine, release, ...(name.path === undefined ? {} : { path: name.path }), notes: name.notes };
}

type Named = { readonly name: string; readonly path?: undefined; readonly notes: readonly string[] };
type Filed = { readonly path: string; readonly notes: readonly [] };

/** The catalogue comes first, unless the text can only be a path; a file of an unknown name is better than no answer. */
async function nameOrPath(kind: ProfileKind, text: string, catalog: Catalog): Promise<Named | Filed> {
  if (looksLikePath(text)) return { path: text, notes: [] };
  const resolution = resolveName(kind, text, (await catalog.names())[kind]);
  switch (resolution.kind) {
    case 'found': {
      const { name, via, dropped } = resolution;
      const plain = via === 'name' || via === 'alias' || (via === 'spelling' && dropped.length === 0);
      return { name, notes: plain ? [] : [readAs(kind, text, name, dropped)] };
    }
    case 'ambiguous':
      throw new InputError(whichOne(kind, text, resolution));
    case 'unknown':
      if (existsSync(text)) return { path: text, notes: [] };
      throw new InputError(unknownName(kind, text, resolution.nearest));
  }
}
