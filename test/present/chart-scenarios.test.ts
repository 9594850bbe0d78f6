import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { chartNames } from '../../src/present/chart/chart-names.ts';
import { run } from '../support/run-command.ts';

const file = new URL('../../node_modules/vega-lite/build/vega-lite-schema.json', import.meta.url);
const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
if (typeof schema !== 'object' || schema === null) throw new TypeError('no schema');
const isVegaLite = new Ajv({ strict: false, validateFormats: false }).compile(schema);

const scenarios: readonly (readonly [string, string])[] = [
  ['an unstable load', '-m llama-3.1-8b -g h100 --rate 200'],
  ['a model that does not fit', '-m llama-3.1-70b -g l40s'],
  ['a Mac with llama.cpp', '-m llama-3.1-8b -g apple-m4-max-40c -e llama.cpp'],
  ['experts, and answers of one token', '-m mixtral-8x7b -g h100 --tp 2 --output 1'],
  ['the floor of a long batch', '-m llama-3.1-8b -g rtx-pro-6000-blackwell-workstation --ideal -b 64'],
];
// Those draw the same whatever the scenario, and take long.
const kinds = chartNames.map(({ name }) => name).filter((name) => name !== 'accuracy' && name !== 'load');

describe.each(scenarios)('%s', (_name, words) => {
  it.each(kinds)('as %s is valid Vega-Lite, and Vega has nothing to complain about', async (kind) => {
    const { output = '', error } = await run(['chart', kind, ...words.split(' '), '--format', 'json']);
    expect(error).toBeUndefined();
    isVegaLite(JSON.parse(output));
    expect(isVegaLite.errors ?? []).toEqual([]);
    const svg = await run(['chart', kind, ...words.split(' '), '--format', 'svg']);
    expect(svg.error).toBeUndefined();
    expect(svg.output).not.toMatch(/NaN|Infinity|undefined/);
  });
});
