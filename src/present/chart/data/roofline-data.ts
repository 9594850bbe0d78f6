import { estimate, explain } from '../../../estimate.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import type { StepExplanation } from '../../../serving/explanation.ts';
import { headingOf } from '../heading-of.ts';
import type { RooflineData, RooflinePoint } from '../roofline.ts';

/** Operators of a phase that get a name in the picture. */
const labelled = 3;

/** Operators of a prefill step and of the mean decode step, as their counts and seconds place them. */
export function rooflineData(scenario: Scenario): RooflineData {
  const steps = explain(scenario).filter(({ phase }) => phase === 'prefill' || scenario.workload.output > 1);
  const { hardware } = scenario.deployment;
  const ceilings = new Map<number, string[]>();
  for (const { flops, rates } of steps.flatMap(({ operators }) => operators)) {
    const formats = ceilings.get(rates.peak) ?? [];
    if (flops > 0 && !formats.includes(rates.format)) ceilings.set(rates.peak, [...formats, rates.format]);
  }
  return {
    heading: headingOf(
      'Roofline: compute-bound to the right of the ridge, memory-bound to its left',
      scenario,
      estimate(scenario),
      'Circles prefill, triangles decode; area and per cent: of the time of its phase (from 0.5 %).',
    ),
    points: steps.flatMap(pointsOf),
    ceilings: [...ceilings].map(([peak, formats]) => ({ format: formats.join(', '), peak })),
    bandwidth: hardware.memory.bandwidth,
  };
}

/** Operators below this share of the time of their phase are left out. */
const least = 0.005;

/** Operators that multiply; collectives and copies have no FLOP to plot. */
function pointsOf({ phase, operators }: StepExplanation): readonly RooflinePoint[] {
  const all = operators
    .map(({ name, flops, weightBytes, keyValueBytes, activationBytes, seconds }) => ({
      name,
      phase,
      flops,
      bytes: weightBytes + keyValueBytes + activationBytes,
      seconds,
    }))
    .filter(({ flops, bytes }) => flops > 0 && bytes > 0);
  const total = all.reduce((sum, { seconds }) => sum + seconds, 0);
  const points = all.filter(({ seconds }) => seconds >= least * total);
  const longest = new Set(points.toSorted((a, b) => b.seconds - a.seconds).slice(0, labelled));
  return points.map((point) => ({
    name: point.name,
    phase,
    intensity: point.flops / point.bytes,
    rate: point.flops / point.seconds,
    seconds: point.seconds,
    isLabelled: longest.has(point),
  }));
}
