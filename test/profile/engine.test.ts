import { describe, expect, it } from 'vitest';
import type { EngineRelease } from '../../src/profile/engine.ts';
import { findRelease } from '../../src/profile/find-release.ts';
import { ProfileError } from '../../src/profile/profile-error.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';
import { readEngine } from '../../src/profile/read-engine.ts';

const first = {
  version: '1.0.0',
  since: '2025-01-01',
  scheduling: {
    policy: 'mixed',
    tokenBudget: [{ memory: '70 GiB', except: ['ampere'], value: 8192 }, { value: 2048 }],
    maxSequences: [{ value: 256 }],
    kvBlockTokens: 16,
    prefixCache: true,
    schedulesAhead: false,
    graphs: true,
  },
  memory: { fraction: 0.9, basis: 'total', reserve: '300 MiB', bytesPerLogit: 6, reservesOutput: false },
  overhead: {
    step: '1.5 ms',
    layer: '0 us',
    sequence: '4.4 us',
    request: '4.5 ms',
    launch: '0 us',
    citations: [{ source: 'a measurement' }],
  },
};

const engine = {
  name: 'example',
  title: 'Example',
  kernels: 'vllm',
  releases: [first, { version: '1.1.0', since: '2025-02-01', scheduling: { schedulesAhead: true } }],
  sources: [{ source: 'its source code' }],
};

const last = (releases: readonly EngineRelease[]): EngineRelease => {
  const release = releases.at(-1);
  if (release === undefined) throw new Error('no release');
  return release;
};

describe('readEngine', () => {
  // 70 GiB = 70 x 2^30 = 75 161 927 680 bytes; 300 MiB = 314 572 800 bytes; 4.4 us = 0.0000044 s.
  it('reads quantities into SI numbers', () => {
    const [release] = readEngine(engine, 'example.json').releases;
    expect(release?.scheduling.tokenBudget).toEqual([
      { memory: 75_161_927_680, except: ['ampere'], value: 8192 },
      { memory: 0, except: [], value: 2048 },
    ]);
    expect(release?.memory.reserve).toBe(314_572_800);
    expect(release?.overhead).toMatchObject({ step: 0.0015, sequence: 0.000_004_4, request: 0.0045 });
  });

  it('completes a later release from the one before', () => {
    const { releases } = readEngine(engine, 'example.json');
    const { scheduling, memory, overhead } = last(releases);
    expect(scheduling).toEqual({ ...releases[0]?.scheduling, schedulesAhead: true });
    expect(memory).toEqual(releases[0]?.memory);
    expect(overhead).toEqual(releases[0]?.overhead);
  });

  it('freezes what it read', () => {
    expect(Object.isFrozen(last(readEngine(engine, 'example.json').releases).memory)).toBe(true);
  });

  const { graphs: _graphs, ...withoutGraphs } = first.scheduling;

  it.each<readonly [string, unknown, string]>([
    ['no release', { ...engine, releases: [] }, 'x.json: releases is empty, expected at least one.'],
    [
      'an incomplete first release',
      { ...engine, releases: [{ ...first, scheduling: withoutGraphs }] },
      'x.json: releases.0.scheduling.graphs is missing, expected it in the first release; later ones may leave out what does not change.',
    ],
    [
      'releases out of order',
      { ...engine, releases: [first, { version: '1.1.0', since: '2024-12-31' }] },
      "x.json: releases.1.since is '2024-12-31' for release '1.1.0', expected a day after 2025-01-01; the oldest goes first.",
    ],
    [
      'a version twice',
      { ...engine, releases: [first, { version: '1.0.0', since: '2025-02-01' }] },
      "x.json: releases repeats the version '1.0.0', expected every version once.",
    ],
    [
      'a budget that leaves devices out',
      {
        ...engine,
        releases: [{ ...first, scheduling: { ...first.scheduling, tokenBudget: [{ memory: '70 GiB', value: 1 }] } }],
      },
      'x.json: releases.0.scheduling.tokenBudget has no rule for every device, expected the last one to have neither memory nor except.',
    ],
    [
      'overheads from nowhere',
      { ...engine, releases: [{ ...first, overhead: { ...first.overhead, citations: [] } }] },
      'x.json: releases.0.overhead.citations is empty, expected a source for the overheads of this release.',
    ],
    [
      'an unknown field',
      { ...engine, kernel: 'vllm' },
      "x.json: the file has the unknown field 'kernel', nearest known field 'kernels'.",
    ],
    [
      'an unknown policy',
      { ...engine, releases: [{ ...first, scheduling: { ...first.scheduling, policy: 'mixt' } }] },
      "x.json: releases.0.scheduling.policy is 'mixt', expected one of mixed, prefill-first, static; nearest 'mixed'.",
    ],
    [
      'a fraction above one',
      { ...engine, releases: [{ ...first, memory: { ...first.memory, fraction: 90 } }] },
      'x.json: releases.0.memory.fraction is 90, expected a share above 0 and up to 1.',
    ],
    [
      'a name that is an alias',
      { ...engine, aliases: ['example'] },
      "x.json: aliases repeats 'example', expected every name once.",
    ],
    [
      'a key that reaches a prototype',
      JSON.parse('{"__proto__": {"name": "x"}}'),
      "x.json: the key '__proto__' is refused, no file has a field of that name.",
    ],
  ])('refuses %s', (_what, json, message) => {
    expect(() => readEngine(json, 'x.json')).toThrow(new ProfileError(message));
  });

  it('says which quantity is wrong', () => {
    const json = { ...engine, releases: [{ ...first, overhead: { ...first.overhead, step: '3 GB' } }] };
    expect(() => readEngine(json, 'x.json')).toThrow(
      new QuantityError(
        "x.json: releases.0.overhead.step: '3 GB' is an amount of data, expected a time such as '12 us'",
      ),
    );
  });
});

describe('findRelease', () => {
  const read = readEngine(engine, 'example.json');

  it.each([
    ['1.0.0', '1.0.0'],
    ['v1.0.9', '1.0.0'],
    ['1.1', '1.1.0'],
    ['1.10.2 (a fork)', '1.1.0'],
    ['0.4', '1.0.0'],
    ['b7948', '1.1.0'],
  ])('answers %s by the rules of %s', (version, release) => {
    expect(findRelease(read, version)?.version).toBe(release);
  });

  it('answers a text without a number by nothing', () => {
    expect(findRelease(read, 'latest')).toBeUndefined();
  });
});
