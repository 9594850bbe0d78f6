import type { Deployment, Scenario } from '../profile/scenario.ts';

/**
 * A part of a scenario that levers write. Paths with a common beginning overlap: 'hardware' holds
 * 'hardware.memory.bandwidth'.
 */
export interface Slot {
  readonly path: string;
  /** `to`, with this part as `from` has it. */
  readonly copy: (from: Scenario, to: Scenario) => Scenario;
}

const ofDeployment = (path: string, copied: (from: Deployment, to: Deployment) => Deployment): Slot => ({
  path,
  copy: (from, to) => ({ ...to, deployment: copied(from.deployment, to.deployment) }),
});

/** Optional parts: copied where `from` has them, left out where it has not. */
const speculation: Slot = ofDeployment('speculation', ({ speculation: part }, to) => {
  const { speculation: _, ...rest } = to;
  return part === undefined ? rest : { ...rest, speculation: part };
});
const disaggregation: Slot = ofDeployment('disaggregation', ({ disaggregation: part }, to) => {
  const { disaggregation: _, ...rest } = to;
  return part === undefined ? rest : { ...rest, disaggregation: part };
});
const offload: Slot = ofDeployment('offload', ({ offload: part }, to) => {
  const { offload: _, ...rest } = to;
  return part === undefined ? rest : { ...rest, offload: part };
});

const sampling: Slot = ofDeployment('sampling', ({ sampling: part }, to) => {
  const { sampling: _, ...rest } = to;
  return part === undefined ? rest : { ...rest, sampling: part };
});

const precision = (key: 'weights' | 'activations' | 'keyValue'): Slot =>
  ofDeployment(`precision.${key}`, (from, to) => {
    const { [key]: _, ...rest } = to.precision;
    const format = from.precision[key];
    return { ...to, precision: format === undefined ? rest : { ...rest, [key]: format } };
  });

const ranks = (key: keyof Deployment['parallelism']): Slot =>
  ofDeployment(`parallelism.${key}`, (from, to) => ({
    ...to,
    parallelism: { ...to.parallelism, [key]: from.parallelism[key] },
  }));

const limit = (key: 'tokenBudget' | 'maxSequences'): Slot =>
  ofDeployment(`engine.scheduling.${key}`, (from, to) => ({
    ...to,
    release: { ...to.release, scheduling: { ...to.release.scheduling, [key]: from.release.scheduling[key] } },
  }));

const length = (key: 'prompt' | 'output' | 'cached'): Slot => ({
  path: `workload.${key}`,
  copy: (from, to) => ({ ...to, workload: { ...to.workload, [key]: from.workload[key] } }),
});

export type SlotName =
  | 'hardware'
  | 'power'
  | 'engine'
  | 'graphs'
  | 'tokenBudget'
  | 'maxSequences'
  | keyof Deployment['precision']
  | keyof Deployment['parallelism']
  | 'speculation'
  | 'disaggregation'
  | 'offload'
  | 'sampling'
  | 'prompt'
  | 'output'
  | 'cached'
  | 'load';

/** Every part that a lever of its own writes; single numbers of a profile are in levers/field.ts. */
export const slots: Readonly<Record<SlotName, Slot>> = {
  hardware: ofDeployment('hardware', (from, to) => ({ ...to, hardware: from.hardware })),
  // A cap lowers the clock, so that the peaks go with it.
  power: ofDeployment('hardware.matrix', (from, to) => {
    const { vectorFp32: _, ...hardware } = to.hardware;
    const { matrix, matrixFp16Accumulate, vectorFp32, power } = from.hardware;
    const vector = vectorFp32 === undefined ? {} : { vectorFp32 };
    return { ...to, hardware: { ...hardware, matrix, matrixFp16Accumulate, power, ...vector } };
  }),
  engine: ofDeployment('engine', (from, to) => ({ ...to, engine: from.engine, release: from.release })),
  graphs: ofDeployment('engine.overhead.launch', ({ release: { scheduling, overhead } }, to) => ({
    ...to,
    release: {
      ...to.release,
      scheduling: { ...to.release.scheduling, graphs: scheduling.graphs },
      overhead: { ...to.release.overhead, launch: overhead.launch },
    },
  })),
  tokenBudget: limit('tokenBudget'),
  maxSequences: limit('maxSequences'),
  weights: precision('weights'),
  activations: precision('activations'),
  keyValue: precision('keyValue'),
  tensor: ranks('tensor'),
  pipeline: ranks('pipeline'),
  data: ranks('data'),
  expert: ranks('expert'),
  replicas: ranks('replicas'),
  speculation,
  disaggregation,
  offload,
  sampling,
  prompt: length('prompt'),
  output: length('output'),
  cached: length('cached'),
  load: {
    path: 'workload.load',
    copy: (from: Scenario, to: Scenario): Scenario => ({
      ...to,
      workload: { ...to.workload, load: from.workload.load },
    }),
  },
};

/** True where two paths are the same part or one holds the other. */
export const overlap = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
