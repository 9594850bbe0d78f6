import { resourceCount, resourceIndex } from './resource.ts';
import { secondsPerSlot, slotsPerOperator, type StepTable } from './step-table.ts';

/**
 * Exponent with which host launches and device work combine when kernels are launched one by one and the device runs
 * behind: nearly the larger of the two, smooth so that shares stay elasticities.
 */
export const hostSharpness = 4;

/** Positions in a step's vector; see `fixedVariables`. */
const tokensAt = 1;
const sequencesAt = 3;
const prefillTokensAt = 4;
const streamedAt = 8;

const computeAt = resourceIndex.compute;
const weightAt = resourceIndex['weight-bandwidth'];
const keyValueAt = resourceIndex['kv-bandwidth'];
const activationAt = resourceIndex['activation-bandwidth'];
const linkAt = resourceIndex['link-bandwidth'];
const latencyAt = resourceIndex['link-latency'];
const overheadAt = resourceIndex.overhead;

/**
 * Adds the seconds of the operators first..end - 1 in a step to `parts`, by resource, and returns them.
 *
 * t = (c^q + m^q)^(1/q) + beside + floor. The part of resource r is its elasticity times t: for the smooth maximum
 * c^q / (c^q + m^q) goes to compute and the rest to traffic, in proportion to its bytes.
 *
 * One loop over plain numbers: this is where sweeps and simulations spend their time. Sums stay in local variables;
 * x^q is written exp(q ln x), which costs two thirds of Math.pow here, with x the smaller over the larger, so
 * that nothing overflows.
 */
export function addOperatorSeconds(
  table: StepTable,
  first: number,
  end: number,
  step: Float64Array,
  parts: Float64Array,
): number {
  const { slotVariables, slotSeconds, slotEnds, sharpness, floors, isCollective } = table;
  let computeSum = 0;
  let latencySum = 0;
  let weightSum = 0;
  let keyValueSum = 0;
  let activationSum = 0;
  let linkSum = 0;
  let floorSum = 0;
  for (let index = first; index < end; index++) {
    let compute = 0;
    let weight = 0;
    let keyValue = 0;
    let activation = 0;
    let link = 0;
    let beside = 0;
    const lastSlot = slotEnds[index] ?? 0;
    for (let slot = index * slotsPerOperator; slot < lastSlot; slot++) {
      const amount = step[slotVariables[slot] ?? 0] ?? 0;
      if (amount === 0) continue;
      const at = slot * secondsPerSlot;
      compute += (slotSeconds[at] ?? 0) * amount;
      weight += (slotSeconds[at + 1] ?? 0) * amount;
      keyValue += (slotSeconds[at + 2] ?? 0) * amount;
      activation += (slotSeconds[at + 3] ?? 0) * amount;
      link += (slotSeconds[at + 4] ?? 0) * amount;
      beside += (slotSeconds[at + 5] ?? 0) * amount;
    }
    const traffic = weight + keyValue + activation + link;
    if (compute + traffic + beside === 0) continue;
    floorSum += floors[index] ?? 0;
    activationSum += beside;

    // Seconds of the smooth maximum that go to compute, and per second of unhindered traffic.
    let onCompute = compute;
    let perTraffic = 1;
    const q = sharpness[index] ?? 0;
    if (traffic > 0 && compute > 0 && q !== 1) {
      const computeLarger = compute >= traffic;
      const larger = computeLarger ? compute : traffic;
      const smaller = computeLarger ? traffic : compute;
      const power = q === Infinity ? 0 : Math.exp(q * Math.log(smaller / larger));
      const scale = q === Infinity ? 1 : Math.exp(Math.log(1 + power) / q - Math.log(1 + power));
      // larger (1 + power)^(1/q) / (1 + power) is the larger one's part; the smaller one's is `power` times that.
      const ofLarger = larger * scale;
      const ofSmaller = ofLarger * power;
      onCompute = computeLarger ? ofLarger : ofSmaller;
      perTraffic = (computeLarger ? ofSmaller : ofLarger) / traffic;
    }
    if (isCollective[index] === 1) latencySum += onCompute;
    else computeSum += onCompute;
    weightSum += weight * perTraffic;
    keyValueSum += keyValue * perTraffic;
    activationSum += activation * perTraffic;
    linkSum += link * perTraffic;
  }
  parts[computeAt] = (parts[computeAt] ?? 0) + computeSum;
  parts[latencyAt] = (parts[latencyAt] ?? 0) + latencySum;
  parts[weightAt] = (parts[weightAt] ?? 0) + weightSum;
  parts[keyValueAt] = (parts[keyValueAt] ?? 0) + keyValueSum;
  parts[activationAt] = (parts[activationAt] ?? 0) + activationSum;
  parts[linkAt] = (parts[linkAt] ?? 0) + linkSum;
  parts[overheadAt] = (parts[overheadAt] ?? 0) + floorSum;
  return computeSum + latencySum + weightSum + keyValueSum + activationSum + linkSum + floorSum;
}

/**
 * Seconds of a whole step, added to `parts` by resource with weight `factor`. Allocates nothing. The host's launches
 * run ahead of the device: the step takes the smooth maximum of both, plus what the engine exposes per step and
 * sequence.
 */
export function addStepSeconds(table: StepTable, step: Float64Array, parts: Float64Array, factor = 1): number {
  for (let index = 0; index < resourceCount; index++) scratch[index] = 0;
  const device = addOperatorSeconds(table, 0, table.sharpness.length, step, scratch);
  let scale = 1;
  let exposedLaunch = 0;
  const eager = (step[prefillTokensAt] ?? 0) > 0 && (step[tokensAt] ?? 0) > (table.graphTokens ?? 0);
  const launch = eager ? (table.prefillLaunch ?? table.launch) : table.launch;
  if (launch > 0 && device > 0) {
    const power = (launch / device) ** hostSharpness;
    const seconds = device * (1 + power) ** (1 / hostSharpness);
    scale = seconds / device / (1 + power);
    exposedLaunch = (seconds * power) / (1 + power);
  }
  const host =
    exposedLaunch +
    table.perStep +
    table.perSequence * (step[sequencesAt] ?? 0) +
    table.perStreamed * (step[streamedAt] ?? 0);
  for (let index = 0; index < resourceCount; index++) {
    parts[index] = (parts[index] ?? 0) + (scratch[index] ?? 0) * scale * factor;
  }
  parts[overheadAt] = (parts[overheadAt] ?? 0) + host * factor;
  return (device * scale + host) * factor;
}

const scratch = new Float64Array(resourceCount);
