import { bundledEngine, bundledHardware, bundledModel, bundledNames } from '../catalog/bundled.ts';
import type { CatalogNames, ProfileKind } from '../catalog/catalog-entry.ts';
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

/** A profile of any kind by its exact name. */
export function profileOf(catalog: Catalog, kind: ProfileKind, name: string): Promise<Hardware | Model | Engine> {
  switch (kind) {
    case 'hardware':
      return catalog.hardware(name);
    case 'models':
      return catalog.model(name);
    case 'engines':
      return catalog.engine(name);
  }
}
