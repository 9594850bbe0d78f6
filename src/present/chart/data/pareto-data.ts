import { estimate } from '../../../estimate.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import { compile } from '../../../serving/compiled.ts';
import { applyLevers, whyNot } from '../../../whatif/lever.ts';
import { ranksLever } from '../../../whatif/levers/parallelism.ts';
import { quickOutcomeOf } from '../../../whatif/quick-outcome.ts';
import { memoryEstimate } from '../../../serving/memory-estimate.ts';
import { clockTime } from '../../clock-time.ts';
import { grows } from '../../grows.ts';
import { binaryTicks } from '../axis-ticks.ts';
import { headingOf } from '../heading-of.ts';
import type { ParetoCurve, ParetoData, ParetoPoint } from '../pareto.ts';

const mostInFlight = 1024;

/** The same deployment with half, the same and twice the tensor ranks, from one request in flight to all that fit. */
export function paretoData(scenario: Scenario, objectives: ParetoData['objectives']): ParetoData {
  const { tensor } = scenario.deployment.parallelism;
  const ranks = [tensor / 2, tensor, tensor * 2].filter((each) => each >= 1);
  const curves = ranks.flatMap((each): readonly ParetoCurve[] => {
    if (each === tensor) return curveOf(scenario, each);
    const lever = ranksLever('tp', each);
    return whyNot([lever], scenario) === undefined ? curveOf(applyLevers([lever], scenario), each) : [];
  });
  const now = estimate(scenario);
  const inFlight = Math.max(1, Math.round(now.load.running + now.load.waiting));
  const remark = objectives.ttft === undefined ? '' : `Hollow: TTFT above the target of ${clockTime(objectives.ttft)}.`;
  return {
    heading: headingOf('Latency against throughput as the load grows', scenario, now, remark),
    curves,
    ...(grows(now) || !now.memory.fits
      ? {}
      : {
          here: {
            inFlight,
            ttft: now.ttft.seconds,
            tpot: now.tpot.seconds,
            tokensPerSecondPerDevice: now.throughput.outputTokensPerSecondPerDevice,
          },
        }),
    objectives,
  };
}

/** Nothing where not even one request fits. */
function curveOf(scenario: Scenario, tensor: number): readonly ParetoCurve[] {
  const { deployment, workload, grade } = scenario;
  const compiled = compile(deployment, grade);
  const { largestBatch } = memoryEstimate(compiled, { ...workload, load: { kind: 'concurrency', size: 1 } }, 1);
  if (largestBatch < 1) return [];
  const most = Math.min(mostInFlight, largestBatch);
  const points = binaryTicks(1, most).map((inFlight): ParetoPoint => {
    const outcome = quickOutcomeOf(compiled, { ...workload, load: { kind: 'concurrency', size: inFlight } });
    return {
      inFlight,
      ttft: outcome.ttft,
      tpot: outcome.tpot,
      tokensPerSecondPerDevice: outcome.outputTokensPerSecond / outcome.devices,
    };
  });
  return [{ label: `TP ${tensor}`, points }];
}
