import type { Workload } from '../profile/workload.ts';
import { sequenceBytes, sequencesThatFit } from '../roofline/memory.ts';
import type { CompiledDeployment } from './compiled.ts';

/** How a deployment fills its fullest device, and how much fits; bytes. */
export interface MemoryEstimate {
  readonly capacity: number;
  /** What engine and system leave for weights, workspace and KV together. */
  readonly usable: number;
  readonly weights: number;
  readonly workspace: number;
  readonly reserve: number;
  /** KV of the sequences that run at the end of their answers. */
  readonly keyValue: number;
  /** KV that one more token of a sequence adds while every window still grows. */
  readonly keyValuePerToken: number;
  /** Tokens of KV that fit beside the weights, over a group of devices, at the workload's lengths. */
  readonly keyValueTokens: number;
  /** Sequences of prompt + output tokens that fit at once, over all groups. */
  readonly largestBatch: number;
  readonly fits: boolean;
  /** Bytes per device that are missing where it does not fit, else 0. */
  readonly shortBy: number;
}

/** Memory of a workload: a batch has to fit whole, other loads at least one sequence. */
export function memoryEstimate(compiled: CompiledDeployment, workload: Workload, running: number): MemoryEstimate {
  const { memory, groups, limits } = compiled;
  const tokens = workload.prompt + workload.output;
  const perSequence = sequenceBytes(memory.keyValue, tokens);
  const fitting = sequencesThatFit(memory, tokens);
  const needed = workload.load.kind === 'batch' ? Math.max(1, workload.load.size / groups) : 1;
  const shortBy = Math.max(0, needed * perSequence - memory.keyValueCapacity);
  const { full, windowed } = memory.keyValue;
  return {
    capacity: memory.capacity,
    usable: memory.usable,
    weights: memory.weights,
    workspace: memory.workspace,
    reserve: memory.reserve,
    keyValue: Math.max(running, needed) * perSequence,
    keyValuePerToken: windowed.reduce((sum, { perToken }) => sum + perToken, full),
    keyValueTokens: Math.max(0, Math.floor((memory.keyValueCapacity / perSequence) * tokens)),
    largestBatch: Math.min(fitting, limits.maxSequences) * groups,
    fits: shortBy === 0,
    shortBy,
  };
}
