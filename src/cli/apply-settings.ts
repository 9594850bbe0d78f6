import { engineToFile } from '../profile/engine-to-file.ts';
import type { EngineRelease } from '../profile/engine.ts';
import { hardwareToFile } from '../profile/hardware-to-file.ts';
import { modelToFile } from '../profile/model-to-json.ts';
import { readEngine } from '../profile/read-engine.ts';
import { readHardware } from '../profile/read-hardware.ts';
import { readModel } from '../profile/read-model.ts';
import type { Deployment, Scenario } from '../profile/scenario.ts';
import type { Load, Workload } from '../profile/workload.ts';
import type { Dimension } from '../quantity/dimension.ts';
import { evaluateExpression, parseAssignment, type ScopeValue } from '../quantity/expression.ts';
import { formatQuantity, formatRounded } from '../quantity/format-quantity.ts';
import { engineLimits } from '../roofline/engine-limits.ts';
import { InputError } from './input-error.ts';
import { engineOfRelease } from './make-receipt.ts';
import type { ProfilePart } from './profile-part.ts';
import { needsIdeal, needsOption, nearestWord, notAFlag, otherLoad, unknownPath } from './messages.ts';
import { settingPaths } from './setting-paths.ts';

/** A scenario after `--set`, the profiles that changed, and one sentence on each change. */
export interface Changed {
  readonly scenario: Scenario;
  readonly parts: ReadonlySet<ProfilePart>;
  readonly notes: readonly string[];
}

type Setting = number | boolean;
type Kind = Dimension | 'flag';

/** A value that a path has now, and what it may become. */
interface Field {
  readonly value?: Setting;
  readonly kind: Kind;
}

/**
 * Applies assignments in their order, each seeing what the earlier ones set. A changed profile is written out as a
 * file and read again, so that nothing that a profile could not hold gets through.
 * @throws InputError, QuantityError or ProfileError with one sentence.
 */
export function applySettings(scenario: Scenario, assignments: readonly string[]): Changed {
  const fields = fieldsOf(scenario);
  const changes = new Map<string, Setting>();
  const notes: string[] = [];
  for (const text of assignments) {
    const { path, expression } = parseAssignment(text);
    const field = fieldAt(fields, path, scenario);
    const value =
      field.kind === 'flag'
        ? flagOf(path, expression)
        : evaluateExpression(expression, scopeOf(fields), field.kind, path);
    fields.set(path, { ...field, value });
    changes.set(path, value);
    const before = field.value === undefined ? '' : ` (was ${said(field.value, field.kind)})`;
    notes.push(`${path} is set to ${said(value, field.kind)}${before}.`);
  }
  const parts = new Set((['model', 'hardware', 'engine'] as const).filter((part) => under(changes, part).length > 0));
  return { scenario: changed(scenario, fields, changes), parts, notes };
}

/** Every path that may be set, with its present value where it has one. */
function fieldsOf({ deployment, workload }: Scenario): Map<string, Field> {
  const { model, hardware, release, parallelism, speculation, disaggregation, utilisation } = deployment;
  const { tokenBudget, maxSequences } = engineLimits(release, hardware);
  const { load } = workload;
  const values: unknown = {
    hardware,
    engine: { ...release, scheduling: { ...release.scheduling, tokenBudget, maxSequences } },
    workload: { ...workload, [load.kind]: load.kind === 'rate' ? load.requestsPerSecond : load.size },
    parallelism,
    speculation,
    disaggregation,
    utilisation,
  };
  const named = Object.entries(settingPaths).map(([path, kind]): [string, Field] => {
    const value = valueAt(values, path);
    const known = typeof value === 'boolean' || (typeof value === 'number' && value !== Infinity);
    return [path, known ? { value, kind } : { kind }];
  });
  return new Map([...named, ...leavesOf(modelToFile(model), 'model')]);
}

