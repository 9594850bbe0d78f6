import { findRelease } from '../../src/profile/find-release.ts';
import { type Deployment, type Parallelism, type Scenario, singleDevice } from '../../src/profile/scenario.ts';
import type { Workload } from '../../src/profile/workload.ts';
import { type Change, type Lookups, parseChange } from '../../src/whatif/change.ts';
import { type ChangeResult, whatIf } from '../../src/whatif/what-if.ts';
import { shippedDeployment, shippedDevice, shippedEngine, shippedModel } from './shipped.ts';

/** Shipped profiles by their exact names, as the command line looks them up. */
export const shippedLookups: Lookups = {
  hardware: async (name) => shippedDevice(name),
  model: async (name) => shippedModel(name),
  engine: async (text) => {
    const [name = '', version] = text.split('@');
    const engine = shippedEngine(name);
    const release = version === undefined ? engine.releases.at(-1) : findRelease(engine, version);
    if (release === undefined) throw new Error(`${text} has no release`);
    return { engine, release };
  },
};

export const ranks = (changes: Partial<Parallelism>): Parallelism => ({ ...singleDevice, ...changes });

const alone: Workload['load'] = { kind: 'concurrency', size: 1 };

/** A question as its thread states it: 'model on device under engine@version'. */
export function question(
  model: string,
  device: string,
  engine: string,
  workload: Partial<Workload>,
  changes: Partial<Deployment> = {},
  grade: Scenario['grade'] = 'typical',
): Scenario {
  const [name = 'none', version] = engine.split('@');
  return {
    deployment: shippedDeployment(model, device, name, { ...changes, ...(version === undefined ? {} : { version }) }),
    workload: { prompt: 100, output: 100, cached: 0, load: alone, ...workload },
    grade,
  };
}

export const ideal = (scenario: Scenario): Scenario => ({ ...scenario, grade: 'ideal' });

export const change = (text: string): Promise<Change> => parseChange(text, shippedLookups);

/** The result of one change as `--change` takes it. */
export async function changed(scenario: Scenario, text: string): Promise<ChangeResult> {
  const [result] = whatIf(scenario, [await change(text)]).changes;
  if (result === undefined) throw new Error('a change has a result');
  return result;
}
