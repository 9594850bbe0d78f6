import * as z from 'zod/mini';
import { dimensionFacts, type Dimension } from '../quantity/dimension.ts';
import type { CitationFile } from './citation-file.ts';

/*
 * Parts that schemas of profile files share. The message of every issue says what was expected, so that the reader
 * can put it into its sentence; a strict object's issue for unknown keys carries the known ones, separated by blanks.
 */

/** A strict object: unknown fields are refused. */
export function record<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodMiniObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  const error = (issue: { readonly code?: string | undefined }): string =>
    issue.code === 'unrecognized_keys' ? known.join(' ') : `an object with ${known.join(', ')}`;
  return z.strictObject(shape, { error });
}

export function text(what: string, most = 200): z.ZodMiniType<string> {
  const expected = `${what} of 1 to ${String(most)} characters`;
  return described(z.string(expected).check(z.minLength(1, expected), z.maxLength(most, expected)), what);
}

/** Names of profiles and aliases: lower case, as people type them. */
export function slug(): z.ZodMiniType<string> {
  const expected = "a name of up to 64 lower-case letters, digits, '.', '+', '_' and '-'";
  return z.string(expected).check(z.maxLength(64, expected), z.regex(/^[a-z0-9][a-z0-9.+_-]*$/, expected));
}

/** A quantity as people write it; the reader parses it with its dimension. */
export function quantity(dimension: Dimension): z.ZodMiniType<string> {
  const { expected, example } = dimensionFacts[dimension];
  const wanted = `${expected} such as '${example}'`;
  return described(z.string(wanted).check(z.minLength(1, wanted), z.maxLength(60, wanted)), wanted);
}

export function count(least: number, most: number): z.ZodMiniType<number> {
  const expected = `a whole number from ${String(least)} to ${String(most)}`;
  return z.int(expected).check(z.gte(least, expected), z.lte(most, expected));
}

/** A day that exists, as YYYY-MM-DD. */
export function day(): z.ZodMiniType<string> {
  const expected = 'a day as YYYY-MM-DD';
  return z.string(expected).check(
    z.regex(/^\d{4}-\d{2}-\d{2}$/, expected),
    z.refine((value) => !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value), expected),
  );
}

export function list<T>(item: z.ZodMiniType<T>, what: string, most: number): z.ZodMiniType<T[]> {
  const expected = `a list of at most ${String(most)} ${what}`;
  return z.array(item, expected).check(z.maxLength(most, expected));
}

export function citation(): z.ZodMiniType<CitationFile> {
  return record({
    source: text('the document, repository with path and commit, or address', 1000),
    date: z.optional(day()),
    note: z.optional(text('what was taken from the source', 2000)),
  });
}

/** Descriptions reach the JSON Schema that editors show. */
function described<S extends z.ZodMiniType>(schema: S, description: string): S {
  z.globalRegistry.add(schema, { description });
  return schema;
}
