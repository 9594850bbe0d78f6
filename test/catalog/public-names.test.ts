import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogAliases } from '../../src/catalog/aliases.ts';
import { type CatalogEntry, type ProfileKind, profileKinds } from '../../src/catalog/catalog-entry.ts';
import { resolveName } from '../../src/catalog/resolve-name.ts';
import { publicDevices, publicEngines, publicModels } from '../support/public-names.ts';

const folders = { hardware: 'hardware-profiles', models: 'model-profiles', engines: 'engine-profiles' } as const;

interface Named {
  readonly name: string;
  readonly aliases?: readonly string[];
}

// Names and aliases alone, so that this says nothing about the rest of a profile.
const isNamed = (value: unknown): value is Named => typeof value === 'object' && value !== null && 'name' in value;

function entriesOf(kind: ProfileKind): CatalogEntry[] {
  const folder = new URL(`../../${folders[kind]}/`, import.meta.url);
  const own = Object.entries(catalogAliases[kind]);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    .filter(isNamed)
    .map(({ name, aliases = [] }) => ({
      name,
      aliases: aliases.concat(own.filter(([, target]) => target === name).map(([alias]) => alias)),
      summary: '',
    }));
}

const entries = { hardware: entriesOf('hardware'), models: entriesOf('models'), engines: entriesOf('engines') };
const written = { hardware: publicDevices, models: publicModels, engines: publicEngines };

/** Names without a profile of ours: they are answered by the nearest, never by a guess. */
const without: Readonly<Record<ProfileKind, readonly string[]>> = {
  hardware: ['apple-m2-max-cpu', 'aws-c7i.8xlarge-xeon-8488c', 'rtx-4090+rtx-3090-ti'],
  models: ['gpt3-20b', 'gpt3-89b', 'ling-2.6-1t', 'codegen2-1b'],
  engines: [
    'atom',
    'ds4',
    'sglang-jax',
    'rknn-llm',
    'mindie',
    'calm',
    'jax-llm-examples',
    'tinychat',
    'megatron-lm',
    'google-inhouse-jax',
    'mlc',
    'sat-megatron',
    'jetstream-pytorch',
    'deepseek-internal',
    'rtp-llm',
    'deepseek-inhouse',
    'yalm',
  ],
};

describe.each(profileKinds)('public names of %s', (kind) => {
  it('lead to a profile, all but those without one', () => {
    const missing = written[kind].filter((name) => resolveName(kind, name, entries[kind]).kind !== 'found');
    expect(missing).toEqual(without[kind]);
  });

  it('are answered by three near names where there is none', () => {
    for (const name of without[kind]) {
      const answer = resolveName(kind, name, entries[kind]);
      const candidates =
        answer.kind === 'unknown' ? answer.nearest : answer.kind === 'ambiguous' ? answer.candidates : [];
      expect(candidates.length).toBeGreaterThanOrEqual(2);
    }
  });
});
