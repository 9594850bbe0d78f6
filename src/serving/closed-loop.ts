import { addDecodeSeconds } from '../phase/decode.ts';
import { addMixedSeconds, type PrefillChunk } from '../phase/mixed.ts';
import { addPrefillSeconds } from '../phase/prefill.ts';
import { resourceCount, resourceIndex } from '../roofline/resource.ts';
import { sequencesThatFit } from '../roofline/memory.ts';
import { clearClockSeconds, type ClockSeconds, closeClocks, sum } from './clock-seconds.ts';
import type { CompiledDeployment } from './compiled.ts';
import { tokensOf } from './speculated.ts';
import { microBatch, pipelined, staticBatchClocks } from './static-batch.ts';

const { queue: queueAt, overhead: overheadAt } = resourceIndex;

/** Steps of waiting when a request meets a busy engine: half of the running step, and one more where the next is already scheduled. */
const runningStep = 0.5;

/** Mean seconds of a step that a newcomer waits for, by resource. */
const meanStep = new Float64Array(resourceCount);

/**
 * A fixed number of requests in flight, each followed at once by the next, all of the same lengths: the simplest
 * loaded case in closed form (docs/model.md#closed-loop).
 *
 * A request spends k steps in prefill, o - 1 in decode and w waiting for steps under way, N in all, so with R in
 * flight each step finishes R / N requests and starts as many. Requests whose prompts fit one step's budget together
 * finish together and come back together: they travel in bunches of g (`bunched`; 1 where arrivals are random).
 */
export function closedLoopClocks(
  compiled: CompiledDeployment,
  size: number,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
  bunched = true,
): void {
  const { scheduling } = compiled.deployment.release;
  const inFlight = Math.max(1, size / compiled.groups);
  const running = Math.min(inFlight, runningLimit(compiled, prompt, output));
  if (scheduling.policy === 'static') {
    staticBatchClocks(compiled, running * compiled.groups, prompt, cached, output, clocks);
    meanStep.set(clocks.tpot);
    clocks.decoding = running;
  } else {
    const wave = waveOf(compiled, running, prompt, cached, output, bunched);
    clearClockSeconds(clocks);
    meanStep.fill(0);
    clocks.decoding = scheduling.policy === 'mixed' ? wave.decoding : running;
    if (scheduling.policy === 'mixed') mixedClocks(compiled, wave, prompt, cached, output, clocks);
    else prefillFirstClocks(compiled, wave, prompt, cached, output, clocks);
    const ahead = scheduling.schedulesAhead ? 1 : 0;
    const waited = wave.busy * (runningStep + ahead) + wave.backlog;
    clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + waited * sum(meanStep);
  }
  clocks.ttft[overheadAt] =
    (clocks.ttft[overheadAt] ?? 0) + (scheduling.policy === 'static' ? 0 : compiled.requestSeconds);
  clocks.running = running;
  clocks.waiting = inFlight - running;
  closeClocks(clocks, meanStep);
  if (clocks.waiting > 0) addAdmissionWait(clocks, output);
}

/** Sequences that engine and memory let run at once in one group; at least one, so that a floor can be given. */
export function runningLimit(compiled: CompiledDeployment, prompt: number, output: number): number {
  const { memory, limits, deployment } = compiled;
  // Paged engines hold half of the answer in the mean; others reserve all of it on admission.
  const answer = tokensOf(compiled.table, output);
  const held = prompt + (deployment.release.memory.reservesOutput ? answer : answer / 2);
  // Every stage holds its layers' KV of all micro-batches, so the limit is that of a stage.
  return Math.max(1, Math.min(limits.maxSequences, sequencesThatFit(memory, held)));
}

/** How the requests of a closed loop move, counted in steps. */
interface Wave {
  readonly running: number;
  /** Requests that are prefilled together. */
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

function waveOf(
  compiled: CompiledDeployment,
  running: number,
  prompt: number,
  cached: number,
  output: number,
  bunched: boolean,
): Wave {
  const { limits, deployment } = compiled;
  const fresh = prompt - cached;
  // Without a token budget an engine takes prompts one by one.
  const together = bunched && limits.tokenBudget < Infinity ? Math.floor(limits.tokenBudget / fresh) : 1;
  const bunch = Math.max(1, Math.min(running, together));
  const prefillSteps = Math.max(1, Math.ceil(fresh / limits.tokenBudget));
  const decodeSteps = Math.max(0, output - 1);
  const ahead = deployment.release.scheduling.schedulesAhead ? 1 : 0;
  const others = running - bunch;
  const unhindered = decodeSteps + prefillSteps + (others > 0 ? runningStep + ahead : 0);
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
): void {
  const { table, deployment } = compiled;
  const stages = deployment.parallelism.pipeline;
  const chunk = meanChunk(wave, prompt, cached);
  const decoding = microBatch(wave.decoding, stages);
  const share = wave.prefillShare;
  if (share < 1) addDecodeSeconds(table, decoding, prompt, output, clocks.tpot, 1 - share);
  if (share > 0) addMixedSeconds(table, decoding, prompt, output, chunk, clocks.tpot, share);
  meanStep.set(clocks.tpot);
  const beside = wave.decodingDuringPrefill / stages;
  const overlap = pipelined(compiled, wave.prefillSteps);
  addMixedSeconds(table, beside, prompt, output, chunk, clocks.ttft, wave.prefillSteps * overlap);
}

/** A step is prefill or decode, prefill first: decoding requests stand still for every prefill of the others. */
function prefillFirstClocks(
  compiled: CompiledDeployment,
  wave: Wave,
  prompt: number,
  cached: number,
  output: number,
  clocks: ClockSeconds,
): void {
  const { table, limits, deployment } = compiled;
  const stages = deployment.parallelism.pipeline;
  const overlap = pipelined(compiled, wave.prefillSteps);
  // Per decode step, not per step of any kind: prefill steps come on top.
  const bunchesPerToken = (wave.running - wave.bunch) / wave.bunch / Math.max(1, output - 1);
  addDecodeSeconds(table, microBatch(wave.running, stages), prompt, output, clocks.tpot);
  if (bunchesPerToken > 0) {
    addPrefillSeconds(table, wave.bunch, prompt, cached, limits.tokenBudget, clocks.tpot, bunchesPerToken * overlap);
  }
  meanStep.set(clocks.tpot);
  addPrefillSeconds(table, wave.bunch, prompt, cached, limits.tokenBudget, clocks.ttft, overlap);
}

/**
 * The chunk of a bunch's average prefill step. A prompt cut into k chunks has pairs (to^2 - from^2) / 2 that grow
 * from chunk to chunk; their mean is that of a chunk in the middle.
 */
function meanChunk(wave: Wave, prompt: number, cached: number): PrefillChunk {
  const tokens = (prompt - cached) / wave.prefillSteps;
  const from = cached + (prompt - cached - tokens) / 2;
  return { sequences: wave.bunch, from, to: from + tokens, rows: wave.bunch / wave.prefillSteps };
}

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
