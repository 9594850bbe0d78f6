import { addDecodeSeconds } from '../phase/decode.ts';
import { addPrefillSeconds, prefillSteps } from '../phase/prefill.ts';
import type { Disaggregation } from '../profile/scenario.ts';
import type { Load } from '../profile/workload.ts';
import { efficiencyFor } from '../roofline/efficiency-table.ts';
import { linkBetween, networkRate, networkShare } from '../roofline/link.ts';
import { sequenceBytes } from '../roofline/memory.ts';
import { hostCopyShare } from '../roofline/offload.ts';
import { type Resource, resourceCount, resourceIndex } from '../roofline/resource.ts';
import { clearClockSeconds, type ClockSeconds, sum } from './clock-seconds.ts';
import type { CompiledDeployment } from './compiled.ts';
import type { Stability } from './open-loop.ts';
import { mostDecoding } from './pool-capacity.ts';
import { microBatch, pipelined } from './static-batch.ts';

/** Halvings of the interval of sequences that decode; 40 leave it below 1e-9 of the start. */
const bisections = 40;

/** Above this share of the largest rate, waiting is dominated by chance, and a mean says little. */
const nearSaturation = 0.9;

/** Where more arrive than leave, the clocks are those of this share of the largest rate. */
const justStable = 0.99;

const formula =
  "Pollaczek-Khinchine (M/D/1) for a place on a prefill group: Poisson arrivals on each group, equal prompts, first come first served; decode by the number that Little's law gives";

const { queue: queueAt, overhead: overheadAt } = resourceIndex;

/** Prefill of one request (or a batch's share) on a prefill group, and a decode step on a decode group, by resource. */
const prefill = new Float64Array(resourceCount);
const decode = new Float64Array(resourceCount);

/**
 * Prefill and decode on groups of their own. The first token waits for a place on a prefill group, its prefill, and the
 * KV cache's way to a decode group; decode never shares a step with anybody's prefill.
 *
 * Waiting is that of random arrivals at servers with a constant service time, rho s / (2 (1 - rho))
 * (Pollaczek-Khinchine, no variance); with a fixed number N in flight a newcomer meets the other N - 1 only (Schweitzer's
 * approximation). The number that decodes follows from Little's law by bisection.
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
  const { table, limits, requestSeconds, groups } = compiled;
  const stages = compiled.deployment.parallelism.pipeline;
  const together = load.kind === 'batch' ? Math.max(1, load.size / prefillGroups) : 1;
  const chunks = prefillSteps(together * (prompt - cached), limits.tokenBudget);
  prefill.fill(0);
  const service = addPrefillSeconds(
    table,
    together,
    prompt,
    cached,
    limits.tokenBudget,
    prefill,
    pipelined(compiled, chunks),
  );
  const transfer = transferOf(compiled, link, prompt);
  const exposed = exposedTransfer(transfer.seconds, service, chunks);
  const unhindered = service + exposed + requestSeconds;
  const decodeSteps = Math.max(0, steps - 1);
  const stepSeconds = (running: number): number => {
    decode.fill(0);
    // Whoever decodes sees at least itself in the step.
    return addDecodeSeconds(table, microBatch(Math.max(1, running), stages), prompt, steps, decode);
  };
  const most = mostDecoding(compiled, prompt, steps);

  if (load.kind === 'batch') {
    const running = Math.max(1, load.size / decodeGroups);
    stepSeconds(running);
    fill(clocks, 0);
    clocks.together = running;
    clocks.running = (running * decodeGroups) / groups;
    clocks.decoding = clocks.running;
    return undefined;
  }

  /** Requests/s at which `running` sequences decode on each decode group. */
  const rateAt = (running: number): number =>
    decodeSteps === 0 ? Infinity : (running * decodeGroups) / (decodeSteps * stepSeconds(running));
  const largestRate = Math.min(prefillGroups / service, rateAt(most));
  const inFlight = load.kind === 'concurrency' ? load.size : Infinity;
  const waitAt = (rate: number): number => {
    const busy = ((rate * service) / prefillGroups) * (inFlight === Infinity ? 1 : (inFlight - 1) / inFlight);
    return busy < 1 ? (busy * service) / (2 * (1 - busy)) : Infinity;
  };
  /** Of the rate that comes in, or of the number in flight, is there more than `running` accounts for? */
  const isBelow = (running: number): boolean => {
    const rate = rateAt(running);
    if (load.kind === 'rate') return rate < Math.min(load.requestsPerSecond, justStable * largestRate);
    return rate * (unhindered + waitAt(rate)) + running * decodeGroups < inFlight;
  };
  const running = largestWhere(isBelow, most);
  stepSeconds(running);
  const rate = load.kind === 'rate' ? Math.min(load.requestsPerSecond, justStable * largestRate) : rateAt(running);
  const filled = running * decodeGroups + Math.min(rate, largestRate) * (unhindered + finite(waitAt(rate)));
  fill(clocks, finite(waitAt(rate)));
  clocks.together = Math.max(1, running);
  clocks.running = Math.min(filled, inFlight) / groups;
  clocks.decoding = clocks.running;
  clocks.waiting = inFlight === Infinity ? 0 : Math.max(0, inFlight - filled) / groups;
  if (clocks.waiting * groups > 0.5) addAdmissionWait(clocks, decodeSteps);
  if (load.kind !== 'rate') return undefined;
  const share = load.requestsPerSecond / largestRate;
  return {
    verdict: share >= 1 ? 'unstable' : share > nearSaturation ? 'near saturation' : 'stable',
    largestRate,
    formula,
  };

  function fill(into: ClockSeconds, wait: number): void {
    clearClockSeconds(into);
    const perSecond = wait / service;
    for (let index = 0; index < resourceCount; index++) {
      const part = prefill[index] ?? 0;
      into.ttft[index] = part;
      into.ttftRates[index] = part * (1 + perSecond);
      into.tpot[index] = decode[index] ?? 0;
      into.tpotRates[index] = decode[index] ?? 0;
    }
    for (const parts of [into.ttft, into.ttftRates]) {
      parts[overheadAt] = (parts[overheadAt] ?? 0) + requestSeconds;
      parts[transfer.at] = (parts[transfer.at] ?? 0) + exposed;
    }
    into.ttft[queueAt] = wait;
    into.ttftSeconds = sum(into.ttft);
    into.tpotSeconds = sum(into.tpot);
    into.waiting = 0;
  }
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

