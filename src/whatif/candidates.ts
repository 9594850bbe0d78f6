import type { Engine, EngineRelease } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import { resolvePrecision } from '../profile/precision.ts';
import type { Scenario } from '../profile/scenario.ts';
import type { Load } from '../profile/workload.ts';
import { numberFormat } from '../quantity/number-format.ts';
import { engineLimits } from '../roofline/engine-limits.ts';
import type { Lever } from './lever.ts';
import { disaggregationLever } from './levers/disaggregation.ts';
import { engineLever, graphsLever, tokenBudgetLever } from './levers/engine.ts';
import { hardwareLever } from './levers/hardware.ts';
import { lengthLever, loadLever } from './levers/load.ts';
import { offloadLever } from './levers/offload.ts';
import { ranksLever } from './levers/parallelism.ts';
import { powerLever } from './levers/power.ts';
import { precisionLever } from './levers/precision.ts';
import { hitRateLever } from './levers/prefix-cache.ts';
import { speculationLever } from './levers/speculation.ts';

/** What a scenario may change to. */
export interface Choices {
  readonly devices: readonly Hardware[];
  readonly engines: readonly { readonly engine: Engine; readonly release: EngineRelease }[];
}

/** A change to try: mostly one lever; experts spread over more ranks need two. */
export type Candidate = readonly Lever[];

/**
 * Every kind of lever at the values that people try first. Whether one applies and what it does is for the engine to
 * say; nothing here knows which clock it is for.
 */
export function candidatesFor(scenario: Scenario, { devices, engines }: Choices): readonly Candidate[] {
  return [
    ...precisionCandidates(scenario),
    ...parallelCandidates(scenario),
    ...workloadCandidates(scenario),
    ...engineCandidates(scenario, engines),
    ...deviceCandidates(scenario, devices),
  ];
}

const one = (lever: Lever): Candidate => [lever];

/** Formats of weights that engines of a kind load. */
const weightFormats = { gguf: ['q8_0', 'q4_k_m'], other: ['fp8', 'w4a16-awq', 'nvfp4'] } as const;

function precisionCandidates({ deployment }: Scenario): readonly Candidate[] {
  const { model, precision, engine, hardware } = deployment;
  const now = resolvePrecision(model, precision);
  const sparse = model.layers.some(({ feedForward }) => feedForward.kind === 'experts');
  const bits = (sparse ? now.experts : now.feedForward).bits;
  const formats = engine.kernels === 'llama.cpp' ? weightFormats.gguf : weightFormats.other;
  const weights = formats.filter(
    (format) => numberFormat(format).bits < bits - 0.5 && (format !== 'nvfp4' || hardware.matrix.fp4 !== undefined),
  );
  return [
    ...weights.map((format) => one(precisionLever('weights', format))),
    ...(now.keyValue.bits > 8 ? [one(precisionLever('kv', 'fp8'))] : []),
  ];
}

function parallelCandidates({ deployment }: Scenario): readonly Candidate[] {
  const { tensor, pipeline, replicas, data } = deployment.parallelism;
  const sparse = deployment.model.layers.some(({ feedForward }) => feedForward.kind === 'experts');
  const split = Math.max(1, Math.floor(replicas / 2));
  return [
    ...(tensor > 1 ? [one(ranksLever('tp', tensor / 2))] : []),
    one(ranksLever('tp', tensor * 2)),
    ...(tensor < 4 ? [one(ranksLever('tp', tensor * 4))] : []),
    one(ranksLever('pp', pipeline * 2)),
    one(ranksLever('replicas', replicas * 2)),
    ...(sparse ? [[ranksLever('dp', data * 2), ranksLever('ep', tensor * data * 2)]] : []),
    ...(sparse && tensor > 1 ? [one(ranksLever('ep', tensor))] : []),
    one(
      disaggregationLever({
        prefill: replicas > 1 ? split : 1,
        decode: replicas > 1 ? replicas - split : 1,
        link: 'network',
      }),
    ),
  ];
}

/** Acceptance assumed where nobody measured one: what EAGLE reaches on chat (vllm-project/vllm#16937, 1.5 times at k = 2). */
const usualAcceptance = 0.7;

function workloadCandidates({ workload, deployment }: Scenario): readonly Candidate[] {
  const { load, prompt, output, cached } = workload;
  return [
    ...(cached < prompt / 2 ? [one(hitRateLever(0.5))] : []),
    ...(cached < 0.9 * prompt ? [one(hitRateLever(0.9))] : []),
    one(speculationLever({ method: 'eagle', tokens: 3, acceptance: usualAcceptance })),
    ...(deployment.model.extras.mtpParameters > 0
      ? [one(speculationLever({ method: 'mtp', tokens: 1, acceptance: 0.8 }))]
      : []),
    ...(prompt > 1 ? [one(lengthLever('prompt', Math.max(cached + 1, Math.round(prompt / 2))))] : []),
    ...(output > 2 ? [one(lengthLever('output', Math.round(output / 2)))] : []),
    ...loads(load).map((each) => one(loadLever(each))),
  ];
}

function loads(load: Load): readonly Load[] {
  if (load.kind === 'rate') {
    return [0.5, 2].map((factor) => ({ kind: 'rate', requestsPerSecond: load.requestsPerSecond * factor }));
  }
  const { kind, size } = load;
  return [...(size > 1 ? [Math.round(size / 2)] : []), size * 2].map((each) => ({ kind, size: each }));
}

const budgets = [512, 2048, 8192, 16384] as const;

function engineCandidates({ deployment }: Scenario, engines: Choices['engines']): readonly Candidate[] {
  const { release, hardware, engine } = deployment;
  const { tokenBudget } = engineLimits(release, hardware);
  return [
    ...budgets.filter((tokens) => tokens !== tokenBudget).map((tokens) => one(tokenBudgetLever(tokens))),
    one(graphsLever(!release.scheduling.graphs)),
    ...engines
      .filter((each) => each.engine.name !== engine.name)
      .map((each) => one(engineLever(each.engine, each.release))),
  ];
}

/** Shares of the power limit worth a look: what data centres cap to. */
const powerShare = 0.7;

/** Share of weights in host memory; only where the device is too small would anybody pay for the way there. */
const offloadShare = 0.5;

function deviceCandidates({ deployment }: Scenario, devices: readonly Hardware[]): readonly Candidate[] {
  const { hardware } = deployment;
  const { limit } = hardware.power;
  return [
    ...(limit === undefined ? [] : [one(powerLever(Math.round(limit * powerShare)))]),
    one(offloadLever({ weights: offloadShare })),
    ...devices.filter(({ name }) => name !== hardware.name).map((device) => one(hardwareLever(device))),
  ];
}
