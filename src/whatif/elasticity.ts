import type { Scenario } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import { resourceIndex } from '../roofline/resource.ts';
import { compile, type CompiledDeployment } from '../serving/compiled.ts';
import { withCapacity } from './levers/field.ts';
import { clocksOf, quickOutcomeOf } from './quick-outcome.ts';
import { type OverheadPart, overheadParts, withOverheads } from './scaled.ts';

/** What a quantity of interest is differentiated by. */
export type ElasticityCause =
  | 'flops'
  | 'memory-bandwidth'
  | 'link-bandwidth'
  | 'link-latency'
  | 'network'
  | 'overhead.device'
  | 'overhead.step'
  | 'overhead.sequence'
  | 'overhead.launch'
  | 'overhead.request'
  | 'capacity'
  | 'load'
  | 'prompt'
  | 'output';

export const elasticityEffects = ['ttft', 'tpot', 'e2e', 'throughput'] as const;
export type ElasticityEffect = (typeof elasticityEffects)[number];

/**
 * d ln(effect) / d ln(cause): -0.7 for TPOT by memory bandwidth means that 1 % more bandwidth takes 0.7 % off.
 * `load` is the batch, the concurrency or the arrival rate.
 */
export interface Elasticities {
  readonly rows: readonly {
    readonly cause: ElasticityCause;
    /** `exact`: read off the attribution; `difference`: central difference on the fast path. */
    readonly method: 'exact' | 'difference';
    readonly effects: Readonly<Record<ElasticityEffect, number>>;
  }[];
  /**
   * Sum over rates with their sign turned and overheads and latencies: 1 for a clock whose every term is a cost over a
   * rate (Euler's theorem for homogeneous functions), which holds for all but random arrivals.
   */
  readonly totals: Readonly<Record<ElasticityEffect, number>>;
}

type Effects = Readonly<Record<ElasticityEffect, number>>;

/** Relative step of the differences in workload; large enough to pass over whole numbers of chunks. */
const workloadStep = 0.02;

/** Memory comes in whole sequences, so that its step has to be wider. */
const capacityStep = 0.1;

const costStep = 1e-4;

/** Elasticities of both clocks, the whole request and throughput. */
export function elasticitiesOf(scenario: Scenario, compiled: CompiledDeployment): Elasticities {
  const { deployment, workload, grade } = scenario;
  const { load } = workload;
  const steps = workload.output - 1;
  const base = effectsOf(compiled, workload);
  const { clocks } = clocksOf(compiled, workload);
  const rates = { ttft: Float64Array.from(clocks.ttftRates), tpot: Float64Array.from(clocks.tpotRates) };
  const exact = (names: readonly (keyof typeof resourceIndex)[], sign: 1 | -1): Effects => {
    const of = (parts: Float64Array): number => names.reduce((sum, name) => sum + (parts[resourceIndex[name]] ?? 0), 0);
    const ttft = of(rates.ttft);
    const tpot = of(rates.tpot);
    const e2e = (ttft + steps * tpot) / base.e2e;
    return {
      ttft: (sign * ttft) / base.ttft,
      tpot: (sign * tpot) / base.tpot,
      e2e: sign * e2e,
      // Each of a fixed number of requests is followed by the next; arrivals come at their own rate.
      throughput: load.kind === 'rate' ? 0 : -sign * e2e,
    };
  };
  const difference = (of: (factor: number) => Effects, step: number, low = true): Effects => {
    const above = of(1 + step);
    const below = low ? of(1 - step) : base;
    const width = Math.log(1 + step) - (low ? Math.log(1 - step) : 0);
    return effects((name) => Math.log(above[name] / below[name]) / width);
  };
  const asked = (change: (factor: number) => Workload) => (factor: number) => effectsOf(compiled, change(factor));
  const size = load.kind === 'rate' ? Infinity : load.size;
  const rows: Elasticities['rows'] = [
    { cause: 'flops', method: 'exact', effects: exact(['compute'], -1) },
    {
      cause: 'memory-bandwidth',
      method: 'exact',
      effects: exact(['weight-bandwidth', 'kv-bandwidth', 'activation-bandwidth'], -1),
    },
    { cause: 'link-bandwidth', method: 'exact', effects: exact(['link-bandwidth'], -1) },
    { cause: 'link-latency', method: 'exact', effects: exact(['link-latency'], 1) },
    { cause: 'network', method: 'exact', effects: exact(['network'], -1) },
    ...overheadParts.map((part) => ({
      cause: overheadCauses[part],
      method: 'difference' as const,
      effects: difference((factor) => effectsOf(withOverheads(compiled, { [part]: factor }), workload), costStep),
    })),
    {
      cause: 'capacity',
      method: 'difference',
      effects: difference((factor) => {
        const { hardware } = deployment;
        const changed = { ...deployment, hardware: withCapacity(hardware, hardware.memory.capacity * factor) };
        // Rules by memory size would change the step's budget too.
        return effectsOf({ ...compile(changed, grade), limits: compiled.limits }, workload);
      }, capacityStep),
    },
    {
      cause: 'load',
      method: 'difference',
      effects: difference(
        asked((factor) => ({ ...workload, load: scaledLoad(load, factor) })),
        workloadStep,
        size > 1,
      ),
    },
    {
      cause: 'prompt',
      method: 'difference',
      effects: difference(
        asked((factor) => ({ ...workload, prompt: workload.prompt * factor })),
        workloadStep,
        false,
      ),
    },
    {
      cause: 'output',
      method: 'difference',
      effects: difference(
        asked((factor) => ({ ...workload, output: workload.output * factor })),
        workloadStep,
        false,
      ),
    },
  ];
  return { rows, totals: totalsOf(rows) };
}

const overheadCauses: Readonly<Record<OverheadPart, ElasticityCause>> = {
  floors: 'overhead.device',
  step: 'overhead.step',
  sequence: 'overhead.sequence',
  launch: 'overhead.launch',
  request: 'overhead.request',
};

const scaledLoad = (load: Workload['load'], factor: number): Workload['load'] =>
  load.kind === 'rate'
    ? { kind: 'rate', requestsPerSecond: load.requestsPerSecond * factor }
    : { kind: load.kind, size: load.size * factor };

function effectsOf(compiled: CompiledDeployment, workload: Workload): Effects {
  const { ttft, tpot, e2e, outputTokensPerSecond } = quickOutcomeOf(compiled, workload);
  return { ttft, tpot, e2e, throughput: outputTokensPerSecond };
}

const effects = (of: (name: ElasticityEffect) => number): Effects => ({
  ttft: of('ttft'),
  tpot: of('tpot'),
  e2e: of('e2e'),
  throughput: of('throughput'),
});

const isRate = (cause: ElasticityCause): boolean =>
  cause === 'flops' || cause === 'memory-bandwidth' || cause === 'link-bandwidth' || cause === 'network';

const isCost = (cause: ElasticityCause): boolean => cause === 'link-latency' || cause.startsWith('overhead.');

/** Throughput falls with costs, so that its total is -1. */
const totalsOf = (rows: Elasticities['rows']): Effects =>
  effects((name) =>
    rows.reduce((sum, { cause, effects: of }) => sum + (isRate(cause) ? -of[name] : isCost(cause) ? of[name] : 0), 0),
  );
