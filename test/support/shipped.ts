import { readFileSync } from 'node:fs';
import type { Engine } from '../../src/profile/engine.ts';
import { findRelease } from '../../src/profile/find-release.ts';
import type { Hardware } from '../../src/profile/hardware.ts';
import type { Model } from '../../src/profile/model.ts';
import { readEngine } from '../../src/profile/read-engine.ts';
import { readHardware } from '../../src/profile/read-hardware.ts';
import { readModel } from '../../src/profile/read-model.ts';
import { type Deployment, singleDevice } from '../../src/profile/scenario.ts';
import { compile, type CompiledDeployment } from '../../src/serving/compiled.ts';

/** Reads a shipped profile once, by folder and name. */
function reader<T>(folder: string, read: (json: unknown, where: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const file = new URL(`../../${folder}/${name}.json`, import.meta.url);
    const value = read(JSON.parse(readFileSync(file, 'utf8')), name);
    known.set(name, value);
    return value;
  };
}

export const shippedDevice: (name: string) => Hardware = reader('hardware-profiles', readHardware);
export const shippedModel: (name: string) => Model = reader('model-profiles', readModel);
export const shippedEngine: (name: string) => Engine = reader('engine-profiles', readEngine);

/** A deployment of shipped profiles: model, device, engine (its newest release unless a version is named), and changes. */
export function shippedDeployment(
  model: string,
  device: string,
  engine = 'none',
  changes: Partial<Deployment> & { readonly version?: string } = {},
): Deployment {
  const { version, ...rest } = changes;
  const found = shippedEngine(engine);
  const release = version === undefined ? found.releases.at(-1) : findRelease(found, version);
  if (release === undefined) throw new Error(`${engine} has no release ${version}`);
  return {
    model: shippedModel(model),
    hardware: shippedDevice(device),
    engine: found,
    release,
    precision: {},
    parallelism: singleDevice,
    ...rest,
  };
}

const compiled = new Map<string, CompiledDeployment>();

/** A shipped deployment on so many tensor ranks, compiled once. */
export function shippedCompiled(model: string, device: string, engine: string, tensor = 1): CompiledDeployment {
  const key = [model, device, engine, tensor].join(' ');
  const parallelism = { ...singleDevice, tensor };
  const found = compiled.get(key) ?? compile(shippedDeployment(model, device, engine, { parallelism }), 'typical');
  compiled.set(key, found);
  return found;
}

/** One deployment of each kind of scheduling. */
export const oneOfEachKind = (): readonly CompiledDeployment[] => [
  shippedCompiled('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm'),
  shippedCompiled('llama-3.1-8b', 'a100-sxm4-80gb', 'trt-llm'),
  shippedCompiled('mixtral-8x7b', 'h200-sxm-141gb', 'none'),
  shippedCompiled('llama-3.1-8b', 'h100-sxm5-80gb', 'sglang'),
  shippedCompiled('llama-3.1-8b', 'l40s', 'tgi'),
  shippedCompiled('llama-3.1-8b', 'l40s', 'transformers'),
];
