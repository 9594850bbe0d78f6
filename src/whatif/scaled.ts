import type { Resource } from '../roofline/resource.ts';
import { secondsPerSlot, slotsPerOperator, type StepTable } from '../roofline/step-table.ts';
import type { CompiledDeployment } from '../serving/compiled.ts';

/** Factors on the seconds that each resource costs; 1 where absent. */
export type CostFactors = Readonly<Partial<Record<Resource, number>>>;

/** Parts of `overhead` that an engine or device could shorten one by one. */
export const overheadParts = ['floors', 'step', 'sequence', 'launch', 'request'] as const;
export type OverheadPart = (typeof overheadParts)[number];

/**
 * A compiled deployment whose every cost of a resource is times a factor: what a device with other rates or an engine
 * with other host times would compile to, without compiling it.
 */
export function withCosts(compiled: CompiledDeployment, factors: CostFactors): CompiledDeployment {
  const { overhead = 1 } = factors;
  return withOverheads(
    { ...compiled, table: withRates(compiled.table, factors) },
    Object.fromEntries(overheadParts.map((part) => [part, overhead])),
  );
}

/** The same for single parts of the overhead. */
export function withOverheads(
  compiled: CompiledDeployment,
  { floors = 1, step = 1, sequence = 1, launch = 1, request = 1 }: Partial<Record<OverheadPart, number>>,
): CompiledDeployment {
  const changed = <T extends StepTable>(table: T): T => ({
    ...table,
    floors: table.floors.map((seconds) => seconds * floors),
    perStep: table.perStep * step,
    perSequence: table.perSequence * sequence,
    perStreamed: table.perStreamed * sequence,
    launch: table.launch * launch,
    ...(table.prefillLaunch === undefined ? {} : { prefillLaunch: table.prefillLaunch * launch }),
  });
  return {
    ...compiled,
    table: both(compiled.table, changed),
    requestSeconds: compiled.requestSeconds * request,
  };
}

/** Costs of what a step takes apart from overhead. */
function withRates(table: StepTable, factors: CostFactors): StepTable {
  // Compute, weights, KV, activations, link, and activations beside the roofline, in the order of a slot.
  const columns = [
    factors.compute ?? 1,
    factors['weight-bandwidth'] ?? 1,
    factors['kv-bandwidth'] ?? 1,
    factors['activation-bandwidth'] ?? 1,
    factors['link-bandwidth'] ?? 1,
    factors['activation-bandwidth'] ?? 1,
  ];
  const latency = factors['link-latency'] ?? 1;
  return both(table, (each) => ({
    ...each,
    slotSeconds: each.slotSeconds.map((seconds, at) => {
      const column = at % secondsPerSlot;
      const operator = Math.floor(at / secondsPerSlot / slotsPerOperator);
      return seconds * (column === 0 && each.isCollective[operator] === 1 ? latency : (columns[column] ?? 1));
    }),
  }));
}

/** With speculation a deployment has a second table for steps that decode. */
const both = (table: StepTable, change: <T extends StepTable>(each: T) => T): StepTable => {
  const changed = change(table);
  return table.speculative === undefined ? changed : { ...changed, speculative: change(table.speculative) };
};
