import { modelOperators } from '../operator/model-operators.ts';
import type { Operator, Variable } from '../operator/operator.ts';
import type { EngineOverhead } from '../profile/engine.ts';
import { logitWork } from '../operator/sampling.ts';
import { deploymentPrecision } from '../profile/precision.ts';
import type { Deployment, Grade } from '../profile/scenario.ts';
import { calibratedTable } from './calibrated.ts';
import { efficiencyOf } from './efficiency-table.ts';
import { addedSlots, idealSeconds, type Slot, type TimedOperator, typicalSeconds } from './operator-seconds.ts';
import { hostCopyShare, offloaded } from './offload.ts';
import { secondsPerSlot, slotsPerOperator, type StepTable, variablesOf } from './step-table.ts';

/** Compiles a deployment into the coefficients of its steps. Pure: equal deployments give equal tables. */
export function compileDeployment(deployment: Deployment, grade: Grade): StepTable {
  const { model, hardware, release, parallelism, utilisation, offload, calibration } = deployment;
  const precision = deploymentPrecision(deployment);
  const ideal = grade === 'ideal';
  const { operators, spans, expertGroups } = modelOperators(model, precision, parallelism, {
    fusedAttention: ideal || release.scheduling.fusedAttention,
    fusedKernels: ideal || release.scheduling.fusedKernels,
    dividesKeyValue: ideal,
    evenRanks: ideal,
    logits: logitWork(deployment),
  });
  const kept = ideal ? operators.filter(isTextbook) : operators;
  const shares = { compute: utilisation?.compute ?? 1, memory: utilisation?.memory ?? 1 };
  const efficiency = efficiencyOf(deployment);
  const hostRate = hardware.host.bandwidth * (ideal ? 1 : hostCopyShare);
  const timed = kept.map((operator): TimedOperator => {
    const seconds = ideal ? idealSeconds(operator, hardware, shares) : typicalSeconds(operator, hardware, efficiency);
    const called = ideal ? seconds : withEngineFloor(seconds, operator, release.overhead);
    const placed = offload === undefined ? called : offloaded(called, offload, hostRate);
    return ideal || efficiency.smallBatch === undefined ? { ...placed, slots: chargedAsCounted(placed.slots) } : placed;
  });
  const variables = variablesOf(spans.length, expertGroups.length);
  const layers = model.layers.reduce((sum, layer) => sum + layer.count, 0);
  const launches = kept.reduce((sum, operator) => sum + operator.count, 0);
  const { overhead } = release;
  const host = ideal ? 0 : 1;
  const table: StepTable = {
    operators: kept,
    spans,
    expertGroups,
    variables,
    ...pack(kept, timed, variables),
    ...(ideal || efficiency.smallBatch === undefined ? {} : { smallBatch: efficiency.smallBatch }),
    ...(ideal || release.scheduling.passTokens === undefined ? {} : { passTokens: release.scheduling.passTokens }),
    ...(ideal || release.scheduling.decodesLastToken !== true ? {} : { decodesLastToken: true }),
    rates: timed.map(({ rates }) => rates),
    perStep: host * (overhead.step + overhead.layer * layers),
    perSequence: host * (overhead.sequence + (overhead.sampling ?? 0) * model.vocabulary),
    perStreamed: host * overhead.stream,
    launch: host * overhead.launch * launches,
    ...(overhead.prefillLaunch === undefined || ideal
      ? {}
      : {
          prefillLaunch: Math.max(overhead.launch, overhead.prefillLaunch) * launches,
          graphTokens: release.scheduling.graphTokens ?? 0,
        }),
  };
  return ideal || calibration === undefined ? table : calibratedTable(table, calibration, overhead, layers);
}

/**
 * The textbook roofline counts matrix products and attention. It takes everything between them as fused, and
 * communication as hidden behind them, so that it stays a lower bound.
 */
const isTextbook = ({ kind }: Operator): boolean =>
  kind !== 'element-wise' && kind !== 'all-reduce' && kind !== 'all-to-all' && kind !== 'send';

/** What the engine's own collectives take beyond the table's, per doubling of ranks. */
function withEngineFloor(
  seconds: TimedOperator,
  operator: Operator,
  { collective = 0 }: EngineOverhead,
): TimedOperator {
  if (collective === 0 || operator.kind !== 'all-reduce') return seconds;
  return { ...seconds, floor: seconds.floor + collective * Math.log2(operator.ranks ?? 2) };
}

/** Where every row is charged as it counts, charged and counted rows are one variable, and their slots one slot. */
function chargedAsCounted(slots: readonly Slot[]): readonly Slot[] {
  const merged: Slot[] = [];
  for (const slot of slots) {
    const variable = counted(slot.variable);
    const at = merged.findIndex((each) => each.variable === variable);
    const before = merged[at];
    if (before === undefined) merged.push({ ...slot, variable });
    else merged[at] = addedSlots(before, slot);
  }
  return merged;
}

function counted(variable: Variable): Variable {
  if (variable === 'chargedTokens') return 'tokens';
  return variable === 'chargedRows' ? 'rows' : variable;
}

type Packed = Pick<StepTable, 'slotVariables' | 'slotSeconds' | 'slotEnds' | 'sharpness' | 'floors' | 'isCollective'>;

function pack(
  operators: readonly Operator[],
  timed: readonly TimedOperator[],
  variables: StepTable['variables'],
): Packed {
  const count = timed.length;
  const packed: Packed = {
    slotVariables: new Int32Array(count * slotsPerOperator),
    slotSeconds: new Float64Array(count * slotsPerOperator * secondsPerSlot),
    slotEnds: new Int32Array(count),
    sharpness: new Float64Array(count),
    floors: new Float64Array(count),
    isCollective: new Uint8Array(count),
  };
  for (const [index, { slots, sharpness, floor, isCollective }] of timed.entries()) {
    if (slots.length > slotsPerOperator) throw new Error(`an operator has more terms than the step table holds`);
    packed.slotEnds[index] = index * slotsPerOperator + slots.length;
    packed.sharpness[index] = sharpness;
    packed.floors[index] = floor * (operators[index]?.count ?? 1);
    packed.isCollective[index] = Number(isCollective);
    for (const [position, { variable, compute, weight, keyValue, activation, link, beside }] of slots.entries()) {
      const at = index * slotsPerOperator + position;
      packed.slotVariables[at] = variables.indexOf(variable);
      packed.slotSeconds.set([compute, weight, keyValue, activation, link, beside], at * secondsPerSlot);
    }
  }
  return packed;
}
