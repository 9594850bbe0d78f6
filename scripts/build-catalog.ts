// Reads every profile folder, checks and resolves it, and writes dist/profiles for src/catalog/bundled.ts.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { CatalogError } from '../src/catalog/catalog-error.ts';
import { catalogNames, type Profiles } from '../src/catalog/catalog-names.ts';
import { unpricedDevice } from '../src/catalog/messages.ts';
import { readProfileFolder } from '../src/catalog/profile-folder.ts';
import { readEngine } from '../src/profile/read-engine.ts';
import { readHardware } from '../src/profile/read-hardware.ts';
import { readModel } from '../src/profile/read-model.ts';
import { readPrices } from '../src/profile/read-prices.ts';

const root = new URL('../', import.meta.url);
const out = new URL('dist/profiles/', root);

const profiles: Profiles = {
  hardware: await readProfileFolder(new URL('hardware-profiles/', root), readHardware),
  models: await readProfileFolder(new URL('model-profiles/', root), readModel),
  engines: await readProfileFolder(new URL('engine-profiles/', root), readEngine),
};
const names = catalogNames(profiles);
// Overlays are named by their day: the last is the newest.
const prices = (await readProfileFolder(new URL('prices/', root), readPrices)).at(-1);
const stranger = prices?.entries.find(({ device }) => !profiles.hardware.some(({ name }) => name === device));
if (stranger !== undefined) throw new CatalogError(unpricedDevice(stranger.device));

for (const kind of ['hardware', 'models', 'engines'] as const) {
  const folder = new URL(`${kind}/`, out);
  await mkdir(folder, { recursive: true });
  const current = new Set(profiles[kind].map(({ name }) => `${name}.json`));
  const stale = (await readdir(folder)).filter((file) => !current.has(file));
  await Promise.all(stale.map((file) => rm(new URL(file, folder))));
  await Promise.all(profiles[kind].map((profile) => write(new URL(`${profile.name}.json`, folder), profile)));
}
await write(new URL('prices.json', out), prices);
await write(new URL('names.json', out), names);
console.log(
  `dist/profiles: ${String(profiles.hardware.length)} devices, ${String(profiles.models.length)} models, ${String(profiles.engines.length)} engines`,
);

async function write(file: URL, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value)}\n`);
}
