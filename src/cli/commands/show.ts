import { type ProfileKind, profileKinds } from '../../catalog/catalog-entry.ts';
import { unknownAnywhere, whichOne } from '../messages.ts';
import { readAs } from '../../catalog/messages.ts';
import { resolveName } from '../../catalog/resolve-name.ts';
import { profileText } from '../../present/profile-text.ts';
import type { Catalog } from '../catalog.ts';
import { jsonText } from '../output-format.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';

const epilogue = `Examples
  twoclocks show h100                  a device: memory, peaks, links, sources with their dates
  twoclocks show llama-3.1-70b         a model: parameters, layers, KV bytes per token
  twoclocks show vllm --json           an engine: the profile as the program holds it, in SI units`;

export const showCommand: Command = {
  positionals: '<name>',
  counts: [1, 1],
  options: { json: { type: 'flag', group: 'Output', describe: 'the profile in SI units' } },
  epilogue,
  run,
};

async function run({ positionals, flags }: Given, { catalog }: Surroundings): Promise<Outcome> {
  const [text = ''] = positionals;
  const { kind, name, note } = await find(text, catalog);
  const shown = await describe(kind, name, catalog);
  if (flags.has('json')) return { output: jsonText(shown.json), code: 0 };
  return { output: `${note}${shown.text}`, code: 0 };
}

async function describe(
  kind: ProfileKind,
  name: string,
  catalog: Catalog,
): Promise<{ readonly json: object; readonly text: string }> {
  switch (kind) {
    case 'hardware': {
      const profile = await catalog.hardware(name);
      return { json: { kind, ...profile }, text: profileText({ kind, profile }) };
    }
    case 'models': {
      const profile = await catalog.model(name);
      const { modelFacts } = await import('../../present/model-facts.ts');
      return { json: { kind, ...modelFacts(profile), ...profile }, text: profileText({ kind, profile }) };
    }
    case 'engines': {
      const profile = await catalog.engine(name);
      return { json: { kind, ...profile }, text: profileText({ kind, profile }) };
    }
  }
}

interface Found {
  readonly kind: ProfileKind;
  readonly name: string;
  readonly note: string;
}

/** How sure a resolution is; a name of one kind goes before a part of another's. */
const order = ['name', 'alias', 'spelling', 'without-words', 'part'] as const;

async function find(text: string, catalog: Catalog): Promise<Found> {
  const names = await catalog.names();
  const tried = profileKinds.map((kind) => ({ kind, resolution: resolveName(kind, text, names[kind]) }));
  const [best] = tried
    .flatMap(({ kind, resolution }) => (resolution.kind === 'found' ? [{ kind, resolution }] : []))
    .toSorted((a, b) => order.indexOf(a.resolution.via) - order.indexOf(b.resolution.via));
  if (best !== undefined) {
    const { kind, resolution } = best;
    const { name, via, dropped } = resolution;
    const certain = via === 'name' || via === 'alias' || via === 'spelling';
    return { kind, name, note: certain ? '' : `Note: ${readAs(kind, text, name, dropped)}\n` };
  }
  for (const { kind, resolution } of tried) {
    if (resolution.kind === 'ambiguous') throw new InputError(whichOne(kind, text, resolution));
  }
  const nearest = tried.flatMap(({ resolution }) =>
    resolution.kind === 'unknown' ? resolution.nearest.slice(0, 1) : [],
  );
  throw new InputError(unknownAnywhere(text, nearest));
}
