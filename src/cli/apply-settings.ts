import type { ModelFile } from '../profile/model-schema.ts';
import { engineToFile } from '../profile/engine-to-file.ts';
import { hardwareToFile } from '../profile/hardware-to-file.ts';
import { modelToFile } from '../profile/model-to-json.ts';
import { readEngine } from '../profile/read-engine.ts';
import { readHardware } from '../profile/read-hardware.ts';
import { readModel } from '../profile/read-model.ts';
import type { Scenario } from '../profile/scenario.ts';
import { engineLimits } from '../roofline/engine-limits.ts';
import type { Load } from '../profile/workload.ts';
import type { Dimension } from '../quantity/dimension.ts';
import { evaluateExpression, parseAssignment, type ScopeValue } from '../quantity/expression.ts';
import { formatRounded } from '../quantity/format-quantity.ts';
import { InputError } from './input-error.ts';
import { engineOfRelease, type ProfilePart } from './make-receipt.ts';
import { needsIdeal, nearestWord, notAFlag, notAModelField, otherLoad, unknownPath } from './messages.ts';
import { settingPaths } from './setting-paths.ts';

/** A scenario after `--set`, the profiles that changed, and one line on each change. */
export interface Changed {
  readonly scenario: Scenario;
  readonly parts: ReadonlySet<ProfilePart>;
  readonly notes: readonly string[];
}

type Tree = { [key: string]: unknown };

/**
 * Applies assignments in their order, each seeing what the earlier ones set. Changed profiles are written out as
 * files and read again, so that nothing that a profile could not hold gets through.
 * @throws InputError, QuantityError or ProfileError with one sentence.
 */
export function applySettings(scenario: Scenario, assignments: readonly string[]): Changed {
  const tree = treeOf(scenario);
  const parts = new Set<ProfilePart>();
  const notes: string[] = [];
  for (const text of assignments) {
    const { path, expression } = parseAssignment(text);
    const dimension = dimensionOf(path, tree, scenario.workload.load.kind);
    if (path.startsWith('utilisation.') && scenario.grade !== 'ideal') throw new InputError(needsIdeal(`set ${path}`));
    const before = valueAt(tree, path);
    const value =
      dimension === 'flag' ? flagOf(path, expression) : evaluateExpression(expression, scopeOf(tree), dimension, path);
    put(tree, path, value);
    const [part = ''] = path.split('.');
    if (part === 'model' || part === 'hardware' || part === 'engine') parts.add(part);
    notes.push(
      `${path} is set to ${said(value, dimension)}${before === undefined ? '' : ` (was ${said(before, dimension)})`}.`,
    );
  }
  return { scenario: scenarioOf(tree, scenario, parts), parts, notes };
}

/** A scenario as a tree of plain values under the paths that people write. */
function treeOf({ deployment, workload }: Scenario): Tree {
  const { model, hardware, release, parallelism, utilisation } = deployment;
  const { load, ...lengths } = workload;
  const limits = limitsOf(deployment);
  const copy = structuredClone({
    hardware,
    model: modelToFile(model),
    engine: {
      scheduling: {
        ...release.scheduling,
        tokenBudget: limits.tokenBudget,
        maxSequences: limits.maxSequences,
      },
      memory: release.memory,
      overhead: release.overhead,
    },
    workload: { ...lengths, [load.kind]: load.kind === 'rate' ? load.requestsPerSecond : load.size },
    parallelism,
    utilisation: { ...utilisation },
  });
  return copy;
}

/** The limits that the release's rules give on this device; absent where the engine sets none. */
function limitsOf({ release, hardware }: Scenario['deployment']): { tokenBudget?: number; maxSequences?: number } {
  const { tokenBudget, maxSequences } = engineLimits(release, hardware);
  return {
    ...(tokenBudget === Infinity ? {} : { tokenBudget }),
    ...(maxSequences === Infinity ? {} : { maxSequences }),
  };
}

function dimensionOf(path: string, tree: Tree, load: Load['kind']): Dimension | 'flag' {
  const named = Object.hasOwn(settingPaths, path) ? settingPaths[path] : undefined;
  if (named !== undefined) {
    const other = /^workload\.(batch|concurrency|rate)$/.exec(path)?.[1];
    if (other !== undefined && other !== load) throw new InputError(otherLoad(path, load));
    return named;
  }
  if (path.startsWith('model.')) {
    const value = valueAt(tree, path);
    if (typeof value === 'number') return 'count';
    if (typeof value === 'boolean') return 'flag';
    if (value !== undefined) throw new InputError(notAModelField(path));
  }
  const known = [...Object.keys(settingPaths), ...numericPaths(tree['model'], 'model')];
  throw new InputError(unknownPath(path, nearestWord(path, known)));
}

