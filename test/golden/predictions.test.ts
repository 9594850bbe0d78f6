import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { currentPredictions } from './predictions.ts';
import { goldenScenarios } from './scenarios.ts';

// No number moves unnoticed: a change of a formula, a constant or a profile shows here as old -> new. Where it is meant,
// `npm run update:golden` records it.

const file = new URL('predictions.json', import.meta.url);
const recorded = fieldsOf(JSON.parse(readFileSync(file, 'utf8')));
const current = fieldsOf(currentPredictions());

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** The numbers of one scenario by path: `ttft.compute`. */
function numbersOf(value: unknown, path: readonly string[] = []): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path.join('.'), value]];
  return [...fieldsOf(value)].flatMap(([key, each]) => numbersOf(each, [...path, key]));
}

/** Two numbers that differ by more than the last recorded digit. */
const differ = (before: number, after: number): boolean =>
  Math.abs(after - before) > 2e-8 * Math.max(Math.abs(before), Math.abs(after));

/** `ttft.compute: 0.012 -> 0.013 (+8.3 %)` for all that moved. */
function moved(name: string): readonly string[] {
  const before = new Map(numbersOf(recorded.get(name)));
  const after = new Map(numbersOf(current.get(name)));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const was = before.get(key) ?? 0;
    const is = after.get(key) ?? 0;
    const change = was === 0 ? '' : ` (${is > was ? '+' : ''}${((is / was - 1) * 100).toPrecision(3)} %)`;
    return differ(was, is) ? [`${key}: ${was} -> ${is}${change}`] : [];
  });
}

describe('golden predictions', () => {
  it('cover the same scenarios as before', () => {
    expect([...recorded.keys()]).toEqual([...goldenScenarios.keys()]);
  });

  it.each([...goldenScenarios.keys()])('%s', (name) => {
    expect(moved(name), 'run `npm run update:golden` where this is meant').toEqual([]);
  });
});
