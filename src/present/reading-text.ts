import { digits } from '../measured/doctor-words.ts';
import type { Reading } from '../measured/reading.ts';
import { clockTime } from './clock-time.ts';

/** What was read of a run on one line: load, lengths, clocks and rates. */
export function readingText({ load, input, output, clocks, ...rates }: Reading): string {
  return [
    ...loadWords(load),
    ...(input === undefined ? [] : [`${digits(input)} tokens in`]),
    ...(output === undefined ? [] : [`${digits(output)} out`]),
    ...clocks.map((clock) => `${clock.name} ${clockFigures(clock)}`),
    ...(rates.requestsPerSecond === undefined ? [] : [`${digits(rates.requestsPerSecond)} requests/s`]),
    ...(rates.outputTokensPerSecond === undefined ? [] : [`${digits(rates.outputTokensPerSecond)} output tokens/s`]),
  ].join(', ');
}

/** '182 ms (p99 312 ms)'; the median where there is no mean. */
function clockFigures({ mean, median, tail }: Reading['clocks'][number]): string {
  const middle =
    mean === undefined ? (median === undefined ? 'without mean' : `p50 ${clockTime(median)}`) : clockTime(mean);
  return tail === undefined ? middle : `${middle} (p99 ${clockTime(tail)})`;
}

function loadWords(load: Reading['load']): readonly string[] {
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
