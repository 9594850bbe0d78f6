import type { ProfileSource } from '../measured/row-scenario.ts';
import type { Measurement } from '../measured/measurement.ts';
import type { Catalog } from './catalog.ts';
import { inputSentence } from './input-error.ts';
import { loadEngine, loadHardware, loadModel } from './load-profile.ts';

/** The profiles that rows name, found once each; where there is none, the sentence that says so. */
export async function measuredProfiles(rows: readonly Measurement[], catalog: Catalog): Promise<ProfileSource> {
  const find = async <T>(
    names: readonly string[],
    load: (name: string) => Promise<{ readonly profile: T }>,
  ): Promise<(name: string) => T | string> => {
    const found = new Map<string, T | string>();
    for (const name of new Set(names)) {
      try {
        found.set(name, (await load(name)).profile);
      } catch (error) {
        const sentence = inputSentence(error);
        if (sentence === undefined) throw error;
        found.set(name, sentence);
      }
    }
    return (name) => found.get(name) ?? name;
  };
  const [model, hardware, engine] = await Promise.all([
    find(
      rows.map((row) => row.model),
      (name) => loadModel(name, catalog),
    ),
    find(
      rows.map((row) => row.hardware),
      (name) => loadHardware(name, catalog),
    ),
    find(
      rows.map((row) => row.engine),
      (name) => loadEngine(name, catalog),
    ),
  ]);
  return { model, hardware, engine };
}
