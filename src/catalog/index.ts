/* Profiles by name, for Node: `import { scenarioOf } from 'twoclocks/catalog'`. */
export { bundledEngine, bundledHardware, bundledModel, bundledNames, bundledPrices, findBundled } from './bundled.ts';
export type { CatalogEntry, CatalogNames, ProfileKind } from './catalog-entry.ts';
export { CatalogError } from './catalog-error.ts';
export { engineFile, hardwareFile, modelFile } from './profile-file.ts';
export type { Resolution, Via } from './resolve-name.ts';
export { type ScenarioWords, scenarioOf } from './scenario.ts';