/** Requests beyond what the groups hold wait for others to finish: Little's law over the whole. */
function addAdmissionWait(clocks: ClockSeconds, decodeSteps: number): void {
  const turns = clocks.waiting / clocks.running;
  const wait = turns * (clocks.ttftSeconds + decodeSteps * clocks.tpotSeconds);
  for (let index = 0; index < resourceCount; index++) {
    const residence = (clocks.ttftRates[index] ?? 0) + decodeSteps * (clocks.tpotRates[index] ?? 0);
    clocks.ttftRates[index] = (clocks.ttftRates[index] ?? 0) + turns * residence;
  }
  clocks.ttft[queueAt] = (clocks.ttft[queueAt] ?? 0) + wait;
  clocks.ttftSeconds += wait;
}

/**
 * What of a transfer is left once the prefill is over: each chunk's KV leaves while the next one is computed, so that
 * the last one's does not hide, nor what the link cannot take meanwhile.
 */
export const exposedTransfer = (seconds: number, service: number, chunks: number): number =>
  Math.max(seconds / chunks, seconds - (service * (chunks - 1)) / chunks);

/** Seconds that the KV cache of a prompt needs from device to device, each rank sending its own part. */
export function transferOf(
  { deployment, memory }: CompiledDeployment,
  link: Disaggregation['link'],
  prompt: number,
): { readonly seconds: number; readonly at: number } {
  const bytes = sequenceBytes(memory.keyValue, prompt);
  const { hardware, engine } = deployment;
  const over = (rate: number, resource: Resource): { readonly seconds: number; readonly at: number } => ({
    seconds: bytes / rate,
    at: resourceIndex[resource],
  });
  if (typeof link === 'object') return over(link.bandwidth * networkShare, 'network');
  const { collective } = efficiencyFor(hardware.architecture, engine.kernels);
  switch (link) {
    case 'own': {
      const own = linkBetween(hardware, 2, collective);
      return over(own.bandwidth * own.share, 'link-bandwidth');
    }
    case 'host':
      return over(hardware.host.bandwidth * hostCopyShare, 'link-bandwidth');
    case 'network':
      return over(networkRate(hardware), 'network');
  }
}
