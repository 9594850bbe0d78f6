import { type BenchmarkRun, known, newRun, type RunClock, type RunLoad } from '../exchange/benchmark/benchmark-run.ts';
import { type Distribution, scaled } from '../exchange/benchmark/distribution.ts';
import { distributionFrom } from '../exchange/benchmark/flat-clocks.ts';
import type { Measurement } from './measurement.ts';

/** Rows of a measurement file that tell of one run, as that run: clocks with their percentiles, and throughput. */
export function runsOfMeasurements(rows: readonly Measurement[], where: string): readonly BenchmarkRun[] {
  const runs = new Map<string, Measurement[]>();
  for (const row of rows) {
    const { line: _line, rowRef: _place, metric: _metric, value: _value, ...conditions } = row;
    const key = JSON.stringify(conditions);
    const together = runs.get(key) ?? [];
    // A metric that comes again is another run under the same conditions.
    const again = together.some(({ metric }) => metric === row.metric);
    runs.set(again ? `${key}#${row.line}` : key, again ? [row] : [...together, row]);
  }
  return [...runs.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [runOf(first, [first, ...others], where)],
  );
}

const clockNames: Readonly<Record<string, RunClock>> = {
  ttft: 'ttft',
  prefill: 'prefill',
  tpot: 'tpot',
  decode_step: 'tpot',
  itl: 'itl',
  e2e: 'e2e',
};

function runOf(first: Measurement, rows: readonly Measurement[], where: string): BenchmarkRun {
  const stated = new Map<RunClock, { readonly statistic: string; readonly value: number }[]>();
  const rates = new Map<string, number>();
  for (const { metric, value } of rows) {
    const [, name = '', rank] = /^(\w+?)(?:_(p\d+))?_ms$/.exec(metric) ?? [];
    const clock = clockNames[name];
    if (clock === undefined) rates.set(metric, value);
    else stated.set(clock, [...(stated.get(clock) ?? []), { statistic: rank ?? 'mean', value }]);
  }
  const clocks: Partial<Record<RunClock, Distribution>> = {};
  for (const [clock, statistics] of stated) clocks[clock] = scaled(distributionFrom(statistics), 1e-3);
  const perUser = rates.get('decode_tok_s_per_user');
  if (clocks.tpot === undefined && perUser !== undefined) clocks.tpot = exactly(1 / perUser);
  const perDevice = rates.get('output_tok_s_per_gpu');
  const { inputTokens, outputTokens, cachedTokens } = first;
  return newRun({
    tool: 'measurement rows',
    where: `${where} line ${first.line}`,
    kind: first.load === 'static-batch' ? 'kernel' : 'client',
    setting: known({
      engine: first.engine,
      engineVersion: first.engineVersion === '' ? undefined : first.engineVersion,
      model: first.model,
      hardware: first.hardware,
      devices: first.gpus,
      tensor: first.tensor,
      pipeline: first.pipeline,
      expert: first.expert,
      weights: first.weightFormat === '' ? undefined : first.weightFormat,
    }),
    load: loadOf(first),
    tokens: known({
      input: inputTokens === undefined ? undefined : exactly(inputTokens),
      output: outputTokens === undefined ? undefined : exactly(outputTokens),
      cachedTotal: cachedTokens > 0 ? cachedTokens : undefined,
    }),
    clocks,
    throughput: known({
      requestsPerSecond: rates.get('request_s'),
      outputTokensPerSecond:
        rates.get('output_tok_s') ?? (perDevice === undefined ? undefined : perDevice * first.gpus),
      totalTokensPerSecond: rates.get('total_tok_s'),
    }),
  });
}

const exactly = (mean: number): Distribution => ({ mean, percentiles: [] });

function loadOf({ load, batch, rate }: Measurement): RunLoad {
  switch (load) {
    case 'single':
      return { kind: 'concurrency', size: 1 };
    case 'static-batch':
      return batch === undefined ? { kind: 'unknown' } : { kind: 'batch', size: batch };
    case 'closed-loop':
      return batch === undefined ? { kind: 'unknown' } : { kind: 'concurrency', size: batch };
    case 'open-loop':
      return rate === undefined || rate === 0 ? { kind: 'unknown' } : { kind: 'rate', requestsPerSecond: rate };
    case 'offline':
      return { kind: 'all-at-once', ...(batch === undefined ? {} : { requests: batch }) };
  }
}
