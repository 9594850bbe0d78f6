import { estimate } from '../../../estimate.ts';
import { type Scenario, usualRouter } from '../../../profile/scenario.ts';
import { newClockSeconds } from '../../../serving/clock-seconds.ts';
import { compile } from '../../../serving/compiled.ts';
import { fillClocks } from '../../../serving/load.ts';
import { simulate } from '../../../serving/simulate/simulate.ts';
import { digits, grouped } from '../../clock-time.ts';
import { headingOf } from '../heading-of.ts';
import type { LoadCurveData } from '../load-curve.ts';

/** Shares of the largest rate: closer together where the curve turns up. */
const shares: readonly number[] = [0.05, 0.2, 0.35, 0.5, 0.65, 0.78, 0.87, 0.93, 0.97];

/** Requests of each run; their 99th percentile rests on the slowest four. */
const requests = 400;

/** TTFT percentiles of random arrivals at growing rates, each a run of the event simulation with one seed. */
export function loadCurveData(scenario: Scenario, seed: number, target?: number): LoadCurveData {
  const { deployment, workload, grade } = scenario;
  const compiled = compile(deployment, grade);
  const { prompt, output, cached } = workload;
  const load = { kind: 'rate', requestsPerSecond: 1e-6 } as const;
  const saturation = fillClocks(compiled, { ...workload, load }, newClockSeconds())?.largestRate ?? 0;
  const points = shares.flatMap((share) => {
    const rate = share * saturation;
    const { ttft } = simulate(
      compiled,
      {
        arrivals: { kind: 'poisson', rate },
        prompt: { kind: 'fixed', tokens: prompt },
        output: { kind: 'fixed', tokens: output },
        requests,
        cached,
        router: deployment.router ?? usualRouter,
        objectives: {},
        warmUp: 'detect',
      },
      seed,
    );
    return ttft === undefined ? [] : [{ rate, p50: ttft.p50, p90: ttft.p90, p99: ttft.p99 }];
  });
  const alone = estimate({ ...scenario, workload: { ...workload, load: { kind: 'concurrency', size: 1 } } });
  const asked = {
    ...scenario,
    workload: { ...workload, load: { kind: 'rate', requestsPerSecond: saturation } as const },
  };
  const heading = headingOf(`TTFT as requests come faster, up to ${digits(saturation)} a second`, asked, alone);
  return {
    heading: {
      ...heading,
      lines: [
        ...heading.lines.filter((_, index) => index !== 1),
        `Random arrivals (Poisson), prompt ${grouped(prompt)} and output ${grouped(output)} tokens; event simulation of ${requests} requests a point, seed ${seed}.`,
      ],
    },
    points,
    saturation,
    ...(target === undefined ? {} : { target }),
  };
}
