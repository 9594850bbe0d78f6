import type { BenchmarkRun } from '../../exchange/benchmark/benchmark-run.ts';
import { meanOf } from '../../exchange/benchmark/distribution.ts';
import { type Estimate, estimate } from '../../estimate.ts';
import type { Deployment, Scenario } from '../../profile/scenario.ts';
import type { Workload } from '../../profile/workload.ts';
import { digits, percent, time } from '../doctor-words.ts';
import type { Finding } from '../finding.ts';
import { runWorkload } from '../run-workload.ts';

/** Data sheets round, and clocks may run a little above nominal. */
const slack = 1.02;

/** No public kernel sustains more of its peak over a whole prefill or decode (reference: GEMM fits reach 0.6 to 0.85). */
const implausible = 0.92;

/** A run with the estimate of its own workload, or why there is none. */
export interface Modelled {
  readonly scenario: Scenario;
  readonly estimate: Estimate;
  /** The textbook floor under this load. */
  readonly floor: Estimate;
  /** The textbook floor with nothing beside it; that of a batch where all start together for certain. */
  readonly alone: Estimate;
}

/** @throws ScenarioError where model and hardware cannot be deployed so. */
export function modelRun(
  run: BenchmarkRun,
  deployment: Deployment,
  assumed: { readonly prompt?: number; readonly output?: number } = {},
): Modelled | string {
  const workload = runWorkload(run, assumed);
  if (typeof workload === 'string') return workload;
  const grade = deployment.calibration === undefined ? 'typical' : 'calibrated';
  const scenario: Scenario = { deployment, workload, grade };
  const floor = estimate({ ...scenario, grade: 'ideal' });
  const single: Workload = { ...workload, load: { kind: 'concurrency', size: 1 } };
  return {
    scenario,
    estimate: estimate(scenario),
    floor,
    alone: workload.load.kind === 'batch' ? floor : estimate({ ...scenario, workload: single, grade: 'ideal' }),
  };
}

/**
 * Utilisation of compute and of memory bandwidth is at most 1: prefill is at least 2 N n FLOPs (and the square of
 * attention) over the peak, a decode step at least the bytes of weights and KV over the bandwidth.
 */
export function againstFloor(run: BenchmarkRun, { floor, alone, scenario }: Modelled): readonly Finding[] {
  const { clocks, where } = run;
  const { workload } = scenario;
  const first = meanOf(clocks.prefill) ?? meanOf(clocks.ttft);
  const next = meanOf(clocks.tpot);
  return [
    ...(first === undefined ? [] : clockAgainst('TTFT', first, alone, where, workload)),
    ...(next === undefined || workload.output < 2 ? [] : clockAgainst('TPOT', next, alone, where, workload)),
    ...rateAgainst(run, floor),
  ];
}

function clockAgainst(
  name: 'TTFT' | 'TPOT',
  measured: number,
  alone: Estimate,
  where: string,
  { cached, prompt }: Workload,
): readonly Finding[] {
  const clock = name === 'TTFT' ? 'ttft' : 'tpot';
  const ideal = alone[clock].seconds;
  const what = alone.bound[clock].resource === 'compute' ? 'compute' : 'memory bandwidth';
  const utilisation = ideal / measured;
  const sum = `${name} ${time(measured)} against a floor of ${time(ideal)}: ${percent(utilisation)} of peak ${what}`;
  if (utilisation > slack) {
    return [
      {
        rule: 'floor',
        where,
        severity: 'broken',
        certainty: 'certain',
        what: `${sum}, which is impossible.`,
        effect:
          name === 'TTFT'
            ? `Prompts came from a prefix cache${cached > 0 ? ' (more than stated)' : ''}, are shorter than ${digits(prompt)} tokens, or a synchronisation was missed: do not fit or compare it.`
            : 'Weights are smaller than stated (format), tokens are counted twice or speculated, or other hardware ran: do not fit or compare it.',
      },
    ];
  }
  if (utilisation <= implausible) return [];
  return [
    {
      rule: 'utilisation',
      where,
      severity: 'careful',
      certainty: 'likely',
      what: `${sum}, which no public kernel sustains.`,
      effect: `Implausible: a partly cached prompt or a wrong length is more likely than such kernels; leave the row out of fits.`,
    },
  ];
}

function rateAgainst(run: BenchmarkRun, { throughput }: Estimate): readonly Finding[] {
  const { load, where } = run;
  const measured = run.throughput.outputTokensPerSecond;
  if (measured === undefined || (load.kind !== 'concurrency' && load.kind !== 'batch')) return [];
  if (measured <= throughput.outputTokensPerSecond * slack) return [];
  return [
    {
      rule: 'floor',
      where,
      severity: 'broken',
      certainty: 'certain',
      what: `${digits(measured)} output tokens/s against at most ${digits(throughput.outputTokensPerSecond)} at this concurrency on this hardware.`,
      effect: 'The rate counts prompt tokens, several servers, or another batch: do not use it.',
    },
  ];
}

/** TTFT far below what this prompt costs although the file tells of no cache. */
export function cacheSuspicion(run: BenchmarkRun, { estimate: predicted, scenario }: Modelled): readonly Finding[] {
  const measured = meanOf(run.clocks.ttft);
  if (measured === undefined || scenario.workload.cached > 0 || run.kind === 'kernel') return [];
  const { low, seconds, ideal } = predicted.ttft;
  if (measured >= low * 0.8 || measured < ideal / slack || scenario.workload.prompt < 200) return [];
  return [
    {
      rule: 'prefix-cache',
      where: run.where,
      severity: 'careful',
      certainty: 'possible',
      what: `TTFT ${time(measured)} is far below the ${time(seconds)} that a prompt of ${digits(scenario.workload.prompt)} tokens typically costs here.`,
      effect:
        'A prefix cache may have served repeated prompts: run again with distinct prompts or with the cache off before believing it.',
    },
  ];
}
