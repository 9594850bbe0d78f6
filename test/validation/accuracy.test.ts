import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readMeasurements } from '../../src/measured/read-measurements.ts';
import { validateRows } from '../../src/measured/validate.ts';
import { isPredicted, summariseValidation } from '../../src/measured/validation-summary.ts';
import { shippedProfiles } from '../../scripts/shipped-profiles.ts';

/*
 * Guards against drift: per-regime errors on the public rows that ship may not grow. A change that makes one better
 * and another worse says so by rewriting validation/expected.json (scripts/build-validation.ts).
 */

const expectedSchema = z.object({
  rows: z.number(),
  predicted: z.number(),
  coverage: z.number(),
  medians: z.record(z.string(), z.number()),
  beatFloor: z.number(),
});

const file = (name: string): string => readFileSync(new URL(`../../validation/${name}`, import.meta.url), 'utf8');

const expected = z.parse(expectedSchema, JSON.parse(file('expected.json')));
const all = validateRows(readMeasurements(file('rows.csv'), 'rows.csv'), await shippedProfiles());
const summary = summariseValidation(all);

/** A tenth of an error and half a point: less is noise of single rows. */
const worse = (median: number): number => median * 1.1 + 0.005;

describe('predictions of public measurements', () => {
  it('predict at least the rows that they did', () => {
    expect(summary.rows).toBe(expected.rows);
    expect(summary.predicted).toBeGreaterThanOrEqual(expected.predicted);
  });

  it.each(
    [...summary.byRegime, ...summary.bySource].map(({ key, clock, median }) => ({
      group: `${key} (${clock})`,
      median,
    })),
  )('$group: the median error does not grow', ({ group, median }) => {
    expect(expected.medians[group]).toBeDefined();
    expect(median).toBeLessThanOrEqual(worse(expected.medians[group] ?? 0));
  });

  it('hold 70-92 % of these rows in their 80 % bands', () => {
    expect(summary.coverage).toBeGreaterThan(0.7);
    expect(summary.coverage).toBeLessThan(0.92);
  });

  it('have no floor above more measurements than before', () => {
    const beaten = all.filter(isPredicted).filter(({ beatsFloor }) => beatsFloor);
    expect(beaten.length).toBeLessThanOrEqual(expected.beatFloor);
  });
});
