import type { Resource } from '../../src/roofline/resource.ts';
import { secondsPerSlot, slotsPerOperator, type StepTable } from '../../src/roofline/step-table.ts';
import type { CompiledDeployment } from '../../src/serving/compiled.ts';

/** Factors on the seconds that each resource costs; 1 where absent. */
export type Factors = Readonly<Partial<Record<Resource, number>>>;

const columns = ['compute', 'weight-bandwidth', 'kv-bandwidth', 'activation-bandwidth', 'link-bandwidth'] as const;

/**
 * The same deployment with every cost of a resource times a factor: what a device with other rates, floors and
 * latencies, or an engine with other host times, would compile to.
 */
export function scaled(compiled: CompiledDeployment, factors: Factors): CompiledDeployment {
  const overhead = factors.overhead ?? 1;
  return {
    ...compiled,
    table: scaledTable(compiled.table, factors),
    requestSeconds: compiled.requestSeconds * overhead,
  };
}

function scaledTable(table: StepTable, factors: Factors): StepTable {
  const overhead = factors.overhead ?? 1;
  return {
    ...table,
    slotSeconds: table.slotSeconds.map((seconds, at) => seconds * factorOf(table, at, factors)),
    floors: table.floors.map((seconds) => seconds * overhead),
    perStep: table.perStep * overhead,
    perSequence: table.perSequence * overhead,
    perStreamed: table.perStreamed * overhead,
    launch: table.launch * overhead,
    ...(table.prefillLaunch === undefined ? {} : { prefillLaunch: table.prefillLaunch * overhead }),
  };
}

function factorOf({ isCollective }: StepTable, at: number, factors: Factors): number {
  const column = at % secondsPerSlot;
  const operator = Math.floor(at / secondsPerSlot / slotsPerOperator);
  if (column === 0 && isCollective[operator] === 1) return factors['link-latency'] ?? 1;
  // What runs beside the roofline is traffic of activations.
  return factors[columns[column] ?? 'activation-bandwidth'] ?? 1;
}
