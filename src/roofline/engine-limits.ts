import type { BudgetRule, EngineRelease } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';

/** An engine's scheduling limits on a given device. */
export interface EngineLimits {
  /** Tokens of one step; Infinity where the engine sets none. */
  readonly tokenBudget: number;
  /** Sequences running at once. */
  readonly maxSequences: number;
  /** Bytes that the sampler holds per logit at its peak. */
  readonly bytesPerLogit: number;
}

/** Resolves the release's rules by memory size for a device. */
export function engineLimits(release: EngineRelease, hardware: Hardware): EngineLimits {
  const { tokenBudget, maxSequences } = release.scheduling;
  return {
    tokenBudget: ruleFor(tokenBudget, hardware),
    maxSequences: ruleFor(maxSequences, hardware),
    bytesPerLogit: release.memory.bytesPerLogit,
  };
}

function ruleFor(rules: readonly BudgetRule[], hardware: Hardware): number {
  const rule = rules.find(
    ({ memory, except }) => hardware.memory.capacity >= memory && !except.includes(hardware.architecture),
  );
  return rule?.value ?? Infinity;
}
