import type { Engine } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import { catalogAliases } from './aliases.ts';
import { CatalogError } from './catalog-error.ts';
import { type CatalogEntry, type CatalogNames, type ProfileKind, profileKinds } from './catalog-entry.ts';
import { nameTaken, noAliasTarget } from './messages.ts';
import { engineSummary, hardwareSummary, modelSummary } from './summary.ts';

/** Profiles of every kind, as their folders hold them. */
export interface Profiles {
  readonly hardware: readonly Hardware[];
  readonly models: readonly Model[];
  readonly engines: readonly Engine[];
}

/**
 * Names, aliases and one-line summaries of profiles, with the aliases of this folder put in.
 * @throws CatalogError where a name has two owners or an alias stands for no profile.
 */
export function catalogNames(profiles: Profiles, aliases: typeof catalogAliases = catalogAliases): CatalogNames {
  const entries: Record<ProfileKind, readonly CatalogEntry[]> = {
    hardware: profiles.hardware.map((hardware) => entryOf(hardware, hardwareSummary(hardware))),
    models: profiles.models.map((model) => entryOf(model, modelSummary(model))),
    engines: profiles.engines.map((engine) => entryOf(engine, engineSummary(engine))),
  };
  for (const kind of profileKinds) entries[kind] = completed(kind, entries[kind], aliases[kind]);
  return entries;
}

function entryOf(
  { name, aliases }: { readonly name: string; readonly aliases: readonly string[] },
  summary: string,
): CatalogEntry {
  return { name, aliases, summary };
}

function completed(
  kind: ProfileKind,
  entries: readonly CatalogEntry[],
  aliases: Readonly<Record<string, string>>,
): readonly CatalogEntry[] {
  const added = new Map<string, string[]>();
  for (const [alias, name] of Object.entries(aliases)) {
    if (!entries.some((entry) => entry.name === name)) throw new CatalogError(noAliasTarget(kind, alias, name));
    added.set(name, [...(added.get(name) ?? []), alias]);
  }
  const complete = entries
    .map((entry) => ({ ...entry, aliases: entry.aliases.concat(added.get(entry.name) ?? []) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const owners = new Map<string, string>();
  for (const { name, aliases: others } of complete) {
    for (const label of [name, ...others]) {
      const owner = owners.get(label);
      if (owner !== undefined) throw new CatalogError(nameTaken(kind, label, owner, name));
      owners.set(label, name);
    }
  }
  return complete;
}
