import type { Deployment, Grade } from '../profile/scenario.ts';
import { compileDeployment } from '../roofline/compile.ts';
import { type EngineLimits, engineLimits } from '../roofline/engine-limits.ts';
import { type DeviceMemory, deviceMemory } from '../roofline/memory.ts';
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
    table: compileDeployment(deployment, grade),
    limits,
    memory: deviceMemory(deployment, limits),
    requestSeconds: grade === 'ideal' ? 0 : release.overhead.request,
    groups: parallelism.replicas * parallelism.data,
  };
}
