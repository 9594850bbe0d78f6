import { readProfileFolder } from '../src/catalog/profile-folder.ts';
import { resolveName } from '../src/catalog/resolve-name.ts';
import type { ProfileKind } from '../src/catalog/catalog-entry.ts';
import { catalogNames } from '../src/catalog/catalog-names.ts';
import type { ProfileSource } from '../src/measured/row-scenario.ts';
import { readEngine } from '../src/profile/read-engine.ts';
import { readHardware } from '../src/profile/read-hardware.ts';
import { readModel } from '../src/profile/read-model.ts';

const folder = (name: string): URL => new URL(`../${name}/`, import.meta.url);

/** The profiles of this repository by the names that measured rows use. */
export async function shippedProfiles(): Promise<ProfileSource> {
  const [hardware, models, engines] = await Promise.all([
    readProfileFolder(folder('hardware-profiles'), readHardware),
    readProfileFolder(folder('model-profiles'), readModel),
    readProfileFolder(folder('engine-profiles'), readEngine),
  ]);
  const names = catalogNames({ hardware, models, engines });
  const finder = <T extends { readonly name: string }>(
    kind: ProfileKind,
    profiles: readonly T[],
  ): ((name: string) => T | string) => {
    const found = new Map<string, T | string>();
    return (name) => {
      const known = found.get(name);
      if (known !== undefined) return known;
      const resolution = resolveName(kind, name, names[kind]);
      const profile = resolution.kind === 'found' ? profiles.find((each) => each.name === resolution.name) : undefined;
      const answer = profile ?? `no ${kind} profile for '${name}'`;
      found.set(name, answer);
      return answer;
    };
  };
  return {
    hardware: finder('hardware', hardware),
    model: finder('models', models),
    engine: finder('engines', engines),
  };
}
