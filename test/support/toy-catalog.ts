import type { CatalogNames } from '../../src/catalog/catalog-entry.ts';
import type { Catalog } from '../../src/cli/catalog.ts';
import type { Hardware } from '../../src/profile/hardware.ts';
import type { Model } from '../../src/profile/model.ts';
import { bareEngine, toyHardware, toyModel } from './toy.ts';

const citation = { source: 'made up for tests', date: '2026-01-01' };

/** The toy profiles as a catalogue would hold them: profiles of models need a source. */
export const catalogModel: Model = { ...toyModel, sources: [citation] };
export const catalogHardware: Hardware = { ...toyHardware, sources: [citation] };

const names: CatalogNames = {
  hardware: [{ name: 'toy', aliases: ['toy-card'], summary: 'Toy device: 1 TFLOP/s' }],
  models: [{ name: 'toy-13m', aliases: [], summary: 'Toy 13M: 14 M parameters' }],
  engines: [{ name: 'none', aliases: [], summary: 'bare hardware' }],
};

const only = <T extends { readonly name: string }>(profile: T, name: string): Promise<T> =>
  name === profile.name ? Promise.resolve(profile) : Promise.reject(new RangeError(`the toy catalogue has no ${name}`));

/** One device, one model, one engine, of round numbers. */
export const toyCatalog: Catalog = {
  names: () => Promise.resolve(names),
  hardware: (name) => only(catalogHardware, name),
  model: (name) => only(catalogModel, name),
  engine: (name) => only(bareEngine, name),
};
