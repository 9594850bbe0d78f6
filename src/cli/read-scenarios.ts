import type { NamedScenario } from '../present/chart/data/comparison-data.ts';
import type { Catalog } from './catalog.ts';
import type { Given } from './command.ts';
import { type ReadScenario, readScenario } from './read-scenario.ts';

export interface ReadScenarios extends ReadScenario {
  /** Further scenarios of a comparison, in its order. */
  readonly others: readonly (NamedScenario & Pick<ReadScenario, 'own'>)[];
}

/** The scenario that is asked about, and those that a comparison of a scenario file sets beside it. */
export async function readScenarios(given: Given, catalog: Catalog): Promise<ReadScenarios> {
  return { ...(await readScenario(given, catalog)), others: [] };
}
