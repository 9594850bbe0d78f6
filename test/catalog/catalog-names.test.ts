import { describe, expect, it } from 'vitest';
import { CatalogError } from '../../src/catalog/catalog-error.ts';
import { catalogNames, type Profiles } from '../../src/catalog/catalog-names.ts';
import type { Engine } from '../../src/profile/engine.ts';

const engine = (name: string, ...aliases: string[]): Engine => ({
  name,
  title: name.toUpperCase(),
  aliases,
  kernels: 'none',
  releases: [],
  sources: [],
  notes: '',
});

const profiles = (...engines: Engine[]): Profiles => ({ hardware: [], models: [], engines });
const none = { hardware: {}, models: {}, engines: {} };

describe('catalogNames', () => {
  it('lists profiles by name, with the aliases of the catalog behind their own', () => {
    const names = catalogNames(profiles(engine('b', 'bee'), engine('a')), { ...none, engines: { beta: 'b' } });
    expect(names.engines).toEqual([
      { name: 'a', aliases: [], summary: 'A' },
      { name: 'b', aliases: ['bee', 'beta'], summary: 'B' },
    ]);
  });

  it('refuses a name with two owners and an alias without one', () => {
    expect(() => catalogNames(profiles(engine('a', 'x'), engine('b', 'x')), none)).toThrow(
      new CatalogError("the engine name 'x' belongs to a and to b, expected one owner."),
    );
    expect(() => catalogNames(profiles(engine('a')), { ...none, engines: { x: 'c' } })).toThrow(
      new CatalogError("the engine alias 'x' stands for 'c', which is no profile."),
    );
  });
});
