import type { Load } from '../../profile/workload.ts';
import { type Lever, lever } from '../lever.ts';
import { slots } from '../slot.ts';

/** Another number of requests: started together, in flight, or arriving per second. */
export const loadLever = (load: Load): Lever =>
  lever({
    kind: 'load',
    text: load.kind === 'rate' ? `rate=${load.requestsPerSecond}` : `${load.kind}=${load.size}`,
    label: load.kind === 'rate' ? `${load.requestsPerSecond} requests/s` : `${load.kind} ${load.size}`,
    writes: [slots.load],
    change: (scenario) => ({ ...scenario, workload: { ...scenario.workload, load } }),
  });

/** Prompts or answers of another length. Cached tokens stay what they are. */
export const lengthLever = (name: 'prompt' | 'output', tokens: number): Lever =>
  lever({
    kind: 'length',
    text: `${name}=${tokens}`,
    label: `${name} ${tokens}`,
    writes: [slots[name]],
    change: (scenario) => ({ ...scenario, workload: { ...scenario.workload, [name]: tokens } }),
  });