/** Numbers and switches of a model's file; every number in it is a count. */
function leavesOf(value: unknown, path: string): [string, Field][] {
  if (typeof value === 'number') return [[path, { value, kind: 'count' }]];
  if (typeof value === 'boolean') return [[path, { value, kind: 'flag' }]];
  return isRecord(value) ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}.${key}`)) : [];
}

function fieldAt(fields: ReadonlyMap<string, Field>, path: string, { grade, workload, deployment }: Scenario): Field {
  const field = fields.get(path);
  if (field === undefined) throw new InputError(unknownPath(path, nearestWord(path, [...fields.keys()])));
  const load = /^workload\.(batch|concurrency|rate)$/.exec(path)?.[1];
  if (load !== undefined && load !== workload.load.kind) throw new InputError(otherLoad(path, workload.load.kind));
  for (const [part, option] of [
    ['speculation', 'speculation'],
    ['disaggregation', 'disaggregate'],
  ] as const)
    if (path.startsWith(`${part}.`) && deployment[part] === undefined) throw new InputError(needsOption(path, option));
  if (path.startsWith('utilisation.') && grade !== 'ideal') throw new InputError(needsIdeal(`set ${path}`));
  return field;
}

/** What expressions may name. */
function scopeOf(fields: ReadonlyMap<string, Field>): ReadonlyMap<string, ScopeValue> {
  const scope = new Map<string, ScopeValue>();
  for (const [path, { value, kind }] of fields) {
    if (typeof value === 'number' && kind !== 'flag') scope.set(path, { value, dimension: kind });
  }
  return scope;
}

function flagOf(path: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InputError(notAFlag(path, text));
  return text === 'true';
}

const said = (value: Setting, kind: Kind): string =>
  typeof value === 'number' && kind !== 'flag' ? formatRounded(value, kind) : String(value);

/** Changes whose path starts with a part, without it. */
const under = (changes: ReadonlyMap<string, Setting>, part: string): readonly [string, Setting][] =>
  [...changes].flatMap(([path, value]): [string, Setting][] =>
    path.startsWith(`${part}.`) ? [[path.slice(part.length + 1), value]] : [],
  );

function changed(
  scenario: Scenario,
  fields: ReadonlyMap<string, Field>,
  changes: ReadonlyMap<string, Setting>,
): Scenario {
  const number = (path: string): number => {
    const value = fields.get(path)?.value;
    return typeof value === 'number' ? value : 0;
  };
  const { deployment, workload, grade } = scenario;
  const model = under(changes, 'model');
  const hardware = under(changes, 'hardware');
  const engine = under(changes, 'engine');
  const release = engine.length === 0 ? deployment.release : changedRelease(deployment, engine);
  const shares = under(valuesOf(fields), 'utilisation');
  const { speculation, disaggregation } = deployment;
  const drafting = under(changes, 'speculation');
  const pools = under(changes, 'disaggregation');
  return {
    grade,
    workload: changedWorkload(workload, number),
    deployment: {
      ...deployment,
      ...(model.length === 0
        ? {}
        : { model: readModel(edited(modelToFile(deployment.model), model), 'after --set, model') }),
      ...(hardware.length === 0
        ? {}
        : {
            hardware: readHardware(
              edited(
                hardwareToFile(deployment.hardware),
                hardware.map(([path, value]) => [path, asWritten(`hardware.${path}`, value)]),
              ),
              'after --set, hardware',
            ),
          }),
      ...(engine.length === 0 ? {} : { engine: { ...deployment.engine, releases: [release] }, release }),
      parallelism: {
        tensor: number('parallelism.tensor'),
        pipeline: number('parallelism.pipeline'),
        data: number('parallelism.data'),
        expert: number('parallelism.expert'),
        // Pools are replicas of two kinds.
        replicas:
          pools.length === 0
            ? number('parallelism.replicas')
            : number('disaggregation.prefill') + number('disaggregation.decode'),
      },
      ...(speculation === undefined || drafting.length === 0
        ? {}
        : { speculation: { ...speculation, ...Object.fromEntries(drafting.filter(isNumeric)) } }),
      ...(disaggregation === undefined || pools.length === 0
        ? {}
        : { disaggregation: { ...disaggregation, ...Object.fromEntries(pools.filter(isNumeric)) } }),
      ...(shares.length === 0 ? {} : { utilisation: Object.fromEntries(shares.filter(isNumeric)) }),
    },
  };
}

const isNumeric = (entry: readonly [string, Setting]): entry is [string, number] => typeof entry[1] === 'number';

const valuesOf = (fields: ReadonlyMap<string, Field>): ReadonlyMap<string, Setting> =>
  new Map(
    [...fields].flatMap(([path, { value }]): [string, Setting][] => (value === undefined ? [] : [[path, value]])),
  );

function changedWorkload({ load }: Workload, number: (path: string) => number): Workload {
  const size = number(`workload.${load.kind}`);
  const next: Load = load.kind === 'rate' ? { kind: 'rate', requestsPerSecond: size } : { kind: load.kind, size };
  return {
    prompt: number('workload.prompt'),
    output: number('workload.output'),
    cached: number('workload.cached'),
    load: next,
  };
}

function changedRelease(deployment: Deployment, changes: readonly [string, Setting][]): EngineRelease {
  const file = engineToFile(engineOfRelease(deployment));
  const [release] = file.releases;
  const { citations = [], ...overhead } = release?.overhead ?? {};
  const cited = { ...release, overhead: { ...overhead, citations: [...citations, { source: 'set by the user' }] } };
  const written = changes.map(([path, value]): [string, unknown] => [
    path,
    path === 'scheduling.tokenBudget' || path === 'scheduling.maxSequences'
      ? [{ value }]
      : asWritten(`engine.${path}`, value),
  ]);
  const engine = readEngine({ ...file, releases: [edited(cited, written)] }, 'after --set, engine');
  return { ...deployment.release, ...engine.releases[0] };
}

/** A value as profile files write it: counts and shares bare, everything else with its unit. */
function asWritten(path: string, value: Setting): unknown {
  const kind = settingPaths[path];
  if (typeof value === 'boolean' || kind === undefined || kind === 'flag' || kind === 'count' || kind === 'ratio')
    return value;
  return formatQuantity(value, kind);
}

/** A copy of a file with the values at some dotted paths replaced; objects on the way come to be where they lack. */
function edited(file: object, changes: readonly (readonly [string, unknown])[]): unknown {
  const copy: unknown = structuredClone(file);
  for (const [path, value] of changes) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let place = copy;
    for (const key of keys) {
      if (!isRecord(place)) break;
      place[key] ??= {};
      place = place[key];
    }
    if (isRecord(place)) place[last] = value;
  }
  return copy;
}

function valueAt(values: unknown, path: string): unknown {
  let value = values;
  for (const key of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
