import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledEngine, bundledHardware, bundledModel, bundledNames, findBundled } from '../../src/catalog/bundled.ts';
import { CatalogError } from '../../src/catalog/catalog-error.ts';
import { catalogNames } from '../../src/catalog/catalog-names.ts';
import { engineFile } from '../../src/catalog/profile-file.ts';
import { readProfileFolder } from '../../src/catalog/profile-folder.ts';
import { readEngine } from '../../src/profile/read-engine.ts';
import { readModel } from '../../src/profile/read-model.ts';
import { readHardware } from '../../src/profile/read-hardware.ts';

let base = new URL('file:///');

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'profiles-'));
  base = pathToFileURL(`${folder}/`);
  const hardware = await readProfileFolder(new URL('../../hardware-profiles/', import.meta.url), readHardware);
  const engines = await readProfileFolder(new URL('../../engine-profiles/', import.meta.url), readEngine);
  const models = await readProfileFolder(new URL('../../model-profiles/', import.meta.url), readModel);
  for (const [kind, profiles] of Object.entries({ hardware, models, engines })) {
    await mkdir(new URL(kind, base));
    await Promise.all(
      profiles.map((profile) => writeFile(new URL(`${kind}/${profile.name}.json`, base), JSON.stringify(profile))),
    );
  }
  // Throws where two profiles of a kind share a name or an alias.
  await writeFile(new URL('names.json', base), JSON.stringify(catalogNames({ hardware, models, engines })));
  await writeFile(new URL('hardware/broken.json', base), '{');
});

afterAll(async () => {
  await rm(base, { recursive: true });
});

describe('bundled profiles', () => {
  it('are what the folders hold, to the last digit, and frozen', async () => {
    const device = await bundledHardware('h100-sxm5-80gb', base);
    const json: unknown = JSON.parse(
      await readFile(new URL('../../hardware-profiles/h100-sxm5-80gb.json', import.meta.url), 'utf8'),
    );
    expect(device).toEqual(readHardware(json, 'h100-sxm5-80gb.json'));
    expect(Object.isFrozen(device.memory)).toBe(true);
    expect((await bundledModel('llama-3.1-8b', base)).hiddenSize).toBe(4096);
    expect((await bundledEngine('vllm', base)).releases.at(-1)?.scheduling.policy).toBe('mixed');
  });

  it('are found by what people write', async () => {
    expect(await findBundled('hardware', 'H100', base)).toMatchObject({
      kind: 'found',
      name: 'h100-sxm5-80gb',
      via: 'alias',
    });
    expect(await findBundled('models', 'meta-llama/Llama-3.1-70B-Instruct', base)).toMatchObject({
      name: 'llama-3.1-70b',
    });
    expect(await findBundled('engines', 'TensorRT-LLM', base)).toMatchObject({ kind: 'found', name: 'trt-llm' });
  });

  it('have a line each', async () => {
    const { hardware, models, engines } = await bundledNames(base);
    expect(hardware.find(({ name }) => name === 'h100-sxm5-80gb')?.summary).toBe(
      'NVIDIA H100 SXM5 80GB: 80 GiB at 3.35 TB/s, 989 TFLOP/s bf16, 700 W',
    );
    expect(models.find(({ name }) => name === 'mixtral-8x7b')?.summary).toBe(
      'Mixtral 8x7B: 46.7 B parameters, 12.9 B active, 32 layers, context 32768',
    );
    expect(engines.find(({ name }) => name === 'vllm')?.summary).toBe('vLLM: rules of 8 releases, 0.4.0 to 0.27.0');
  });

  it.each([
    ['../../package', "no bundled hardware profile is named '../../package'."],
    ['h101', "no bundled hardware profile is named 'h101'."],
  ])('refuse the name %s', async (name, message) => {
    await expect(bundledHardware(name, base)).rejects.toThrow(new CatalogError(message));
  });

  it('say when they are damaged or not built', async () => {
    await expect(bundledHardware('broken', base)).rejects.toThrow(/broken\.json is damaged, build it again/);
    await expect(bundledNames(new URL('nowhere/', base))).rejects.toThrow(
      /^the bundled profiles are missing at .*nowhere\//,
    );
  });
});

describe('a profile file of the user', () => {
  it('is read as those of the folders', async () => {
    const path = new URL('../../engine-profiles/none.json', import.meta.url).pathname;
    expect((await engineFile(path)).name).toBe('none');
  });

  it('is refused where it is no JSON', async () => {
    const path = new URL('hardware/broken.json', base).pathname;
    await expect(engineFile(path)).rejects.toThrow(/broken\.json is no JSON file: /);
  });
});
