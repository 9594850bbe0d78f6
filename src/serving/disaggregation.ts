import { addPrefillSeconds, prefillSteps } from '../phase/prefill.ts';
import type { Disaggregation } from '../profile/scenario.ts';
import type { Load } from '../profile/workload.ts';
import { resourceCount, resourceIndex } from '../roofline/resource.ts';
import {
  type AnswerPool,
  answerPool,
  answerStep,
  chanceNoneIdle,
  othersOf,
  stepsBefore,
  waitForPlace,
} from './answer-pool.ts';
import { clearClockSeconds, type ClockSeconds, sum } from './clock-seconds.ts';
import type { CompiledDeployment } from './compiled.ts';
import type { Stability } from './open-loop.ts';
import { type PromptPool, promptPool, promptWait } from './prompt-pool.ts';
import { chanceAllBusy } from './queueing.ts';
import { pipelined } from './static-batch.ts';
import { ownPrefill } from './steady-demand.ts';
import { exposedOf, exposedTransfer, transferOf } from './transfer.ts';

/** Halvings of the interval of sequences that decode; 40 leave it below 1e-9 of the start. */
const bisections = 40;

/** Above this share of the largest rate, waiting is dominated by chance, and a mean says little. */
const nearSaturation = 0.9;

/** Where more arrive than leave, the clocks are those of this share of the largest rate. */
const justStable = 0.99;

const formula =
  "prompts: Sakasegawa's chance that all engines are busy, rest of the step under way E[T^2] / 2 E[T], beyond a step M/D/m (Crommelin); KV one after another over the slower side, M/D/c; answers by the number that Little's law gives: Poisson arrivals, equal lengths, a router that sends each to the engine with least to do";

const { queue: queueAt, overhead: overheadAt } = resourceIndex;

/** Prefill of one request, and a decode step, by resource. */
const prefill = new Float64Array(resourceCount);
const decode = new Float64Array(resourceCount);

/** Both pools, and the way between them. */
interface Pools {
  readonly prompts: PromptPool;
  readonly answers: AnswerPool;
  /** Seconds of a prompt's KV on the way, and the resource that they are spent on. */
  readonly transfer: { readonly seconds: number; readonly at: number };
  readonly requestSeconds: number;
  /** Requests/s that prompts and the way between the pools let through. */
  readonly largestBefore: number;
}

/** What a request goes through up to its first token, seconds. */
interface Way {
  readonly prefill: number;
  readonly exposed: number;
  /** For a prompt's first step, for the way to be free, for a step of an engine that decodes. */
  readonly forPrompt: number;
  readonly forLink: number;
  readonly forStep: number;
  /** First step of an engine that decodes the last token of the prompt anew. */
  readonly last: number;
}

/**
 * Prefill and decode on engines of their own (docs/model.md#pools). The first token reaches the client from the engine
 * that decodes, as all engines have it: after a wait for a step of an engine that computes prompts, its prefill, the KV
 * cache's way and a wait for the next decode step. Decode never shares a step with anybody's prefill.
 *
 * With a fixed number N in flight a newcomer meets the other N - 1 only (Schweitzer's approximation). The number that
 * decodes follows from Little's law by bisection.
 */
export function disaggregatedClocks(
  compiled: CompiledDeployment,
  { prefill: prefillGroups, decode: decodeGroups, link }: Disaggregation,
  load: Load,
  prompt: number,
  cached: number,
  steps: number,
  clocks: ClockSeconds,
): Stability | undefined {
  const prompts = promptPool(compiled, prefillGroups, prompt, cached);
  const answers = answerPool(compiled, decodeGroups, prompt, steps);
  const transfer = transferOf(compiled, link, prompt);
  const ways = Math.min(prefillGroups, decodeGroups);
  const largestBefore = Math.min(prompts.largestRate, transfer.seconds > 0 ? ways / transfer.seconds : Infinity);
  const pools = { prompts, answers, transfer, requestSeconds: compiled.requestSeconds, largestBefore };
  clearClockSeconds(clocks);
  switch (load.kind) {
    case 'batch':
      fillBatch(pools, load.size, prompt, cached, clocks);
      return undefined;
    case 'concurrency':
      fillClosed(pools, load.size, clocks);
      return undefined;
    case 'rate':
      return fillOpen(pools, load.requestsPerSecond, clocks);
  }
}

