import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at, jsonOf, keysOf, run, scratch } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const file = scratch();
const small = readFileSync(new URL('../../model-profiles/llama-3.2-1b.json', import.meta.url));

const llama = ['-m', 'llama-3.1-8b', '-g', 'h100', '-p', '2k', '--output', '300', '-c', '64'] as const;
const drafted = 'draft:k=4:acceptance=0.8:model=llama-3.2-1b';

describe('a model that drafts', () => {
  it('goes into the receipt by name, and whole where it is of a file', async () => {
    const named = jsonOf(await run(['estimate', ...llama, '--speculate', drafted, '--json']));
    expect(keysOf(at(named, 'receipt.scenario.speculation.draft'))).toEqual(['name', 'hash']);
    expect(at(named, 'receipt.scenario.speculation.draft.name')).toBe('llama-3.2-1b');
    const path = file('draft.json', small);
    const { output = '' } = await run([
      'estimate',
      ...llama,
      '--speculate',
      drafted.replace('llama-3.2-1b', path),
      '--json',
    ]);
    expect(at(JSON.parse(output), 'receipt.scenario.speculation.draft.profile')).toBeTypeOf('object');
    expect(at(JSON.parse(output), 'tpot.seconds')).toBe(at(named, 'tpot.seconds'));
    expect(jsonOf(await run(['replay', '-', '--json'], undefined, output))).toMatchObject({
      identical: true,
      notes: [],
    });
  });
});

describe('a scenario file', () => {
  const plan = (scenarios: string): string =>
    file(
      'plan.yaml',
      `schema: twoclocks/scenarios@1\ndefaults: { model: toy-13m, hardware: toy, engine: none, prompt: 100 }\nscenarios:\n${scenarios}`,
    );
  const scenarioOf = async (path: string, ...words: readonly string[]): Promise<unknown> =>
    at(jsonOf(await run(['estimate', '--scenario', path, ...words, '--json'], toyCatalog)), 'receipt.scenario');

  it('states pools and speculation, which scenarios that extend it take over', async () => {
    const path = plan(`  whole: { replicas: 4, concurrency: 8 }
  split: { extends: whole, disaggregate: 1+2, speculation: 'mtp:k=1:acceptance=0.8' }
  back: { extends: split, disaggregate: off, speculation: off }
`);
    expect(await scenarioOf(`${path}#split`)).toMatchObject({
      parallelism: { replicas: 3 },
      disaggregation: { prefill: 1, decode: 2, link: 'network' },
      speculation: { method: 'mtp', tokens: 1, acceptance: 0.8 },
    });
    for (const back of [
      await scenarioOf(`${path}#back`),
      await scenarioOf(`${path}#split`, '--pools', 'off', '--speculate', 'off'),
    ]) {
      expect(keysOf(back)).not.toContain('disaggregation');
      expect(keysOf(back)).not.toContain('speculation');
      // The replicas that pools took the place of are there again, whoever undoes them.
      expect(back).toMatchObject({ parallelism: { replicas: 4 } });
    }
  });

  it('gives way to what is typed', async () => {
    const path = plan(`  only: { devices: 10, disaggregate: 2+3, speculation: 'eagle:k=3:acceptance=0.7' }\n`);
    expect(await scenarioOf(path)).toMatchObject({ parallelism: { tensor: 2, replicas: 5 } });
    expect(await scenarioOf(path, '--pools', '2+2:link=own')).toMatchObject({
      parallelism: { tensor: 1, replicas: 4 },
      disaggregation: { prefill: 2, decode: 2, link: 'own' },
    });
    expect(await scenarioOf(path, '--speculate', 'ngram:k=2:acceptance=0.3')).toMatchObject({
      speculation: { method: 'ngram', tokens: 2, acceptance: 0.3 },
    });
    expect(await scenarioOf(path, '--pools', 'off')).toMatchObject({ parallelism: { tensor: 10, replicas: 1 } });
  });

  it('finds the model that drafts from its own folder, and by the names of its profiles', async () => {
    file('small.json', small);
    const path = file(
      'drafts.yaml',
      `schema: twoclocks/scenarios@1
profiles: { small: ./small.json }
defaults: { model: llama-3.1-8b, hardware: h100 }
scenarios:
  path: { speculation: 'draft:model=./small.json:k=4:acceptance=0.8' }
  name: { speculation: 'draft:model=small:k=4:acceptance=0.8' }
  catalogue: { speculation: 'draft:model=llama-3.2-1b:k=4:acceptance=0.8' }
`,
    );
    const tpots = await Promise.all(
      ['path', 'name', 'catalogue'].map(async (name) =>
        at(jsonOf(await run(['estimate', '--scenario', `${path}#${name}`, '--json'])), 'tpot.seconds'),
      ),
    );
    expect(new Set(tpots).size).toBe(1);
  });
});
