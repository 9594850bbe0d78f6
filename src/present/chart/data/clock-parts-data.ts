import { estimate } from '../../../estimate.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import { resources } from '../../../roofline/resource.ts';
import type { Clock } from '../../../serving/clock.ts';
import { clockTime } from '../../clock-time.ts';
import { grows } from '../../grows.ts';
import { resourceWords } from '../../resource-words.ts';
import type { ClockParts, ClockPartsData } from '../clock-parts.ts';
import { headingOf } from '../heading-of.ts';

/** Parts below this share of their clock are too thin to see. */
const thinnest = 0.002;

/** Both clocks of a scenario by what they are spent on. */
export function clockPartsData(scenario: Scenario): ClockPartsData {
  const result = estimate(scenario);
  const { ttft, tpot } = result;
  const clocks = [
    ...(grows(result) ? [] : [partsOf('TTFT', ttft)]),
    ...(scenario.workload.output > 1 ? [partsOf('TPOT', tpot)] : []),
  ];
  const words = clocks.map(({ name, seconds }) => `${name} ${clockTime(seconds)}`);
  const title =
    words.length === 0 ? 'TTFT grows' : `What ${words.join(' and ')} ${words.length === 1 ? 'is' : 'are'} spent on`;
  return { heading: headingOf(title, scenario, result), clocks };
}

function partsOf(name: string, { seconds, low, high, ideal, breakdown, grade }: Clock): ClockParts {
  return {
    name,
    seconds,
    ...(grade === 'ideal' ? {} : { band: { low, high }, ideal }),
    parts: resources
      .map((resource) => ({ label: resourceWords[resource], resource, seconds: breakdown[resource] }))
      .filter((part) => part.seconds > thinnest * seconds),
  };
}
