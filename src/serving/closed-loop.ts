import { addDecodeSeconds } from '../phase/decode.ts';
import { addMixedSeconds, type PrefillChunk } from '../phase/mixed.ts';
import { addPrefillSeconds } from '../phase/prefill.ts';
import { resourceCount, resourceIndex } from '../roofline/resource.ts';
import { sequencesThatFit } from '../roofline/memory.ts';
import { clearClockSeconds, type ClockSeconds, closeClocks } from './clock-seconds.ts';
import type { CompiledDeployment } from './compiled.ts';
import { tokensOf } from './speculated.ts';
import { decodeStages, microBatch, pipelined, prefillPasses, staticBatchClocks } from './static-batch.ts';

const { queue: queueAt, overhead: overheadAt } = resourceIndex;

/** Steps that pass in the mean until the step under way ends, as far as the length of a cycle is concerned. */
const runningStep = 0.5;

/** One step of decode, one with prefill, and what a newcomer waits for, by resource. */
const decodeStep = new Float64Array(resourceCount);
const prefillStep = new Float64Array(resourceCount);
const waitedFor = new Float64Array(resourceCount);

/**
 * A fixed number of requests in flight, each followed at once by the next: the simplest loaded case in closed form
 * (docs/model.md#closed-loop). Lengths are means of lengths that vary, so that requests do not keep step with each
 * other; a run of exactly equal lengths moves in waves, which `simulate` shows.
 *
 * A request spends k steps in prefill, o - 1 in decode and w waiting for steps under way, N in all, so with R in
 * flight each step finishes R / N requests and starts as many, and prompts share a step where more than one starts.
 */
export function closedLoopClocks(
  compiled: CompiledDeployment,
  size: number,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
): void {
  const { scheduling } = compiled.deployment.release;
  const inFlight = Math.max(1, size / compiled.groups);
  const running = Math.min(inFlight, runningLimit(compiled, prompt, output));
  if (scheduling.policy === 'static') {
    staticBatchClocks(compiled, running * compiled.groups, prompt, cached, output, clocks);
    waitedFor.set(clocks.tpot);
    clocks.decoding = running;
  } else {
    const wave = waveOf(compiled, running, prompt, cached, output);
    clearClockSeconds(clocks);
    decodeStep.fill(0);
    prefillStep.fill(0);
    clocks.decoding = scheduling.policy === 'mixed' ? wave.decoding : running;
    const price = scheduling.policy === 'mixed' ? mixedClocks : prefillFirstClocks;
    const steps = price(compiled, wave, prompt, cached, output, clocks);
    clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + addWait(steps, wave, scheduling.schedulesAhead);
  }
  clocks.ttft[overheadAt] =
    (clocks.ttft[overheadAt] ?? 0) + (scheduling.policy === 'static' ? 0 : compiled.requestSeconds);
  clocks.running = running;
  clocks.waiting = inFlight - running;
  closeClocks(clocks, waitedFor);
  if (clocks.waiting > 0) addAdmissionWait(clocks, output);
}

/** Sequences that engine and memory let run at once in one group; at least one, so that a floor can be given. */
export function runningLimit(compiled: CompiledDeployment, prompt: number, output: number): number {
  const { memory, limits, deployment } = compiled;
  // Paged engines hold half of the answer in the mean; others reserve all of it on admission.
  const answer = tokensOf(compiled.table, output);
  const held = prompt + (deployment.release.memory.reservesOutput ? answer : answer / 2);
  // Every stage holds its layers' KV of all micro-batches, so the limit is that of a stage.
  const fitting = sequencesThatFit(memory, held);
  // Where not one fits the estimate says so, and is about a device with enough memory.
  return fitting === 0 ? limits.maxSequences : Math.min(limits.maxSequences, fitting);
}

/** How the requests of a closed loop move, counted in steps. */
interface Wave {
  readonly running: number;
  /** Requests that are prefilled together, at least 1. */
  readonly bunch: number;
  /** Steps that a bunch's prefill takes. */
  readonly prefillSteps: number;
  /** Steps from admission to the last token. */
  readonly cycle: number;
  /** Requests that decode while a bunch is prefilled. */
  readonly decodingDuringPrefill: number;
  /** Requests that decode in a step that a decoding request sees. */
  readonly decoding: number;
  /** Prefill steps that a decoding request sees per step of its own. */
  readonly prefillShare: number;
  /** Chance that a newcomer finds a step under way. */
  readonly busy: number;
  /** Further steps in the queue because prefill cannot keep up. */
  readonly backlog: number;
}

function waveOf(compiled: CompiledDeployment, running: number, prompt: number, cached: number, output: number): Wave {
  const { limits, deployment } = compiled;
  const fresh = prompt - cached;
  const prefillSteps = Math.max(1, Math.ceil(fresh / limits.tokenBudget));
  const decodeSteps = Math.max(0, output - 1);
  const ahead = deployment.release.scheduling.schedulesAhead ? 1 : 0;
  const unhindered = decodeSteps + prefillSteps + (running > 1 ? runningStep + ahead : 0);
  // Without a token budget an engine takes prompts one by one.
  const room = limits.tokenBudget < Infinity ? Math.max(1, limits.tokenBudget / fresh) : 1;
  const bunch = Math.max(1, Math.min(running / unhindered, running, room));
  const others = running - bunch;
  // Where prefill shares the step with decode it takes every step once R k / g exceeds the cycle; then requests queue
  // until it no longer does. Prefill that comes first has steps of its own, which hold decode up instead.
  const { policy } = deployment.release.scheduling;
  const cycle = policy === 'mixed' ? Math.max(unhindered, (running * prefillSteps) / bunch) : unhindered;
  const decodingDuringPrefill = (others * decodeSteps) / cycle;
  return {
    running,
    bunch,
    prefillSteps,
    cycle,
    decodingDuringPrefill,
    decoding: bunch + decodingDuringPrefill,
    prefillShare: ((others / bunch) * prefillSteps) / cycle,
    busy: Math.min(1, decodingDuringPrefill),
    backlog: cycle - unhindered,
  };
}

