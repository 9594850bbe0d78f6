import * as z from 'zod/mini';
import type { Calibration } from './calibration.ts';
import { deepFreeze } from './deep-freeze.ts';
import { readJson } from './read-json.ts';
import { count, list, record, slug, text } from './schema-parts.ts';

const between = (least: number, most: number, what: string): z.ZodMiniType<number> => {
  const expected = `${what} from ${least} to ${most}`;
  return z.number(expected).check(z.gte(least, expected), z.lte(most, expected));
};

const factor = z.optional(between(0.01, 1000, 'a factor'));
const seconds = z.optional(between(0, 100, 'seconds'));
const spread = z.optional(record({ low: between(0.001, 1000, 'a ratio'), high: between(0.001, 1000, 'a ratio') }));

/** A calibration as its JSON file holds it: seconds and factors. */
export interface CalibrationFile {
  readonly schema: 'twoclocks/calibration@1';
  readonly fittedTo: string;
  readonly hardware: string;
  readonly engine: string;
  readonly rows: number;
  readonly factors: { readonly [Key in keyof Calibration['factors']]?: number | undefined };
  readonly overhead: { readonly [Key in keyof Calibration['overhead']]?: number | undefined };
  readonly band: {
    readonly [Key in keyof Calibration['band']]?: { readonly low: number; readonly high: number } | undefined;
  };
  readonly notes?: readonly string[] | undefined;
}

const schemaName = 'twoclocks/calibration@1';

/** Schema of an overlay file. */
export const calibrationSchema: z.ZodMiniType<CalibrationFile> = record({
  schema: z.literal(schemaName, `'${schemaName}'`),
  fittedTo: text('what the rows were measured on', 400),
  hardware: slug(),
  engine: slug(),
  rows: count(1, 1_000_000),
  factors: record({ compute: factor, memory: factor, linkLatency: factor }),
  overhead: record({ step: seconds, layer: seconds, sequence: seconds, request: seconds }),
  band: record({ ttft: spread, tpot: spread, e2e: spread }),
  notes: z.optional(list(text('a note', 1000), 'notes', 50)),
});

/**
 * Reads a parsed calibration overlay.
 * @param where What the sentences of errors call the file.
 * @throws ProfileError with one sentence.
 */
export function readCalibration(json: unknown, where: string): Calibration {
  const { factors, overhead, band, notes, ...rest } = readJson(calibrationSchema, json, where);
  return deepFreeze({
    ...rest,
    factors: stated(factors),
    overhead: stated(overhead),
    band: stated(band),
    notes: notes ?? [],
  });
}

/** Leaves out what is undefined. */
function stated<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const kept: { [Key in keyof T]?: Exclude<T[Key], undefined> } = {};
  for (const key in values) {
    const value = values[key];
    if (isStated(value)) kept[key] = value;
  }
  return kept;
}

const isStated = <T>(value: T): value is Exclude<T, undefined> => value !== undefined;
