import type { NamedScenario } from '../present/chart/data/comparison-data.ts';
import type { Catalog } from './catalog.ts';
import type { Given } from './command.ts';
import { type ReadScenario, readScenario } from './read-scenario.ts';

export interface ReadScenarios extends ReadScenario {
  /** Further scenarios of a comparison, in its order. */
  readonly others: readonly (NamedScenario & Pick<ReadScenario, 'own'>)[];
  /** Changes that the comparison asks about, as they are written. */
  readonly changes: readonly string[];
}

/** The scenario that is asked about, and those that a comparison of a scenario file sets beside it. */
export async function readScenarios(given: Given, catalog: Catalog): Promise<ReadScenarios> {
  const base = await readScenario(given, catalog);
  const { scenario } = given.text;
  if (scenario === undefined) return { ...base, others: [], changes: [] };
  const { comparisonOf, openScenarioFile, scenarioReference, withFields } = await import('./scenario-file.ts');
  const { path, name } = scenarioReference(scenario);
  const opened = await openScenarioFile(path);
  const comparison = comparisonOf(opened, name);
  const { scenario: _, ...text } = given.text;
  const others = (comparison?.with ?? []).map(async (label) => {
    const other = await readScenario(withFields({ ...given, text }, opened, label), catalog);
    return { label, scenario: other.scenario, own: other.own };
  });
  return { ...base, others: await Promise.all(others), changes: comparison?.changes ?? [] };
}
