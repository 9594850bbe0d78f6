import { bundledPrices } from '../catalog/bundled.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Prices } from '../profile/price.ts';
import type { Choices } from '../whatif/candidates.ts';
import { type Change, type Lookups, parseChange } from '../whatif/change.ts';
import type { Catalog } from './catalog.ts';
import type { Given, OptionTable } from './command.ts';
import { loadEngine, loadHardware, loadModel } from './load-profile.ts';

/** `--change`, for the commands that take some. */
export const changeOption: OptionTable = {
  change: {
    type: 'list',
    group: 'Changes',
    describe:
      "levers with commas between them: 'hardware=h200', 'weights=int4,kv=fp8', 'hardware.memory.bandwidth=*1.5'",
  },
};

/** Profiles by the names that people write. */
export const lookupsOf = (catalog: Catalog): Lookups => ({
  hardware: async (name) => (await loadHardware(name, catalog)).profile,
  model: async (name) => (await loadModel(name, catalog)).profile,
  engine: async (name) => {
    const { profile, release } = await loadEngine(name, catalog);
    return { engine: profile, release };
  },
});

/** The changes that were given, in their order. @throws LeverError with one sentence for what is no change. */
export async function readChanges({ lists }: Given, catalog: Catalog): Promise<readonly Change[]> {
  const lookups = lookupsOf(catalog);
  const changes: Change[] = [];
  for (const text of lists['change'] ?? []) changes.push(await parseChange(text, lookups));
  return changes;
}

/** Every device of the catalogue. */
export async function allDevices(catalog: Catalog): Promise<readonly Hardware[]> {
  const { hardware } = await catalog.names();
  return Promise.all(hardware.map(({ name }) => catalog.hardware(name)));
}

/** Engines that serve on the devices most people have; `advise` compares with them. */
const comparedEngines = ['vllm', 'sglang', 'trt-llm', 'llama.cpp'] as const;

/** Everything that `advise` may change to. */
export async function allChoices(catalog: Catalog): Promise<Choices> {
  const { engine } = lookupsOf(catalog);
  const { engines: known } = await catalog.names();
  const compared = comparedEngines.filter((name) => known.some((entry) => entry.name === name));
  const [devices, engines] = await Promise.all([allDevices(catalog), Promise.all(compared.map(engine))]);
  return { devices, engines };
}

export const pricesOf = (): Promise<Prices> => bundledPrices();
