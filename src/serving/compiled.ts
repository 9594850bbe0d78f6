import { draftDeployment, withSpeculation } from '../phase/speculative.ts';
import type { Deployment, Grade } from '../profile/scenario.ts';
import { calibratedOverhead } from '../roofline/calibrated.ts';
import { compileDeployment } from '../roofline/compile.ts';
import { type EngineLimits, engineLimits } from '../roofline/engine-limits.ts';
import { type DeviceMemory, deviceMemory } from '../roofline/memory.ts';
import { withoutOffloaded } from '../roofline/offload.ts';
import type { StepTable } from '../roofline/step-table.ts';

/** A deployment ready to be asked about any workload: its step table, limits and memory. */
export interface CompiledDeployment {
  readonly deployment: Deployment;
  readonly grade: Grade;
  readonly table: StepTable;
  readonly limits: EngineLimits;
  readonly memory: DeviceMemory;
  /** Exposed once a request: API, tokenisation, return, seconds. */
  readonly requestSeconds: number;
  /** Independent groups that requests are spread over: replicas, and attention groups of data parallelism. */
  readonly groups: number;
}

/** Compiles a deployment; the ideal has no engine, so no overhead, and no limit but memory. */
export function compile(deployment: Deployment, grade: Grade): CompiledDeployment {
  const limits = engineLimits(deployment.release, deployment.hardware);
  const { parallelism, release } = deployment;
  return {
    deployment,
    grade,
    table: withSpeculation(compileDeployment(deployment, grade), deployment, grade),
    limits,
    memory: withDraft(keptMemory(deployment, limits), deployment, limits),
    requestSeconds: grade === 'ideal' ? 0 : calibratedOverhead(release.overhead, deployment.calibration).request,
    groups: parallelism.replicas * parallelism.data,
  };
}

const keptMemory = (deployment: Deployment, limits: EngineLimits): DeviceMemory =>
  deployment.offload === undefined
    ? deviceMemory(deployment, limits)
    : withoutOffloaded(deviceMemory(deployment, limits), deployment.offload);

/** A draft model keeps its weights, and a KV cache of its own, beside the model. */
function withDraft(memory: DeviceMemory, deployment: Deployment, limits: EngineLimits): DeviceMemory {
  const draft = deployment.speculation === undefined ? undefined : draftDeployment(deployment);
  if (draft === undefined) return memory;
  // EAGLE and multi-token prediction use the model's own embedding and head.
  const shared = deployment.speculation?.method !== 'draft';
  const alone = shared ? { ...draft, model: { ...draft.model, vocabulary: 0 } } : draft;
  const { weights, keyValue } = deviceMemory(alone, limits);
  return {
    ...memory,
    weights: memory.weights + weights,
    keyValueCapacity: memory.keyValueCapacity - weights,
    keyValue: {
      full: memory.keyValue.full + keyValue.full,
      windowed: [...memory.keyValue.windowed, ...keyValue.windowed],
      fixed: memory.keyValue.fixed + keyValue.fixed,
    },
  };
}