/** Every number of the tree by its path, with the dimension that the path has. */
function scopeOf(tree: Tree): ReadonlyMap<string, ScopeValue> {
  const scope = new Map<string, ScopeValue>();
  for (const [path, dimension] of Object.entries(settingPaths)) {
    const value = valueAt(tree, path);
    if (typeof value === 'number' && dimension !== 'flag') scope.set(path, { value, dimension });
  }
  for (const path of numericPaths(tree['model'], 'model')) {
    const value = valueAt(tree, path);
    if (typeof value === 'number') scope.set(path, { value, dimension: 'count' });
  }
  return scope;
}

function numericPaths(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => numericPaths(inner, `${path}.${key}`));
}

function valueAt(tree: Tree, path: string): unknown {
  let value: unknown = tree;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Tree)[key];
  }
  return value;
}

/** Puts a value under a path that `dimensionOf` has accepted: every step but the last is an object or may become one. */
function put(tree: Tree, path: string, value: number | boolean): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place = tree;
  for (const key of keys) {
    const next = place[key];
    const inner = typeof next === 'object' && next !== null ? (next as Tree) : {};
    place[key] = inner;
    place = inner;
  }
  place[last] = value;
}

function flagOf(path: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InputError(notAFlag(path, text));
  return text === 'true';
}

const said = (value: unknown, dimension: Dimension | 'flag'): string =>
  typeof value === 'number' && dimension !== 'flag' ? formatRounded(value, dimension) : String(value);

function scenarioOf(tree: Tree, before: Scenario, parts: ReadonlySet<ProfilePart>): Scenario {
  const { deployment } = before;
  const utilisation = tree['utilisation'] as NonNullable<typeof deployment.utilisation>;
  const release = parts.has('engine') ? changedRelease(tree['engine'] as ReleaseTree, before) : deployment.release;
  return {
    ...before,
    deployment: {
      ...deployment,
      hardware: parts.has('hardware')
        ? readHardware(hardwareToFile(tree['hardware'] as typeof deployment.hardware), 'after --set, hardware')
        : deployment.hardware,
      model: parts.has('model') ? readModel(tree['model'] as ModelFile, 'after --set, model') : deployment.model,
      release,
      engine: parts.has('engine') ? { ...deployment.engine, releases: [release] } : deployment.engine,
      parallelism: tree['parallelism'] as typeof deployment.parallelism,
      ...(Object.keys(utilisation).length === 0 ? {} : { utilisation }),
    },
    workload: workloadOf(
      tree['workload'] as Lengths & Readonly<Partial<Record<Load['kind'], number>>>,
      before.workload.load.kind,
    ),
  };
}

type Lengths = Omit<Scenario['workload'], 'load'>;
type Release = Scenario['deployment']['release'];
type ReleaseTree = Pick<Release, 'memory' | 'overhead'> & {
  readonly scheduling: Omit<Release['scheduling'], 'tokenBudget' | 'maxSequences'> & {
    readonly tokenBudget?: number;
    readonly maxSequences?: number;
  };
};

function changedRelease({ scheduling, memory, overhead }: ReleaseTree, { deployment }: Scenario): Release {
  const before = deployment.release;
  const rules = (key: 'tokenBudget' | 'maxSequences'): Release['scheduling']['tokenBudget'] => {
    const value = scheduling[key];
    return value === undefined || value === limitsOf(deployment)[key]
      ? before.scheduling[key]
      : [{ memory: 0, except: [], value }];
  };
  const engine = {
    ...engineOfRelease(deployment),
    releases: [
      {
        ...before,
        memory,
        scheduling: { ...scheduling, tokenBudget: rules('tokenBudget'), maxSequences: rules('maxSequences') },
        overhead: { ...overhead, citations: [...overhead.citations, { source: 'set by the user' }] },
      },
    ],
  };
  const [release] = readEngine(engineToFile(engine), 'after --set, engine').releases;
  return release ?? before;
}

function workloadOf(
  { prompt, output, cached, ...loads }: Lengths & Readonly<Partial<Record<Load['kind'], number>>>,
  kind: Load['kind'],
): Scenario['workload'] {
  const value = loads[kind] ?? 1;
  const load: Load = kind === 'rate' ? { kind, requestsPerSecond: value } : { kind, size: value };
  return { prompt, output, cached, load };
}
