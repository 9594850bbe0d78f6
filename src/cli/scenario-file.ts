import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { hasPools, readScenarioFile, scenarioFields, unknownScenario } from '../exchange/scenario-file.ts';
import {
  type Comparison,
  type ScenarioFields,
  type ScenarioFile,
  scenarioFieldNames,
} from '../profile/scenario-file-schema.ts';
import type { Given } from './command.ts';
import { InputError } from './input-error.ts';
import { emptyFile, severalScenarios, tooLargeFile, unreadable } from './messages.ts';
import { reasonOf } from './system-reason.ts';

const largestFile = 1e6;

/** A scenario file with the place that it came from, for the paths in it. */
export interface OpenedFile {
  readonly file: ScenarioFile;
  readonly folder: string;
  readonly where: string;
}

/** 'plan.yaml#today': the file, and the name of a scenario or comparison in it. */
export interface ScenarioReference {
  readonly path: string;
  readonly name?: string;
}

export function scenarioReference(text: string): ScenarioReference {
  const at = text.lastIndexOf('#');
  return at <= 0 ? { path: text } : { path: text.slice(0, at), name: text.slice(at + 1) };
}

/** @throws InputError or ProfileError, one sentence, where it cannot be read. */
export async function openScenarioFile(path: string): Promise<OpenedFile> {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > largestFile) throw new InputError(tooLargeFile(path, size, largestFile));
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(unreadable(path, reasonOf(error)), { cause: error });
  }
  if (text.trim() === '') throw new InputError(emptyFile(path));
  const where = basename(path);
  return { file: await readScenarioFile(text, where), folder: dirname(path), where };
}

/** The comparison that a name leads to, where it leads to one. */
export const comparisonOf = ({ file }: OpenedFile, name: string | undefined): Comparison | undefined =>
  name !== undefined && file.comparisons !== undefined && Object.hasOwn(file.comparisons, name)
    ? file.comparisons[name]
    : undefined;

/** Options with those of `--scenario` filled in below them: what is typed goes before what the file says. */
export async function withScenarioFile(given: Given): Promise<Given> {
  const { scenario } = given.text;
  if (scenario === undefined) return given;
  const { path, name } = scenarioReference(scenario);
  const opened = await openScenarioFile(path);
  return withFields(given, opened, comparisonOf(opened, name)?.base ?? chosen(opened, name));
}

function chosen({ file, where }: OpenedFile, name: string | undefined): string {
  const names = Object.keys(file.scenarios);
  const [only] = names;
  if (name === undefined) {
    if (only !== undefined && names.length === 1) return only;
    throw new InputError(severalScenarios(where, [...names, ...Object.keys(file.comparisons ?? {})]));
  }
  if (Object.hasOwn(file.scenarios, name)) return name;
  throw new InputError(unknownScenario(where, 'the scenario', name, names));
}

/** Options that describe how devices are spread; one that is typed takes the place of `devices` in the file, and back. */
const spreads = ['tp', 'pp', 'dp', 'replicas'] as const;
const loads = ['batch', 'concurrency', 'rate'] as const;

/** Options with the fields of one scenario of a file below them. */
export function withFields(given: Given, { file, folder, where }: OpenedFile, name: string): Given {
  const { disaggregate } = given.text;
  // Before the fields are merged: pools take the place of replicas, which 'off' brings back.
  const fields = scenarioFields(file, name, where, disaggregate === undefined ? {} : { disaggregate });
  const typed = (names: readonly string[]): boolean => names.some((each) => given.text[each] !== undefined);
  const dropped = new Set<string>([
    ...(typed(loads) ? loads : []),
    ...(typed(spreads) || hasPools(disaggregate) ? ['devices'] : []),
    ...(typed(['devices']) ? ['tp'] : []),
  ]);
  const text: Record<string, string> = {};
  for (const field of scenarioFieldNames) {
    const value = fields[field];
    if (value !== undefined && !dropped.has(field)) text[field] = placed(field, String(value), { file, folder });
  }
  const set = [...(fields.set ?? []), ...(given.lists['set'] ?? [])];
  return {
    ...given,
    text: { ...text, ...given.text },
    flags: fields.ideal === true ? new Set([...given.flags, 'ideal']) : given.flags,
    lists: set.length === 0 ? given.lists : { ...given.lists, set },
  };
}

/** Own profiles by name, and paths from the folder of the file. */
function placed(
  field: keyof ScenarioFields,
  value: string,
  { file, folder }: Pick<OpenedFile, 'file' | 'folder'>,
): string {
  if (field === 'calibration') return isAbsolute(value) ? value : asPath(join(folder, value));
  const { profiles = {} } = file;
  const profile = (plain: string): string => {
    const own = Object.hasOwn(profiles, plain) ? profiles[plain] : undefined;
    const path = own ?? plain;
    // A name of a hub ('meta-llama/Llama-3.1-8B') is no path, unless it says so.
    const isFile = own !== undefined || /^\.{1,2}[\\/]|\.(?:json|gguf)$/i.test(plain);
    return isFile && !isAbsolute(path) ? asPath(join(folder, path)) : path;
  };
  if (field === 'model' || field === 'hardware') return profile(value);
  if (field === 'speculation')
    return value.replace(/(:\s*model\s*=\s*)([^:]+)/i, (_, key: string, name: string) => key + profile(name.trim()));
  if (field !== 'engine') return value;
  const at = value.lastIndexOf('@');
  return at > 0 ? `${profile(value.slice(0, at))}${value.slice(at)}` : profile(value);
}

/** A path that nobody takes for a name. */
const asPath = (path: string): string => (isAbsolute(path) || path.startsWith('.') ? path : `./${path}`);
