import { checkDeployment, checkWorkload } from './profile/check-scenario.ts';
import { type Sampling, samplingOf } from './profile/sampling.ts';
import { type Deployment, deviceCount, type Grade, type Scenario } from './profile/scenario.ts';
import type { Load, Workload } from './profile/workload.ts';
import { efficiencyOf } from './roofline/efficiency-table.ts';
import type { Efficiency } from './roofline/efficiency.ts';
import { type Resource, resourceCount } from './roofline/resource.ts';
import { bandOf } from './serving/band.ts';
import { bindingResource, type Clock, clockOf } from './serving/clock.ts';
import { type ClockSeconds, firstAndNext, newClockSeconds, sum } from './serving/clock-seconds.ts';
import { compile, type CompiledDeployment } from './serving/compiled.ts';
import { explainSteps } from './serving/explain.ts';
import type { StepExplanation } from './serving/explanation.ts';
import { idealClocks } from './serving/ideal.ts';
import { fillClocks } from './serving/load.ts';
import { memoryEstimate, type MemoryEstimate } from './serving/memory-estimate.ts';
import type { Stability } from './serving/open-loop.ts';
import { type PoolCapacity, poolCapacity } from './serving/pool-capacity.ts';
import { deploymentWarnings, loadWarnings, workloadWarnings } from './serving/warnings.ts';

/** Both clocks of a scenario, what they are spent on, and what fits. Seconds, bytes, tokens and requests per second. */
export interface Estimate {
  readonly ttft: Clock;
  readonly tpot: Clock;
  readonly e2e: Clock;
  readonly memory: MemoryEstimate;
  readonly throughput: {
    readonly requestsPerSecond: number;
    /** Output tokens of the whole deployment per second. */
    readonly outputTokensPerSecond: number;
    /** Prompt and output tokens together. */
    readonly totalTokensPerSecond: number;
    readonly outputTokensPerSecondPerDevice: number;
    /** What one user sees after the first token. */
    readonly tokensPerSecondPerUser: number;
  };
  readonly load: {
    readonly kind: Load['kind'];
    /** Sequences running at once over the whole deployment, in the mean. */
    readonly running: number;
    /** Requests that wait for a place, over the whole deployment. */
    readonly waiting: number;
    readonly devices: number;
    readonly stability?: Stability;
  };
  /** What each pool can take, where prefill and decode have groups of their own. */
  readonly pools?: PoolCapacity;
  /** The resource that each clock reacts to most, and its elasticity. */
  readonly bound: Readonly<Record<'ttft' | 'tpot' | 'e2e', { readonly resource: Resource; readonly share: number }>>;
  readonly grade: Grade;
  readonly evidence: Efficiency['evidence'];
  /** How requests choose their tokens, where the engine's sampler is priced. */
  readonly sampling?: Sampling;
  readonly warnings: readonly string[];
}

/** A deployment ready to be asked about many workloads: compiled once for the grade asked and once for the floor. */
export interface Prepared {
  readonly compiled: CompiledDeployment;
  readonly floor: CompiledDeployment;
  readonly evidence: Efficiency['evidence'];
  /** What is unusual about the deployment whatever the workload. */
  readonly warnings: readonly string[];
}

/**
 * The whole engine in one page.
 *
 *     Scenario ──check──> deployment ─prepare──> step table (operators: counts -> seconds per unit, one small array)
 *                         workload ─────fill───> seconds by resource of TTFT and TPOT (prefill, decode, queue)
 *                                                  ├─> breakdown and elasticities (they are the same thing)
 *                                                  ├─> ideal: the same operators at full peak, no overhead
 *                                                  ├─> band: residuals of the same regime
 *                                                  └─> memory, throughput, warnings
 *
 * Pure: no file, clock or randomness; equal scenarios give equal estimates.
 * @throws ScenarioError or QuantityError, one sentence, where the scenario cannot be.
 */
export function estimate({ deployment, workload, grade }: Scenario): Estimate {
  return estimateWith(prepare(deployment, grade), workload);
}

/**
 * 1. Refuse what cannot be, and turn the architecture into operators with the time that this device needs for each.
 * @throws ScenarioError or QuantityError.
 */
export function prepare(deployment: Deployment, grade: Grade): Prepared {
  checkDeployment(deployment);
  const compiled = compile(deployment, grade);
  const { evidence } = efficiencyOf(deployment);
  return {
    compiled,
    floor: grade === 'ideal' ? compiled : compile(deployment, 'ideal'),
    evidence,
    warnings: deploymentWarnings(deployment, grade, compiled.table, evidence),
  };
}

/**
 * 2. Both clocks by resource, and the floor that no engine beats; then the numbers as an answer.
 * @throws ScenarioError where the workload cannot be.
 */
