import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hardwareSchema } from '../../src/profile/hardware-schema.ts';
import { ProfileError } from '../../src/profile/profile-error.ts';
import { readHardware } from '../../src/profile/read-hardware.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';
import { changed, shippedFiles } from './shipped-hardware.ts';

const h100 = 'h100-sxm5-80gb';
const sentence = (json: unknown): string => {
  try {
    readHardware(json, 'mine');
  } catch (error) {
    if (error instanceof ProfileError || error instanceof QuantityError) return error.message;
    throw error;
  }
  return 'reads';
};

describe('readHardware', () => {
  // 80 GiB = 80 x 2^30 = 85 899 345 920 bytes; 3.35 TB/s = 3.35 x 10^12; 400 Gbit/s / 8 = 50 x 10^9 bytes/s.
  it('gives SI units', () => {
    const hardware = readHardware(shippedFiles.get(h100), h100);
    expect(hardware.memory).toEqual({ capacity: 85_899_345_920, bandwidth: 3.35e12, kind: 'HBM3', unified: false });
    expect(hardware.matrix.bf16).toBe(989.4e12);
    expect(hardware.matrix.int8).toBe(1978.9e12);
    expect(hardware.link).toEqual({ kind: 'NVLink 4', topology: 'switch', bandwidth: 450e9, domain: 8 });
    expect(hardware.network).toEqual({ bandwidth: 50e9 });
    expect(hardware.power).toEqual({ limit: 700 });
    expect(hardware.units).toEqual({ kind: 'SM', count: 132, boostClock: 1.83e9 });
    expect(hardware.cache).toEqual({ lastLevel: 50 * 2 ** 20 });
    expect(hardware.matrixFp16Accumulate).toEqual({});
  });

  it('knows no link where the topology is none, and no host link where memory is shared', () => {
    const { link, host } = readHardware(shippedFiles.get('apple-m4-10c'), 'm4');
    expect(link).toEqual({ kind: 'none', topology: 'none', bandwidth: 0, domain: 1 });
    expect(host).toEqual({ kind: 'none', bandwidth: 0 });
  });

  it('fills what may be left out', () => {
    const json = changed(h100, {
      aliases: undefined,
      uncited: undefined,
      notes: undefined,
      power: undefined,
      cache: undefined,
      network: undefined,
    });
    const hardware = readHardware(json, 'mine');
    expect(hardware).toMatchObject({ aliases: [], uncited: [], notes: '', power: {}, cache: {} });
    expect(hardware).not.toHaveProperty('network');
  });

  it('is frozen to the last field', () => {
    const hardware = readHardware(shippedFiles.get(h100), h100);
    const walk = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(walk));
    expect(walk(hardware)).toBe(true);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    [
      'a misspelt field, before the one that it leaves missing',
      { 'memory.bandwith': '3.35 TB/s', 'memory.bandwidth': undefined },
      "mine: memory has the unknown field 'bandwith', nearest known field 'bandwidth'.",
    ],
    [
      'a field unlike any other',
      { zzzzzzzzzzzzzzzz: 1 },
      "mine: the file has the unknown field 'zzzzzzzzzzzzzzzz', known fields are $schema, name, title, aliases, vendor, architecture, released, formFactor, memory, matrix, matrixFp16Accumulate, vectorFp32, link, host, network, power, units, cache, confidence, uncited, sources, acknowledged, notes.",
    ],
    [
      'a missing quantity',
      { 'memory.bandwidth': undefined },
      "mine: memory.bandwidth is missing, expected a rate such as '3.35 TB/s'.",
    ],
    [
      'a bare number',
      { 'memory.bandwidth': 3350 },
      "mine: memory.bandwidth is 3350, expected a rate such as '3.35 TB/s'.",
    ],
    [
      'a quantity of another kind',
      { 'memory.bandwidth': '80 GB' },
      "mine: memory.bandwidth: '80 GB' is an amount of data, expected a rate such as '3.35 TB/s'",
    ],
    [
      'an unknown unit',
      { 'matrix.bf16': '989 TFLOX/s' },
      "mine: matrix.bf16: '989 TFLOX/s' has the unknown unit 'TFLOX/s', nearest known unit 'TFLOP/s'",
    ],
    ['zero', { 'matrix.bf16': '0 TFLOP/s' }, "mine: matrix.bf16 is '0 TFLOP/s', expected more than 0."],
    [
      'a negative power',
      { 'power.limit': '-700 W' },
      "mine: power.limit: '-700 W' is negative, expected a power such as '700 W'",
    ],
    [
      'infinity',
      { 'memory.bandwidth': '1e999 B/s' },
      "mine: memory.bandwidth: '1e999 B/s' is too large, expected a rate such as '3.35 TB/s'",
    ],
    [
      'no peak at all',
      { matrix: {} },
      'mine: matrix is empty, expected the dense peak of at least one of fp32, tf32, fp16, bf16, fp8, int8, fp6, fp4, int4.',
    ],
    [
      'an unknown format',
      { 'matrix.fp7': '1 TFLOP/s' },
      "mine: matrix has the unknown field 'fp7', nearest known field 'fp8'.",
    ],
    [
      'an unknown topology',
      { 'link.topology': 'swich' },
      "mine: link.topology is 'swich', expected one of switch, mesh, torus, bridge, none; nearest 'switch'.",
    ],
    [
      'an unknown confidence',
      { confidence: 'certain' },
      "mine: confidence is 'certain', expected one of high, medium, low.",
    ],
    [
      'an uncited field that does not exist',
      { uncited: ['memory.bandwith'] },
      "mine: uncited.0 is 'memory.bandwith', expected a known name, nearest 'memory.bandwidth'.",
    ],
    [
      'a link without a rate',
      { 'link.bandwidth': undefined },
      "mine: link.bandwidth is missing, expected a rate per direction such as '450 GB/s' where link.topology is 'switch'.",
    ],
    [
      'a link without a domain',
      { 'link.domain': undefined },
      "mine: link.domain is missing, expected the number of devices that it joins where link.topology is 'switch'.",
    ],
    ['a domain of one', { 'link.domain': 1 }, 'mine: link.domain is 1, expected a whole number from 2 to 100000.'],
    [
      'a rate without a link',
      { 'link.topology': 'none', 'link.domain': undefined },
      "mine: link.bandwidth is '450 GB/s', expected none where link.topology is 'none'.",
    ],
    [
      'a domain without a link',
      { 'link.topology': 'none', 'link.bandwidth': undefined },
      "mine: link.domain is 8, expected none where link.topology is 'none'.",
    ],
    [
      'a host link without a rate',
      { 'host.bandwidth': undefined },
      "mine: host.bandwidth is missing, expected a rate per direction such as '63 GB/s' where host.kind is 'PCIe 5.0 x16'.",
    ],
    [
      'a rate without a host link',
      { 'host.kind': 'none' },
      "mine: host.bandwidth is '63 GB/s', expected none where host.kind is 'none'.",
    ],
    [
      'a name as people do not type it',
      { name: 'H100 SXM' },
      "mine: name is 'H100 SXM', expected a name of up to 64 lower-case letters, digits, '.', '+', '_' and '-'.",
    ],
    ['an alias twice', { aliases: ['h100', 'h100'] }, "mine: aliases repeats 'h100', expected every name once."],
    ['its own name as alias', { aliases: [h100] }, `mine: aliases repeats '${h100}', expected every name once.`],
    [
      'a day that does not exist',
      { sources: [{ source: 'x', date: '2026-02-30' }] },
      "mine: sources.0.date is '2026-02-30', expected a day as YYYY-MM-DD.",
    ],
    [
      'a year out of range',
      { released: 20_235 },
      'mine: released is 20235, expected a whole number from 1990 to 2100.',
    ],
    ['half a unit', { 'units.count': 1.5 }, 'mine: units.count is 1.5, expected a whole number from 1 to 10000000.'],
    [
      'a title without end',
      { title: 'x'.repeat(300) },
      `mine: title is '${'x'.repeat(56)}..., expected a title of 1 to 200 characters.`,
    ],
    [
      'aliases without end',
      { aliases: Array.from({ length: 51 }, (_, index) => `name-${String(index)}`) },
      'mine: aliases is a list, expected a list of at most 50 names.',
    ],
  ])('refuses %s', (_, changes, message) => {
    expect(sentence(changed(h100, changes))).toBe(message);
  });

  it.each([null, 7, 'h100', [], undefined])('refuses %j in place of a profile', (json) => {
    expect(sentence(json)).toMatch(/^mine: the file is .*, expected an object with .*name, title/);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s wherever it stands', (key) => {
    const json: unknown = JSON.parse(`{ "memory": { "${key}": { "capacity": "1 GB" } } }`);
    expect(sentence(json)).toBe(`mine: the key '${key}' is refused, no file has a field of that name.`);
  });

  it('refuses depth and size made to exhaust', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`);
    expect(sentence(deep)).toBe('mine: values are nested more than 12 deep, no file needs that.');
    const wide = Array.from({ length: 60_000 }, () => 0);
    expect(sentence(wide)).toBe('mine: the file holds more than 50000 values, no file needs that.');
  });

  it('reads any positive rate to the double that was written', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (rate) => {
        const hardware = readHardware(changed(h100, { 'memory.bandwidth': `${String(rate)} B/s` }), 'mine');
        expect(hardware.memory.bandwidth).toBe(rate);
      }),
    );
  });

  it('answers anything in any field with one sentence or a device', () => {
    const paths = [
      'name',
      'aliases',
      'memory',
      'memory.capacity',
      'matrix',
      'matrix.fp8',
      'link',
      'link.domain',
      'sources',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        expect(sentence(changed(h100, { [path]: value }))).toMatch(/^(reads|mine: [^\n]+)$/);
      }),
    );
  });

  it('takes every shipped profile through its schema unchanged', () => {
    for (const json of shippedFiles.values()) expect(hardwareSchema.safeParse(json).data).toEqual(json);
  });
});
