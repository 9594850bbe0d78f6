import { estimateWith, prepare } from '../../../estimate.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import { formatRounded } from '../../../quantity/format-quantity.ts';
import { sequenceBytes } from '../../../roofline/memory.ts';
import { grouped } from '../../clock-time.ts';
import { headingOf } from '../heading-of.ts';
import { type MemoryFitData, type MemoryRow, sequencesWords } from '../memory-fit.ts';

/** Memory of the fullest device now, and with the largest batch that fits. */
export function memoryFitData(scenario: Scenario): MemoryFitData {
  const prepared = prepare(scenario.deployment, scenario.grade);
  const now = estimateWith(prepared, scenario.workload);
  const { memory, load } = now;
  const { compiled } = prepared;
  const { workload } = scenario;
  const perSequence = sequenceBytes(compiled.memory.keyValue, workload.prompt + workload.output);
  const row = (sequences: number, label: string, keyValue: number): MemoryRow => ({
    label: `${label}${sequencesWords(sequences)}`,
    weights: memory.weights,
    workspace: memory.workspace,
    reserve: memory.reserve,
    keyValue,
  });
  const { largestBatch } = memory;
  // Of more sequences than could end at once, not all are at their ends at once.
  const room = memory.usable - memory.weights - memory.workspace - memory.reserve;
  const title = memory.fits
    ? `It fits: ${grouped(largestBatch)} ${largestBatch === 1 ? 'request' : 'requests'} of ${grouped(workload.prompt + workload.output)} tokens can run at once`
    : `It does not fit: ${formatRounded(memory.shortBy, 'bytes')} per device are missing`;
  return {
    heading: headingOf(title, scenario, now),
    capacity: memory.capacity,
    usable: memory.usable,
    rows: [
      row(Math.max(1, load.running), 'now, ', memory.fits ? Math.min(memory.keyValue, room) : memory.keyValue),
      ...(memory.fits && largestBatch > load.running
        ? [row(largestBatch, 'largest, ', (largestBatch / compiled.groups) * perSequence)]
        : []),
    ],
  };
}
