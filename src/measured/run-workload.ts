import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';
import { meanOf } from '../exchange/benchmark/distribution.ts';
import type { Workload } from '../profile/workload.ts';

/** Output tokens of a request in the mean, from the distribution or the totals. */
export function outputTokens({ tokens, requests }: BenchmarkRun): number | undefined {
  return meanOf(tokens.output) ?? ratio(tokens.outputTotal, requests.completed);
}

/** Prompt tokens of a request in the mean. */
export function inputTokens({ tokens, requests }: BenchmarkRun): number | undefined {
  return meanOf(tokens.input) ?? ratio(tokens.inputTotal, requests.completed);
}

/** Prompt tokens that a prefix cache served, per request; 0 where the file says nothing. */
function cachedTokens(run: BenchmarkRun): number {
  const { tokens, requests, observed } = run;
  if (run.kind === 'kernel') return tokens.cachedTotal ?? 0;
  const counted = ratio(tokens.cachedTotal, requests.completed);
  if (counted !== undefined) return counted;
  return (observed.prefixHitShare ?? 0) * (inputTokens(run) ?? 0);
}

const ratio = (whole: number | undefined, parts: number | undefined): number | undefined =>
  whole === undefined || parts === undefined || parts === 0 ? undefined : whole / parts;

/** Requests per second that were finished, stated or from counts. */
export const requestsPerSecond = ({ throughput, requests, seconds }: BenchmarkRun): number | undefined =>
  throughput.requestsPerSecond ?? ratio(requests.completed, seconds);

/** Requests in flight in the mean: as the client counted, as the server says, or rate x E2E (Little's law). */
export function inFlight(run: BenchmarkRun): number | undefined {
  const { observed, clocks } = run;
  if (observed.concurrency !== undefined) return observed.concurrency;
  if (observed.running !== undefined) return observed.running + (observed.waiting ?? 0);
  const rate = requestsPerSecond(run);
  const residence = meanOf(clocks.e2e);
  return rate === undefined || residence === undefined ? undefined : rate * residence;
}

/**
 * What the engine would be asked to reproduce the run, or why it cannot be asked. A server that merely watches is
 * taken at the number of requests that it ran at once.
 */
export function runWorkload(
  run: BenchmarkRun,
  assumed: { readonly prompt?: number; readonly output?: number } = {},
): Workload | string {
  const input = inputTokens(run) ?? assumed.prompt;
  const output = outputTokens(run) ?? assumed.output;
  if (input === undefined) return 'the file does not say how long prompts were';
  if (output === undefined) return 'the file does not say how many tokens were generated';
  const prompt = Math.max(1, Math.round(input));
  const cached = Math.min(prompt - 1, Math.round(cachedTokens(run)));
  const load = loadOf(run);
  return typeof load === 'string' ? load : { prompt, output: Math.max(1, Math.round(output)), cached, load };
}

function loadOf(run: BenchmarkRun): Workload['load'] | string {
  const { load } = run;
  switch (load.kind) {
    case 'batch':
    case 'concurrency':
      return { kind: load.kind, size: Math.max(1, Math.round(load.size)) };
    case 'rate':
      return { kind: 'rate', requestsPerSecond: load.requestsPerSecond };
    case 'all-at-once': {
      const size = load.requests ?? run.requests.completed;
      return size === undefined ? 'the file does not say how many requests there were' : { kind: 'concurrency', size };
    }
    case 'unknown': {
      const size = inFlight(run);
      return size === undefined
        ? 'the file does not say how many requests were in flight'
        : { kind: 'concurrency', size: Math.max(1, Math.round(size)) };
    }
  }
}
