import type { Hardware } from '../profile/hardware.ts';
import type { Scenario } from '../profile/scenario.ts';
import { brent } from '../quantity/brent.ts';
import { sequenceBytes } from '../roofline/memory.ts';
import { compile, type CompiledDeployment } from '../serving/compiled.ts';
import { whyNot } from './lever.ts';
import { hardwareLever } from './levers/hardware.ts';
import { peakOf } from './peak-of.ts';
import { quickOutcome, type QuickOutcome, quickOutcomeOf } from './quick-outcome.ts';
import { withCosts } from './scaled.ts';

/** Seconds that the clocks may take; a clock without a target is free. */
export interface Targets {
  readonly ttft?: number;
  readonly tpot?: number;
}

export interface InverseDesign {
  /** FLOP/s and bandwidth that together just meet the targets, the pair with the least product; undefined where none do. */
  readonly needed?: { readonly flops: number; readonly bandwidth: number };
  /** Bytes that a device has to have for the workload to fit. */
  readonly capacity: number;
  /** What the device of the scenario has. */
  readonly has: { readonly flops: number; readonly bandwidth: number; readonly capacity: number };
  /** What no FLOP/s and no bandwidth takes away: links, overhead and waiting for them, seconds. */
  readonly floor: { readonly ttft: number; readonly tpot: number };
  /** Real devices that meet the targets with the same spread, least excess first, then those that come nearest. */
  readonly devices: readonly DesignedDevice[];
}

export interface DesignedDevice {
  readonly device: string;
  readonly title: string;
  readonly meets: boolean;
  readonly ttft: number;
  readonly tpot: number;
  readonly fits: boolean;
  readonly flops: number;
  readonly bandwidth: number;
  readonly capacity: number;
  /** Distance from what is needed: mean of |ln(has / needed)| over FLOP/s, bandwidth and capacity. */
  readonly distance: number;
}

/** Factors that are searched: a thousandth to a thousand times what the device has. */
const range = 1000;

/**
 * Which FLOP/s, memory bandwidth and capacity would meet targets for both clocks, all else (engine, links, spread) as
 * it is: less of either misses a target while the other stays.
 * @param devices Profiles to look for real ones among.
 */
export function inverseDesign(scenario: Scenario, targets: Targets, devices: readonly Hardware[]): InverseDesign {
  const compiled = compile(scenario.deployment, scenario.grade);
  const { hardware } = scenario.deployment;
  const clocks = (flops: number, bandwidth: number): QuickOutcome =>
    quickOutcomeOf(faster(compiled, flops, bandwidth), scenario.workload);
  const meets = ({ ttft, tpot }: { readonly ttft: number; readonly tpot: number }): boolean =>
    ttft <= (targets.ttft ?? Infinity) * (1 + 1e-9) && tpot <= (targets.tpot ?? Infinity) * (1 + 1e-9);
  const needed = smallestPair((flops, bandwidth) => worst(clocks(flops, bandwidth), targets));
  const floor = clocks(1e9, 1e9);
  const has = {
    flops: peakOf(scenario.deployment, hardware),
    bandwidth: hardware.memory.bandwidth,
    capacity: hardware.memory.capacity,
  };
  const capacity = neededCapacity(compiled, scenario);
  const wanted = {
    flops: has.flops * (needed?.flops ?? 1),
    bandwidth: has.bandwidth * (needed?.bandwidth ?? 1),
    capacity,
  };
  const real = devices.flatMap((device): readonly DesignedDevice[] => {
    if (whyNot([hardwareLever(device)], scenario) !== undefined) return [];
    const { ttft, tpot, fits, stability } = quickOutcome({
      ...scenario,
      deployment: { ...scenario.deployment, hardware: device },
    });
    const is = {
      flops: peakOf(scenario.deployment, device),
      bandwidth: device.memory.bandwidth,
      capacity: device.memory.capacity,
    };
    const distance =
      (Math.abs(Math.log(is.flops / wanted.flops)) +
        Math.abs(Math.log(is.bandwidth / wanted.bandwidth)) +
        Math.abs(Math.log(is.capacity / wanted.capacity))) /
      3;
    return [
      {
        device: device.name,
        title: device.title,
        meets: fits && stability?.verdict !== 'unstable' && meets({ ttft, tpot }),
        ttft,
        tpot,
        fits,
        ...is,
        distance,
      },
    ];
  });
  return {
    ...(needed === undefined ? {} : { needed: { flops: wanted.flops, bandwidth: wanted.bandwidth } }),
    capacity,
    has,
    floor: { ttft: floor.ttft, tpot: floor.tpot },
    devices: real.toSorted((a, b) => Number(b.meets) - Number(a.meets) || a.distance - b.distance),
  };
}

/** Logarithm of the worst clock over its target: at most 0 where both are met. */
const worst = ({ ttft, tpot }: QuickOutcome, targets: Targets): number =>
  Math.max(
    targets.ttft === undefined ? -Infinity : Math.log(ttft / targets.ttft),
    targets.tpot === undefined ? -Infinity : Math.log(tpot / targets.tpot),
  );

/** Points of the trade between FLOP/s and bandwidth that are compared. */
const tradePoints = 48;

/**
 * The miss falls with either factor, so that the targets are met above a falling curve. Takes the point of the curve
 * with the least product: a device that is not asked for ten times of one to spare a little of the other.
 */
function smallestPair(
  miss: (flops: number, bandwidth: number) => number,
): { readonly flops: number; readonly bandwidth: number } | undefined {
  if (miss(range, range) > 0) return undefined;
  const leastBandwidth = least((factor) => miss(range, factor));
  let best: { readonly flops: number; readonly bandwidth: number } | undefined;
  for (let point = 0; point <= tradePoints; point++) {
    // Finer where the curve bends, next to the least bandwidth.
    const bandwidth = leastBandwidth * (range / leastBandwidth) ** ((point / tradePoints) ** 4);
    const flops = least((factor) => miss(factor, bandwidth));
    if (best === undefined || flops * bandwidth < best.flops * best.bandwidth) best = { flops, bandwidth };
  }
  return best;
}

/** The least factor whose miss, which falls, is none: within a thousandth and a thousand. */
function least(missOf: (factor: number) => number): number {
  // What is missed by less than one part in 10^9 is met.
  const of = (factor: number): number => missOf(factor) - 1e-9;
  if (of(1 / range) <= 0) return 1 / range;
  if (of(range) >= 0) return range;
  return Math.exp(brent((x) => of(Math.exp(x)), -Math.log(range), Math.log(range)));
}

function faster(compiled: CompiledDeployment, flops: number, bandwidth: number): CompiledDeployment {
  return withCosts(compiled, {
    compute: 1 / flops,
    'weight-bandwidth': 1 / bandwidth,
    'kv-bandwidth': 1 / bandwidth,
    'activation-bandwidth': 1 / bandwidth,
  });
}

/** Capacity at which the workload just fits: what is there, less what stays free of the engine's share (or more what is missing). */
function neededCapacity({ memory, groups }: CompiledDeployment, { deployment, workload }: Scenario): number {
  const sequences = workload.load.kind === 'batch' ? Math.max(1, workload.load.size / groups) : 1;
  const needed = sequences * sequenceBytes(memory.keyValue, workload.prompt + workload.output);
  return memory.capacity - (memory.keyValueCapacity - needed) / deployment.release.memory.fraction;
}
