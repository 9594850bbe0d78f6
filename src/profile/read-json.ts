import type * as z from 'zod/mini';
import { forbiddenKey, tooDeep, tooLarge, unknownChoice, unknownField, wrongValue } from './messages.ts';
import { ProfileError } from './profile-error.ts';

/** No profile nests deeper or holds more values. */
const deepest = 12;
const mostValues = 50_000;

/**
 * Checks parsed JSON against a schema built from `schema-parts.ts`.
 * @param where What sentences call the file, usually its name.
 * @throws ProfileError with one sentence about the first thing that is wrong; an unknown field goes first, since it
 *   usually explains a missing one.
 */
export function readJson<T>(schema: z.ZodMiniType<T>, json: unknown, where: string): T {
  refuseHostile(json, where);
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  throw new ProfileError(sentence(json, result.error.issues, where));
}

/** Keys that reach a prototype, and files made to exhaust whoever walks them, before anything is copied. */
function refuseHostile(json: unknown, where: string): void {
  let values = 0;
  const walk = (value: unknown, depth: number): void => {
    values += 1;
    if (values > mostValues) throw new ProfileError(tooLarge(where, mostValues));
    if (typeof value !== 'object' || value === null) return;
    if (depth > deepest) throw new ProfileError(tooDeep(where, deepest));
    for (const key of Object.keys(value)) {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
        throw new ProfileError(forbiddenKey(where, key));
      }
    }
    for (const inner of Object.values(value)) walk(inner, depth + 1);
  };
  walk(json, 0);
}

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
}

function sentence(json: unknown, issues: readonly Issue[], where: string): string {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue === undefined) return wrongValue(where, '', json, 'something else');
  const path = issue.path.map(String).join('.');
  const [unknown] = issue.keys ?? [];
  if (issue.code === 'unrecognized_keys' && unknown !== undefined) {
    return unknownField(where, path, unknown, issue.message.split(' '));
  }
  const value = valueAt(json, issue.path);
  return issue.code === 'invalid_value' && value !== undefined
    ? unknownChoice(where, path, value, (issue.values ?? []).map(String))
    : wrongValue(where, path, value, issue.message);
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}
