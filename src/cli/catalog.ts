import { bundledEngine, bundledHardware, bundledModel, bundledNames } from '../catalog/bundled.ts';
import type { CatalogNames } from '../catalog/catalog-entry.ts';
import type { Engine } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';

/** The profiles that come with the program, by their exact names. */
export interface Catalog {
  readonly names: () => Promise<CatalogNames>;
  readonly hardware: (name: string) => Promise<Hardware>;
  readonly model: (name: string) => Promise<Model>;
  readonly engine: (name: string) => Promise<Engine>;
}

export const bundledCatalog: Catalog = {
  names: () => bundledNames(),
  hardware: (name) => bundledHardware(name),
  model: (name) => bundledModel(name),
  engine: (name) => bundledEngine(name),
};