/** Requests/s at which `running` sequences decode on each engine; `met` as in `answerStep`. */
function rateAt({ answers }: Pools, running: number, met: number): number {
  decode.fill(0);
  const { engines, steps } = answers;
  return steps === 0 ? Infinity : (running * engines) / (steps * answerStep(answers, running, met, decode));
}

/** The way of a request where others come at `rate` and `running` decode on each engine; fills `prefill` and `decode`. */
function wayAt(pools: Pools, rate: number, running: number, met: number): Way {
  const { prompts, answers, transfer } = pools;
  const { demand, steps, engines } = prompts;
  const seen = promptWait(prompts, rate * met);
  prefill.fill(0);
  const own = ownPrefill(demand, steps, Number.isFinite(seen.wait) ? seen.others : 0, 0, prefill);
  const exposed = exposedOf(demand.rules, transfer.seconds, own, steps.chunks, demand.fresh);
  decode.fill(0);
  const step = answerStep(answers, running, met, decode);
  const ways = Math.min(engines, answers.engines);
  const carried = (rate * met * transfer.seconds) / ways;
  const alone = carried < 1 ? (chanceAllBusy(carried, ways) * transfer.seconds) / (2 * ways * (1 - carried)) : Infinity;
  // Prompts that leave one engine one after another have waited already (servers in tandem, equal times); prompts that
  // leave several for fewer meet again, and those of one step follow each other.
  const again = Math.max(alone - seen.wait, (1 - ways / engines) * alone, 0);
  return {
    prefill: own,
    exposed,
    forPrompt: seen.wait,
    forLink: (seen.wait === Infinity ? 0 : again) + (seen.others * transfer.seconds) / 2,
    forStep: chanceNoneIdle(answers, running * met) * stepsBefore(answers) * step,
    last: answers.rules.beginsWithLast ? step : 0,
  };
}

/** Seconds from a request's coming to its place on an engine that decodes. */
const secondsBefore = ({ prefill: own, exposed, forPrompt, forLink, forStep }: Way): number =>
  own + exposed + forPrompt + forLink + forStep;

function fillOpen(pools: Pools, asked: number, clocks: ClockSeconds): Stability {
  const { answers, largestBefore } = pools;
  const ofPlaces = rateAt(pools, answers.limit, 1);
  const largestRate = Math.min(largestBefore, ofPlaces);
  const rate = Math.min(asked, justStable * largestRate);
  const running = largestWhere((each) => rateAt(pools, each, 1) < rate, answers.steps === 0 ? 0 : answers.limit);
  fill(pools, wayAt(pools, rate, running, 1), clocks);
  clocks.running = inGroups(pools, rate * residenceOf(pools, clocks));
  clocks.decoding = 1 + othersOf(answers, running, 1);
  clocks.together = Math.max(1, running);
  const wait = waitForPlace(answers, running, rate, ofPlaces);
  addAdmissionWait(clocks, answers, wait / residenceOf(pools, clocks));
  clocks.waiting = inGroups(pools, rate * wait);
  const share = asked / largestRate;
  return {
    verdict: share >= 1 ? 'unstable' : share > nearSaturation ? 'near saturation' : 'stable',
    largestRate,
    formula,
  };
}

function fillClosed(pools: Pools, inFlight: number, clocks: ClockSeconds): void {
  const { answers, largestBefore, requestSeconds } = pools;
  const met = Math.max(0, inFlight - 1) / inFlight;
  const decodes = answers.steps > 0;
  // Where nobody decodes, the rate itself is looked for.
  const rateOf = (sought: number): number => (decodes ? rateAt(pools, sought, met) : sought);
  const runningOf = (sought: number): number => (decodes ? sought : 0);
  /** Requests that so many decoding ones, or such a rate, account for. */
  const inside = (sought: number): number => {
    const rate = rateOf(sought);
    const before = secondsBefore(wayAt(pools, rate, runningOf(sought), met)) + requestSeconds;
    return rate * before + runningOf(sought) * answers.engines;
  };
  const isBelow = (sought: number): boolean => rateOf(sought) < largestBefore && inside(sought) < inFlight;
  const found = largestWhere(isBelow, decodes ? answers.limit : largestBefore);
  const rate = rateOf(found);
  // The rest waits: for a place to decode where all are taken, else for a step of those that compute prompts.
  const rest = Math.max(0, inFlight - inside(found));
  const areFull = isBelow(found);
  const way = wayAt(pools, rate, runningOf(found), met);
  fill(pools, areFull ? way : { ...way, forPrompt: way.forPrompt + rest / rate }, clocks);
  clocks.running = inGroups(pools, inFlight - (areFull ? rest : 0));
  clocks.decoding = 1 + othersOf(answers, runningOf(found), met);
  clocks.together = Math.max(1, runningOf(found));
  clocks.waiting = inGroups(pools, areFull ? rest : 0);
  if (areFull) addAdmissionWait(clocks, answers, rest / (inFlight - rest));
}

