import type { Estimate } from '../estimate.ts';
import type { Workload } from '../profile/workload.ts';
import type { CompiledDeployment } from '../serving/compiled.ts';
import { clocksOf } from './quick-outcome.ts';
import { bindingGroup, type RateGroup } from './rate-group.ts';
import { withCosts } from './scaled.ts';

/** What would be left of a clock if the resource that it is on cost nothing. */
export interface ClockCeiling {
  readonly resource: RateGroup['name'];
  /** Seconds that no more of the resource takes away. */
  readonly seconds: number;
  /** Largest gain: seconds now over seconds then. */
  readonly gain: number;
}

export interface Ceiling {
  readonly ttft: ClockCeiling;
  readonly tpot: ClockCeiling;
  readonly e2e: ClockCeiling;
}

/** As good as infinite, and the terms that tell an idle operator from a working one stay above zero. */
const nothing = 1e-12;

/** Evaluated anew, not read off the shares: a smooth roofline gives way to the next resource as the first one goes. */
export function ceilingOf(compiled: CompiledDeployment, workload: Workload, after: Estimate): Ceiling {
  const without = ({ group }: { readonly group: RateGroup }): { ttft: number; tpot: number } => {
    const free = withCosts(compiled, Object.fromEntries(group.resources.map((resource) => [resource, nothing])));
    const { clocks } = clocksOf(free, workload);
    return { ttft: clocks.ttftSeconds, tpot: clocks.tpotSeconds };
  };
  const [first, next, whole] = [after.ttft, after.tpot, after.e2e].map(bindingGroup);
  if (first === undefined || next === undefined || whole === undefined) throw new RangeError('a clock is missing');
  const ceiling = (resource: RateGroup['name'], seconds: number, now: number): ClockCeiling => ({
    resource,
    seconds,
    gain: now / seconds,
  });
  const steps = workload.output - 1;
  const { ttft: firstSeconds } = without(first);
  const { tpot: nextSeconds } = without(next);
  const both = without(whole);
  return {
    ttft: ceiling(first.group.name, firstSeconds, after.ttft.seconds),
    tpot: ceiling(next.group.name, nextSeconds, after.tpot.seconds),
    e2e: ceiling(whole.group.name, both.ttft + steps * both.tpot, after.e2e.seconds),
  };
}