export function estimateWith(prepared: Prepared, workload: Workload): Estimate {
  checkWorkload(workload);
  const { compiled, floor } = prepared;
  const ideal = compiled.grade === 'ideal';
  const stability = ideal ? undefined : fillClocks(compiled, workload, typicalClocks);
  idealClocks(floor, workload, ideal ? 0 : typicalClocks.decoding, floorClocks);
  return assemble(prepared, workload, ideal ? floorClocks : typicalClocks, floorClocks, stability);
}

/** Overwritten by every call, so that none allocates them; nothing of them is kept. */
const typicalClocks = newClockSeconds();
const floorClocks = newClockSeconds();
const wholeParts = new Float64Array(resourceCount);
const wholeRates = new Float64Array(resourceCount);

/**
 * The same steps taken apart: prefill of the request (or batch) and the mean decode step, operator by operator, with
 * counts, rates and seconds.
 * @throws as `estimate`.
 */
export function explain({ deployment, workload, grade }: Scenario): readonly [StepExplanation, StepExplanation] {
  return explainWith(prepare(deployment, grade), workload);
}

/** `explain` on a deployment that is already prepared. */
export function explainWith(
  { compiled }: Prepared,
  workload: Workload,
): readonly [prefill: StepExplanation, decode: StepExplanation] {
  checkWorkload(workload);
  if (compiled.grade === 'ideal') idealClocks(compiled, workload, 0, typicalClocks);
  else fillClocks(compiled, workload, typicalClocks);
  return explainSteps(compiled, workload, decodingOf(typicalClocks));
}

/** Sequences of a group's decode step, in the mean. */
const decodingOf = ({ together, running }: ClockSeconds): number => (together > 0 ? together : running);

/** 3. Numbers into an answer: bands, bounds, throughput, memory and what to be careful about. */
function assemble(
  { compiled, evidence, warnings }: Prepared,
  workload: Workload,
  clocks: ClockSeconds,
  ideal: ClockSeconds,
  stability: Stability | undefined,
): Estimate {
  const { deployment, grade } = compiled;
  const { kind } = workload.load;
  const decodeSteps = workload.output - 1;
  const clock = (name: 'ttft' | 'tpot' | 'e2e', parts: Float64Array, rates: Float64Array, floor: number): Clock => {
    const seconds = sum(parts);
    return clockOf(
      parts,
      rates,
      floor,
      grade,
      bandOf(seconds, floor, name, kind, grade, evidence, deployment.calibration),
    );
  };
  const ttft = clock('ttft', clocks.ttft, clocks.ttftRates, ideal.ttftSeconds);
  const tpot = clock('tpot', clocks.tpot, clocks.tpotRates, ideal.tpotSeconds);
  const request = clock(
    'e2e',
    firstAndNext(clocks.ttft, clocks.tpot, decodeSteps, wholeParts),
    firstAndNext(clocks.ttftRates, clocks.tpotRates, decodeSteps, wholeRates),
    ideal.ttftSeconds + decodeSteps * ideal.tpotSeconds,
  );
  // A request is never over before its first token, nor is its band.
  const e2e = { ...request, low: Math.max(request.low, ttft.low), high: Math.max(request.high, ttft.high) };
  const devices = deviceCount(deployment.parallelism);
  const requestsPerSecond = requestRate(workload.load, e2e.seconds, stability);
  const memory = memoryEstimate(compiled, workload, clocks.running);
  const load: Estimate['load'] = {
    kind,
    running: runningOf(workload.load, clocks.running * compiled.groups),
    waiting: clocks.waiting * compiled.groups,
    devices,
    ...(stability === undefined ? {} : { stability }),
  };
  const pools = poolCapacity(compiled, workload, decodingOf(clocks));
  return {
    ttft,
    tpot,
    e2e,
    memory,
    throughput: {
      requestsPerSecond,
      outputTokensPerSecond: requestsPerSecond * workload.output,
      totalTokensPerSecond: requestsPerSecond * (workload.prompt + workload.output),
      outputTokensPerSecondPerDevice: (requestsPerSecond * workload.output) / devices,
      tokensPerSecondPerUser: 1 / tpot.seconds,
    },
    load,
    ...(pools === undefined ? {} : { pools }),
    bound: { ttft: bindingResource(ttft), tpot: bindingResource(tpot), e2e: bindingResource(e2e) },
    grade,
    evidence,
    ...(grade === 'ideal' || deployment.release.sampler === undefined ? {} : { sampling: samplingOf(deployment) }),
    warnings: [...loadWarnings(load, memory), ...workloadWarnings(deployment, workload), ...warnings],
  };
}

/** Requests finished per second: those in the system over their time in it, or what arrives as long as it also leaves. */
const requestRate = (load: Load, e2eSeconds: number, stability: Stability | undefined): number =>
  load.kind === 'rate' ? Math.min(load.requestsPerSecond, stability?.largestRate ?? Infinity) : load.size / e2eSeconds;

/** Groups without a request of their own run nothing. */
const runningOf = (load: Load, running: number): number =>
  load.kind === 'rate' ? running : Math.min(load.size, running);