/** All start together: each engine computes its share of the prompts, whose KV follows them, and then all decode. */
function fillBatch(pools: Pools, size: number, prompt: number, cached: number, clocks: ClockSeconds): void {
  const { prompts, answers, transfer } = pools;
  const { compiled } = answers;
  const { tokenBudget } = compiled.limits;
  const together = Math.max(1, size / prompts.engines);
  const chunks = prefillSteps(together * (prompt - cached), tokenBudget);
  prefill.fill(0);
  const own = addPrefillSeconds(
    compiled.table,
    together,
    prompt,
    cached,
    tokenBudget,
    prefill,
    pipelined(compiled, chunks),
  );
  const running = Math.max(1, size / answers.engines);
  decode.fill(0);
  const step = answerStep(answers, running, 1, decode);
  const sent = Math.max(together, running) * transfer.seconds;
  const last = answers.rules.beginsWithLast ? step : 0;
  fill(pools, { ...nobodyElse, prefill: own, exposed: exposedTransfer(sent, own, chunks, 1 / chunks), last }, clocks);
  clocks.running = inGroups(pools, running * answers.engines);
  clocks.decoding = running;
  clocks.together = running;
}

const nobodyElse = { forPrompt: 0, forLink: 0, forStep: 0 } as const;

const inGroups = ({ answers }: Pools, requests: number): number => requests / answers.compiled.groups;

/** Seconds that a request is in one of the pools or between them. */
const residenceOf = ({ answers }: Pools, { ttftSeconds, tpotSeconds }: ClockSeconds): number =>
  ttftSeconds + answers.decodeSteps * tpotSeconds;

/** Writes the clocks of a way, whose prefill and step are in `prefill` and `decode`. */
function fill({ transfer, requestSeconds }: Pools, way: Way, clocks: ClockSeconds): void {
  clearClockSeconds(clocks);
  const step = sum(decode);
  for (let index = 0; index < resourceCount; index++) {
    const ofPrompt = prefill[index] ?? 0;
    const ofStep = decode[index] ?? 0;
    clocks.ttft[index] = ofPrompt + (way.last / step) * ofStep;
    clocks.ttftRates[index] =
      ofPrompt * (1 + finite(way.forPrompt) / way.prefill) + ((way.last + way.forStep) / step) * ofStep;
    clocks.tpot[index] = ofStep;
    clocks.tpotRates[index] = ofStep;
  }
  for (const parts of [clocks.ttft, clocks.ttftRates]) {
    parts[overheadAt] = (parts[overheadAt] ?? 0) + requestSeconds;
    parts[transfer.at] = (parts[transfer.at] ?? 0) + way.exposed;
  }
  clocks.ttftRates[transfer.at] = (clocks.ttftRates[transfer.at] ?? 0) + finite(way.forLink);
  clocks.ttft[queueAt] = finite(way.forPrompt) + finite(way.forLink) + way.forStep;
  clocks.ttftSeconds = sum(clocks.ttft);
  clocks.tpotSeconds = sum(clocks.tpot);
}

const finite = (seconds: number): number => (Number.isFinite(seconds) ? seconds : 0);

/** The largest number of sequences for which there is still more to place; between 0 and `most`. */
function largestWhere(isBelow: (running: number) => boolean, most: number): number {
  if (isBelow(most)) return most;
  let low = 0;
  let high = most;
  for (let round = 0; round < bisections; round++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Requests that find no place wait for others to finish: so many whole residence times. */
function addAdmissionWait(clocks: ClockSeconds, { decodeSteps }: AnswerPool, turns: number): void {
  const wait = turns * (clocks.ttftSeconds + decodeSteps * clocks.tpotSeconds);
  for (let index = 0; index < resourceCount; index++) {
    const residence = (clocks.ttftRates[index] ?? 0) + decodeSteps * (clocks.tpotRates[index] ?? 0);
    clocks.ttftRates[index] = (clocks.ttftRates[index] ?? 0) + turns * residence;
  }
  clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + wait;
  clocks.ttftSeconds += wait;
}
