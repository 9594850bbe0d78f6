import type { BenchmarkRun, RunClock } from '../exchange/benchmark/benchmark-run.ts';
import { firstTokenOf } from '../exchange/benchmark/server-metrics.ts';
import { runClocks } from '../exchange/benchmark/benchmark-run.ts';
import { type Distribution, fromHistogram, type Histogram } from '../exchange/benchmark/distribution.ts';

/**
 * What happened between two scrapes of a server: histograms less those before, rates of the counters over the time
 * between. Undefined where the server was restarted in between (a counter fell).
 */
export function scrapeWindow(before: BenchmarkRun, after: BenchmarkRun, seconds: number): BenchmarkRun | undefined {
  const clocks: Partial<Record<RunClock, Distribution>> = {};
  for (const clock of runClocks) {
    const now = after.clocks[clock]?.histogram;
    if (now === undefined) continue;
    const then = before.clocks[clock]?.histogram;
    const window = then === undefined ? now : lessHistogram(now, then);
    if (window === undefined) return undefined;
    const distribution = fromHistogram(window);
    if (distribution !== undefined) clocks[clock] = distribution;
  }
  const firstToken = clocks.ttft ?? (after.clocks.ttft === undefined ? undefined : firstTokenOf(clocks));
  if (firstToken !== undefined) clocks.ttft = firstToken;
  const rate = (of: (run: BenchmarkRun) => number | undefined): number | undefined => {
    const [was = 0, now] = [of(before), of(after)];
    return now === undefined ? undefined : (now - was) / seconds;
  };
  const rates = {
    requestsPerSecond: rate(({ requests }) => requests.completed),
    inputTokensPerSecond: rate(({ tokens }) => tokens.inputTotal),
    outputTokensPerSecond: rate(({ tokens }) => tokens.outputTotal),
  };
  if (Object.values(rates).some((value) => value !== undefined && value < 0)) return undefined;
  const completed = (after.requests.completed ?? 0) - (before.requests.completed ?? 0);
  return {
    ...after,
    seconds,
    clocks,
    requests: { completed },
    observed: {
      ...after.observed,
      ...(after.observed.preemptions === undefined
        ? {}
        : { preemptions: Math.max(0, after.observed.preemptions - (before.observed.preemptions ?? 0)) }),
    },
    tokens: {
      ...(after.tokens.inputTotal === undefined
        ? {}
        : { inputTotal: after.tokens.inputTotal - (before.tokens.inputTotal ?? 0) }),
      ...(after.tokens.outputTotal === undefined
        ? {}
        : { outputTotal: after.tokens.outputTotal - (before.tokens.outputTotal ?? 0) }),
    },
    throughput: Object.fromEntries(Object.entries(rates).filter(([, value]) => value !== undefined)),
  };
}

function lessHistogram(now: Histogram, then: Histogram): Histogram | undefined {
  if (now.bounds.length !== then.bounds.length) return undefined;
  const counts = now.counts.map((count, index) => count - (then.counts[index] ?? 0));
  if (counts.some((count) => count < 0)) return undefined;
  return {
    bounds: now.bounds,
    counts,
    ...(now.sum === undefined || then.sum === undefined ? {} : { sum: now.sum - then.sum }),
  };
}
