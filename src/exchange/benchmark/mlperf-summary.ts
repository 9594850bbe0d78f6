import { type BenchmarkRun, known, newRun, type RunClock, type RunLoad } from './benchmark-run.ts';
import { type Distribution, scaled } from './distribution.ts';
import { distributionFrom } from './flat-clocks.ts';
import { plainNumber } from './foreign-record.ts';
import { BenchmarkError, harmless, noRuns, wrongValue } from './messages.ts';

/* mlperf_log_summary.txt of MLPerf LoadGen: 'key : value' lines, latencies in ns. */

export const isMlperfSummary = (head: string): boolean => /^MLPerf Results Summary\s*$/m.test(head);

const clockNames: readonly (readonly [RegExp, RunClock])[] = [
  [/^(.+?) first token latency \(ns\)$/i, 'ttft'],
  [/^(.+?) time (?:to|per) output token \(ns\)$/i, 'tpot'],
  [/^(.+?) latency \(ns\)$/i, 'e2e'],
];

export function readMlperfSummary(text: string, where: string): readonly BenchmarkRun[] {
  const values = new Map<string, string>();
  const stated = new Map<RunClock, { readonly statistic: string; readonly value: number }[]>();
  for (const [index, line] of text.split('\n').entries()) {
    const [, key, value] = /^\s*([^:]{1,80}?)\s*:\s*(.{1,200}?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    values.set(key.toLowerCase(), value);
    const [name, clock] = clockNames.flatMap(([pattern, each]) => {
      const statistic = pattern.exec(key)?.[1];
      return statistic === undefined ? [] : [[statisticOf(statistic), each] as const];
    })[0] ?? [undefined, 'e2e' as const];
    if (name === undefined) continue;
    stated.set(clock, [
      ...(stated.get(clock) ?? []),
      { statistic: name, value: numberOf(value, `${where} line ${index + 1}`, key) },
    ]);
  }
  if (stated.size === 0 && !values.has('scenario')) {
    throw new BenchmarkError(noRuns(where, 'MLPerf LoadGen', 'a scenario or a latency'));
  }
  const number = (...keys: readonly string[]): number | undefined => {
    const key = keys.find((each) => values.has(each));
    return key === undefined ? undefined : numberOf(values.get(key) ?? '', where, key);
  };
  const clocks: Partial<Record<RunClock, Distribution>> = {};
  for (const [clock, statistics] of stated) {
    const distribution = scaled(distributionFrom(statistics), 1e-9);
    // LoadGen writes zeros where the system under test never reported a first token.
    if (distribution.mean !== 0) clocks[clock] = distribution;
  }
  const result = values.get('result is');
  return [
    newRun({
      tool: 'MLPerf LoadGen',
      where,
      kind: 'client',
      load: loadOf(values.get('scenario') ?? '', number('target_qps')),
      clocks,
      throughput: known({
        requestsPerSecond: number('completed samples per second', 'samples per second'),
        outputTokensPerSecond: number('completed tokens per second', 'tokens per second'),
      }),
      notes: [
        'LoadGen sends samples in the same process or host: there is hardly a network in its latencies.',
        ...(result === undefined || result === 'VALID' ? [] : [`LoadGen calls the run ${harmless(result, 20)}.`]),
      ],
    }),
  ];
}

/** 'Mean', 'Min', 'Max', '99.00 percentile'; undefined for anything else. */
function statisticOf(words: string): string | undefined {
  const name = words.toLowerCase();
  if (name === 'mean' || name === 'min' || name === 'max') return name;
  const rank = /^(\d{1,3}(?:\.\d{1,3})?) percentile$/.exec(name)?.[1];
  return rank === undefined ? undefined : `p${Number(rank)}`;
}

function numberOf(text: string, where: string, path: string): number {
  const value = plainNumber(/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text, where, path);
  if (value === undefined) throw new BenchmarkError(wrongValue(where, path, text, 'a number of at least 0'));
  return value;
}

function loadOf(scenario: string, rate: number | undefined): RunLoad {
  switch (scenario.toLowerCase().replaceAll(' ', '')) {
    case 'server':
    case 'interactive':
      return rate === undefined || rate === 0 ? { kind: 'unknown' } : { kind: 'rate', requestsPerSecond: rate };
    case 'offline':
      return { kind: 'all-at-once' };
    case 'singlestream':
      return { kind: 'concurrency', size: 1 };
    default:
      return { kind: 'unknown' };
  }
}
