import type { BenchmarkRun, RunLoad } from '../exchange/benchmark/benchmark-run.ts';
import { type Distribution, percentileOf } from '../exchange/benchmark/distribution.ts';
import { inputTokens, outputTokens } from './run-workload.ts';

/** What was understood of a run, in our units and definitions: enough to see whether it was understood. */
export interface Reading {
  readonly where: string;
  readonly load: RunLoad;
  /** Tokens of a request in the mean. */
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly clocks: readonly ReadClock[];
  readonly requestsPerSecond: number | undefined;
  readonly outputTokensPerSecond: number | undefined;
  /** Conversions, in sentences. */
  readonly notes: readonly string[];
}

/** Seconds; absent where the file does not say. */
interface ReadClock {
  readonly name: string;
  readonly mean: number | undefined;
  readonly median: number | undefined;
  readonly tail: number | undefined;
}

export function readingOf(run: BenchmarkRun): Reading {
  const { ttft, tpot, itl, e2e, prefill } = run.clocks;
  const clock = (name: string, distribution: Distribution | undefined): readonly ReadClock[] =>
    distribution === undefined
      ? []
      : [
          {
            name,
            mean: distribution.mean,
            median: percentileOf(distribution, 50),
            tail: percentileOf(distribution, 99),
          },
        ];
  return {
    where: run.where,
    load: run.load,
    input: inputTokens(run),
    output: outputTokens(run),
    clocks: [
      ...clock('TTFT', ttft),
      ...clock('TPOT', tpot),
      ...clock('ITL', itl),
      ...clock('E2E', e2e),
      ...clock('prefill', prefill),
    ],
    requestsPerSecond: run.throughput.requestsPerSecond,
    outputTokensPerSecond: run.throughput.outputTokensPerSecond,
    notes: run.notes,
  };
}
