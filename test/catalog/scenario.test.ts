import { describe, expect, it } from 'vitest';
import { scenarioOf, type ScenarioWords } from '../../src/catalog/scenario.ts';
import { popularNames } from '../../src/catalog/popular-names.ts';
import { bundledNames } from '../../src/catalog/bundled.ts';
import { profileKinds } from '../../src/catalog/catalog-entry.ts';
import { estimate } from '../../src/estimate.ts';
import { at, jsonOf, run } from '../support/run-command.ts';

const words = { model: 'llama-3.1-8b', hardware: 'h100', prompt: 1000, output: 100 } as const;

describe('scenarioOf', () => {
  it.each<readonly [object, string | RegExp]>([
    [{ promt: 5 }, "the scenario has the unknown field 'promt', nearest known field 'prompt'."],
    [
      { engine_version: '0.9' },
      "the scenario has the unknown field 'engine_version', nearest known field 'engineVersion'.",
    ],
    [{ parallelism: { tp: 4 } }, /^the scenario has the unknown field 'parallelism\.tp', known are tensor, pipeline,/],
    [
      { precision: { weight: 'fp8' } },
      "the scenario has the unknown field 'precision.weight', nearest known field 'precision.weights'.",
    ],
    [{ load: { kind: 'wave', size: 3 } }, "load.kind is 'wave', expected one of batch, concurrency, rate."],
    [
      { load: { kind: 'batch', size: 2, rate: 3 } },
      "the scenario has the unknown field 'load.rate', known are kind, size.",
    ],
    [{ load: 4 }, 'load is 4, expected an object.'],
    [{ grade: 'idael' }, "grade is 'idael', expected one of typical, ideal."],
    [
      { speculation: { method: 'eagel', tokens: 3, acceptance: 0.7 } },
      "speculation.method is 'eagel', expected one of eagle, mtp, draft, ngram.",
    ],
    [
      { speculation: { method: 'eagle', k: 3, acceptance: 0.7 } },
      /^the scenario has the unknown field 'speculation\.k', known are method, tokens,/,
    ],
    [
      { speculation: { method: 'draft', tokens: 3, acceptance: 0.7, draft: {} } },
      /^speculation\.draft is .*, expected the name of a model\.$/,
    ],
    [
      { speculation: { method: 'draft', tokens: 3, acceptance: 0.7, draft: 'lama-3.2-1b' } },
      /^no model profile for 'lama-3\.2-1b', nearest: llama-3\.2-1b/,
    ],
    [
      { disaggregation: { prefill: 1, decode: 1, link: 'wire' } },
      "disaggregation.link is 'wire', expected one of own, host, network, or a name with a bandwidth.",
    ],
    [
      { disaggregation: { prefil: 1, decode: 1, link: 'own' } },
      "the scenario has the unknown field 'disaggregation.prefil', nearest known field 'disaggregation.prefill'.",
    ],
    [{ router: 'fastest' }, "router is 'fastest', expected one of round-robin, least-loaded, prefix-aware, random."],
    [{ precision: null }, 'precision is null, expected an object.'],
    [{ model: 5 }, 'model is 5, expected a name such as in `twoclocks list`.'],
    [{ model: 'lama-3.1-8b' }, "no model profile for 'lama-3.1-8b', nearest: llama-3.1-8b, "],
  ])('refuses %o', async (changes, sentence) => {
    const wrong: ScenarioWords = { ...words, ...changes };
    await expect(scenarioOf(wrong)).rejects.toThrow(sentence);
  });

  it('has pools and drafted tokens as the options of the command have them', async () => {
    const scenario = await scenarioOf({
      ...words,
      speculation: { method: 'draft', tokens: 4, acceptance: 0.8, draft: 'llama-3.2-1b' },
      disaggregation: { prefill: 1, decode: 2, link: 'network' },
    });
    expect(scenario.deployment.parallelism.replicas).toBe(3);
    const typed = ['-m', words.model, '-g', words.hardware, '-p', '1000', '--output', '100', '--pools', '1+2'];
    const outcome = await run([
      'estimate',
      ...typed,
      '--speculate',
      'draft:model=llama-3.2-1b:k=4:acceptance=0.8',
      '--json',
    ]);
    const { ttft, tpot, pools } = estimate(scenario);
    expect(at(jsonOf(outcome), 'ttft.seconds')).toBe(ttft.seconds);
    expect(at(jsonOf(outcome), 'tpot.seconds')).toBe(tpot.seconds);
    expect(at(jsonOf(outcome), 'pools')).toEqual(pools);
  });

  it('puts replicas behind the router that is asked for, or the one with the fewest requests', async () => {
    const replicas = { ...words, parallelism: { replicas: 4 }, load: { kind: 'rate', requestsPerSecond: 60 } } as const;
    const seconds = async (router?: ScenarioWords['router']): Promise<number> =>
      estimate(await scenarioOf(router === undefined ? replicas : { ...replicas, router })).ttft.seconds;
    expect(await seconds()).toBe(await seconds('least-loaded'));
    expect(await seconds('round-robin')).toBeLessThan(await seconds('random'));
  });

  it('says which rules hold for a version that is not known', async () => {
    const newer = estimate(await scenarioOf({ ...words, engineVersion: '99' }));
    const known = estimate(await scenarioOf(words));
    expect(newer.ttft.seconds).toBe(known.ttft.seconds);
    expect(newer.warnings).toEqual([
      expect.stringMatching(/^vLLM 99 is newer than the newest release known \(\d+\.\d+\.\d+ of \d{4}-\d\d-\d\d\)/),
      ...known.warnings,
    ]);
    const older = estimate(await scenarioOf({ ...words, engineVersion: '0.1' }));
    expect(older.warnings[0]).toMatch(/^vLLM 0\.1 is older than the oldest release known/);
    await expect(scenarioOf({ ...words, engineVersion: 'latest' })).rejects.toThrow(
      /^'latest' is no version of vllm, known releases: /,
    );
  });

  it.each(profileKinds)('offers only %s that exist', async (kind) => {
    const known = new Set((await bundledNames())[kind].map(({ name }) => name));
    expect(popularNames[kind].filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(popularNames[kind]).size).toBe(popularNames[kind].length);
  });
});
