import { ProfileError } from '../profile/profile-error.ts';
import { nearest, shown } from '../profile/messages.ts';
import { readJson } from '../profile/read-json.ts';
import { type ScenarioFields, type ScenarioFile, scenarioFileSchema } from '../profile/scenario-file-schema.ts';

/** Values that aliases of a YAML file may multiply. */
const mostAliases = 50;

/**
 * Reads a scenario file, YAML or JSON (which YAML contains). Every name in it leads somewhere afterwards.
 * @param where What sentences call the file.
 * @throws ProfileError with one sentence: line and column for what is no YAML, the field for what is no scenario file.
 */
export async function readScenarioFile(source: string, where: string): Promise<ScenarioFile> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(source, { schema: 'core', uniqueKeys: true, prettyErrors: true, logLevel: 'silent' });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const [first = ''] = error.message.split('\n');
    throw new ProfileError(`${where}: ${first.replace(/:$/, '')}, expected YAML or JSON.`);
  }
  let json: unknown;
  try {
    json = document.toJS({ maxAliasCount: mostAliases });
  } catch (cause) {
    throw new ProfileError(`${where}: aliases repeat more than ${mostAliases} values, no scenario file needs that.`, {
      cause,
    });
  }
  const file = readJson(scenarioFileSchema, json, where);
  checkNames(file, where);
  return file;
}

function checkNames({ scenarios, comparisons = {} }: ScenarioFile, where: string): void {
  const names = Object.keys(scenarios);
  if (names.length === 0) throw new ProfileError(`${where}: scenarios is empty, expected at least one.`);
  const check = (path: string, name: string | undefined): void => {
    if (name !== undefined && !Object.hasOwn(scenarios, name)) {
      throw new ProfileError(unknownScenario(where, path, name, names));
    }
  };
  for (const [name, { extends: base }] of Object.entries(scenarios)) check(`scenarios.${name}.extends`, base);
  for (const name of names) scenarioFields({ scenarios }, name, where);
  for (const [name, { base, with: others = [] }] of Object.entries(comparisons)) {
    check(`comparisons.${name}.base`, base);
    others.forEach((other, index) => check(`comparisons.${name}.with.${index}`, other));
  }
}

export const unknownScenario = (where: string, path: string, name: string, known: readonly string[]): string => {
  const near = nearest(name, known);
  return `${where}: ${path} is ${shown(name)}, expected one of ${known.join(', ')}${near === undefined ? '' : `; nearest '${near}'`}.`;
};

/**
 * The fields of one scenario with those that it extends and the defaults filled in, nearest first; `over` goes before all.
 * @throws ProfileError where scenarios extend each other in a circle.
 */
export function scenarioFields(
  { scenarios, defaults = {} }: Pick<ScenarioFile, 'scenarios' | 'defaults'>,
  name: string,
  where: string,
  over: ScenarioFields = {},
): ScenarioFields {
  const chain: string[] = [];
  let fields = over;
  let next: string | undefined = name;
  while (next !== undefined) {
    if (chain.includes(next)) {
      throw new ProfileError(`${where}: scenarios.${name} extends itself: ${[...chain, next].join(' -> ')}.`);
    }
    chain.push(next);
    const own: ScenarioFields = scenarios[next] ?? {};
    fields = merged(own, fields);
    next = own.extends;
  }
  return merged(defaults, fields);
}

const loads = ['batch', 'concurrency', 'rate'] as const;

/** Whether `disaggregate` says how many groups there are; 'off' does not. */
export const hasPools = (disaggregate: string | number | undefined): boolean =>
  disaggregate !== undefined && !/^off$/i.test(String(disaggregate).trim());

/**
 * Fields over a base; one kind of load takes the place of another, pools that of replicas, and changes by `set` follow
 * those of the base.
 */
function merged(base: ScenarioFields, over: ScenarioFields): ScenarioFields {
  const dropped = new Set<string>([
    'extends',
    ...(loads.some((load) => over[load] !== undefined) ? loads : []),
    ...(hasPools(over.disaggregate) ? ['replicas'] : []),
  ]);
  const kept = Object.fromEntries(Object.entries(base).filter(([key]) => !dropped.has(key)));
  const set = [...(base.set ?? []), ...(over.set ?? [])];
  return { ...kept, ...over, ...(set.length === 0 ? {} : { set }) };
}
