import type { BenchmarkRun, RunLoad } from '../exchange/benchmark/benchmark-run.ts';
import { type Distribution, percentileOf } from '../exchange/benchmark/distribution.ts';
import { digits } from '../measured/doctor-words.ts';
import { clockTime } from './clock-time.ts';

const clockWords = [
  ['TTFT', 'ttft'],
  ['TPOT', 'tpot'],
  ['ITL', 'itl'],
  ['E2E', 'e2e'],
  ['prefill', 'prefill'],
] as const;

/** What was read of a run, in our units and definitions: load, lengths, clocks and rates on one line. */
export function readingText({ load, tokens, clocks, throughput, requests }: BenchmarkRun): string {
  const completed = requests.completed ?? 0;
  const perRequest = (total: number | undefined): number | undefined =>
    total === undefined || completed === 0 ? undefined : total / completed;
  const [input, output] = [
    typical(tokens.input) ?? perRequest(tokens.inputTotal),
    typical(tokens.output) ?? perRequest(tokens.outputTotal),
  ];
  return [
    ...loadWords(load),
    ...(input === undefined ? [] : [`${digits(input)} tokens in`]),
    ...(output === undefined ? [] : [`${digits(output)} out`]),
    ...clockWords.flatMap(([word, clock]) => {
      const distribution = clocks[clock];
      return distribution === undefined ? [] : [`${word} ${clockFigures(distribution)}`];
    }),
    ...(throughput.requestsPerSecond === undefined ? [] : [`${digits(throughput.requestsPerSecond)} requests/s`]),
    ...(throughput.outputTokensPerSecond === undefined
      ? []
      : [`${digits(throughput.outputTokensPerSecond)} output tokens/s`]),
  ].join(', ');
}

const typical = (distribution: Distribution | undefined): number | undefined =>
  distribution?.mean ?? percentileOf(distribution, 50);

/** '182 ms (p99 312 ms)'; the median where there is no mean. */
function clockFigures(distribution: Distribution): string {
  const { mean } = distribution;
  const [median, tail] = [percentileOf(distribution, 50), percentileOf(distribution, 99)];
  const middle =
    mean === undefined ? (median === undefined ? 'without mean' : `p50 ${clockTime(median)}`) : clockTime(mean);
  return tail === undefined ? middle : `${middle} (p99 ${clockTime(tail)})`;
}

function loadWords(load: RunLoad): readonly string[] {
  switch (load.kind) {
    case 'batch':
      return [`batch ${digits(load.size)}`];
    case 'concurrency':
      return [`${digits(load.size)} in flight`];
    case 'rate':
      return [`${digits(load.requestsPerSecond)} requests/s sent`];
    case 'all-at-once':
      return ['all at once'];
    case 'unknown':
      return [];
  }
}