/** Chunks of prefill join the decode step: a decoding request sees some steps with a chunk in them. */
function mixedClocks(
  compiled: CompiledDeployment,
  wave: Wave,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
): StepTimes {
  const { table, deployment } = compiled;
  const stages = decodeStages(deployment);
  const chunk: PrefillChunk = { sequences: wave.bunch, cached, cuts: wave.prefillSteps };
  const decoding = microBatch(wave.decoding, stages);
  const share = wave.prefillShare;
  const decode = addDecodeSeconds(table, decoding, prompt, output, decodeStep);
  const prefill = share > 0 ? addMixedSeconds(table, decoding, prompt, output, chunk, prefillStep) : 0;
  for (let index = 0; index < resourceCount; index++) {
    clocks.tpot[index] = (1 - share) * (decodeStep[index] ?? 0) + share * (prefillStep[index] ?? 0);
  }
  const beside = wave.decodingDuringPrefill / stages;
  const overlap = pipelined(compiled, prefillPasses(compiled, wave.bunch * (prompt - cached)));
  addMixedSeconds(table, beside, prompt, output, chunk, clocks.ttft, wave.prefillSteps * overlap);
  return { decode, prefill, share };
}

/** A step is prefill or decode, prefill first: decoding requests stand still for every prefill of the others. */
function prefillFirstClocks(
  compiled: CompiledDeployment,
  wave: Wave,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
): StepTimes {
  const { table, limits, deployment } = compiled;
  const stages = decodeStages(deployment);
  const overlap = pipelined(compiled, prefillPasses(compiled, wave.bunch * (prompt - cached)));
  // Per decode step, not per step of any kind: prefill steps come on top.
  const bunchesPerToken = (wave.running - wave.bunch) / wave.bunch / Math.max(1, output - 1);
  const decode = addDecodeSeconds(table, microBatch(wave.running, stages), prompt, output, decodeStep);
  const prefill = addPrefillSeconds(table, wave.bunch, prompt, cached, limits.tokenBudget, prefillStep, overlap);
  for (let index = 0; index < resourceCount; index++) {
    clocks.tpot[index] = (decodeStep[index] ?? 0) + bunchesPerToken * (prefillStep[index] ?? 0);
    clocks.ttft[index] = prefillStep[index] ?? 0;
  }
  return { decode, prefill, share: bunchesPerToken / (1 + bunchesPerToken) };
}

/** Steps as a newcomer meets them, seconds; `share` of them have other requests' prefill in them. */
interface StepTimes {
  readonly decode: number;
  readonly prefill: number;
  readonly share: number;
}

/**
 * What a request waits before its own prefill: the rest of the step under way, half of the root mean square of the
 * steps (longer ones are met more often); one step more where the next is already scheduled; and prompts ahead of it as
 * in an M/D/1 queue served once a step, or the backlog once prefill cannot keep up. Each is a sum of decode and prefill
 * steps; their parts by resource go to `waitedFor`, so that shares stay elasticities.
 */
function addWait({ decode, prefill, share }: StepTimes, wave: Wave, schedulesAhead: boolean): number {
  const rootMeanSquare = Math.sqrt((1 - share) * decode * decode + share * prefill * prefill);
  const ahead = schedulesAhead ? 1 : 0;
  const load = Math.min(mostLoad, share);
  const chance = (load * wave.prefillSteps) / (2 * (1 - load));
  const backlogged = wave.backlog * ((1 - share) * decode + share * prefill) > wave.busy * chance * prefill;
  const queue = backlogged ? wave.backlog : 0;
  const decodeSteps =
    wave.busy * (1 - share) * (rootMeanSquare === 0 ? 0 : decode / (2 * rootMeanSquare) + ahead) + queue * (1 - share);
  const prefillSteps =
    wave.busy *
      (share * (rootMeanSquare === 0 ? 0 : prefill / (2 * rootMeanSquare) + ahead) + (backlogged ? 0 : chance)) +
    queue * share;
  for (let index = 0; index < resourceCount; index++) {
    waitedFor[index] = decodeSteps * (decodeStep[index] ?? 0) + prefillSteps * (prefillStep[index] ?? 0);
  }
  return decodeSteps * decode + prefillSteps * prefill;
}

/** A closed loop cannot queue without end; above this load its own limit, the backlog, takes over. */
const mostLoad = 0.9;

/** Requests beyond what runs at once wait for others to finish: (waiting / running) whole residence times (Little's law). */
function addAdmissionWait(clocks: ClockSeconds, output: number): void {
  const turns = clocks.waiting / clocks.running;
  const decodeSteps = Math.max(0, output - 1);
  const wait = turns * (clocks.ttftSeconds + decodeSteps * clocks.tpotSeconds);
  for (let index = 0; index < resourceCount; index++) {
    const residence = (clocks.ttftRates[index] ?? 0) + decodeSteps * (clocks.tpotRates[index] ?? 0);
    clocks.ttftRates[index] = (clocks.ttftRates[index] ?? 0) + turns * residence;
  }
  clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + wait;
  clocks.ttftSeconds += wait;
}
