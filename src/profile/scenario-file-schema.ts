import * as z from 'zod/mini';
import { list, record, text } from './schema-parts.ts';

/*
 * Scenario files: several named scenarios and comparisons in one file, to keep a plan under version control. Fields of a
 * scenario have the names of the command's options and take what those take.
 */

/** Fields of a scenario that are options of the command with a value (a test holds the two together). */
export const scenarioFieldNames = [
  'model',
  'hardware',
  'engine',
  'devices',
  'tp',
  'pp',
  'dp',
  'ep',
  'replicas',
  'disaggregate',
  'speculation',
  'router',
  'weights',
  'activations',
  'kv',
  'prompt',
  'output',
  'cached',
  'sampling',
  'batch',
  'concurrency',
  'rate',
  'utilisation',
  'compute-utilisation',
  'memory-utilisation',
  'calibration',
] as const;

type FieldName = (typeof scenarioFieldNames)[number];

/** A scenario as a file has it; what is absent comes from the scenario that it extends, then from the defaults. */
export interface ScenarioFields extends Readonly<Partial<Record<FieldName, string | number | undefined>>> {
  readonly extends?: string | undefined;
  readonly ideal?: boolean | undefined;
  readonly set?: readonly string[] | undefined;
}

/** Scenarios and changes that are set beside one scenario. */
export interface Comparison {
  readonly question?: string | undefined;
  readonly base: string;
  readonly with?: readonly string[] | undefined;
  readonly changes?: readonly string[] | undefined;
  readonly charts?: readonly string[] | undefined;
}

export interface ScenarioFile {
  readonly $schema?: string | undefined;
  readonly schema: 'twoclocks/scenarios@1';
  readonly title?: string | undefined;
  /** Paths of profiles by the names that scenarios use, from the folder of the file. */
  readonly profiles?: Readonly<Record<string, string>> | undefined;
  readonly defaults?: ScenarioFields | undefined;
  readonly scenarios: Readonly<Record<string, ScenarioFields>>;
  readonly comparisons?: Readonly<Record<string, Comparison>> | undefined;
}

/** A value as an option takes it: YAML and JSON make numbers of what looks like one. */
const value = (name: FieldName): z.ZodMiniOptional<z.ZodMiniType<string | number>> => {
  const expected = `a text or number as --${name} takes it`;
  return z.optional(z.union([text(expected), z.number(expected)], expected));
};

const scenario: z.ZodMiniType<ScenarioFields> = record({
  extends: z.optional(text('the name of another scenario of the file')),
  ...Object.fromEntries(scenarioFieldNames.map((name) => [name, value(name)])),
  ideal: z.optional(z.boolean('true or false')),
  set: z.optional(list(text("a change such as 'hardware.memory.bandwidth=4.8 TB/s'"), 'changes', 50)),
});

const name = "a name of up to 64 letters, digits, '.', '_' and '-'";
const named = <T>(of: z.ZodMiniType<T>, what: string): z.ZodMiniType<Record<string, T>> =>
  z.record(z.string(name).check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, name)), of, what);

const comparison: z.ZodMiniType<Comparison> = record({
  question: z.optional(text('the question that the comparison answers', 500)),
  base: text('the name of a scenario'),
  with: z.optional(list(text('the name of a scenario'), 'scenarios', 20)),
  changes: z.optional(list(text("levers such as 'tp=8'", 1000), 'changes', 20)),
  charts: z.optional(list(text('a kind of chart'), 'charts', 20)),
});

/** Schema of a scenario file. */
export const scenarioFileSchema: z.ZodMiniType<ScenarioFile> = record({
  $schema: z.optional(text('the address of the schema', 1000)),
  schema: z.literal('twoclocks/scenarios@1', "'twoclocks/scenarios@1'"),
  title: z.optional(text('a title')),
  profiles: z.optional(named(text('the path of a profile, from the folder of this file', 1000), 'profiles by name')),
  defaults: z.optional(scenario),
  scenarios: named(scenario, 'scenarios by name'),
  comparisons: z.optional(named(comparison, 'comparisons by name')),
});
