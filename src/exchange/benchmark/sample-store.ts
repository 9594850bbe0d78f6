import type { RunSample } from './benchmark-run.ts';

/** Samples that a log keeps at most; beyond, every second one is dropped and from then on only every second kept. */
const mostSamples = 20_000;

/** Keeps an even choice of any number of samples in bounded memory. */
export interface SampleStore {
  readonly add: (sample: RunSample) => void;
  readonly kept: () => readonly RunSample[];
  readonly seen: () => number;
}

export function sampleStore(): SampleStore {
  let samples: RunSample[] = [];
  let every = 1;
  let seen = 0;
  return {
    add(sample) {
      if (seen % every === 0) samples.push(sample);
      seen += 1;
      if (samples.length >= mostSamples) {
        samples = samples.filter((_, index) => index % 2 === 0);
        every *= 2;
      }
    },
    kept: () => samples,
    seen: () => seen,
  };
}

/** Mean over samples of what they state. */
export function meanOfSamples(
  samples: readonly RunSample[],
  of: (sample: RunSample) => number | undefined,
): number | undefined {
  let sum = 0;
  let count = 0;
  for (const sample of samples) {
    const value = of(sample);
    if (value === undefined) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? undefined : sum / count;
}

/** Seconds of a time stamp such as 'INFO 08-01 10:15:30' or '[2026-08-01 10:15:30', counted from 1 January. */
export function logSeconds(line: string): number | undefined {
  const match = /(?:(\d{4})-)?(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,6}))?/.exec(line.slice(0, 200));
  if (match === null) return undefined;
  const [, year, month, day, hours, minutes, seconds, fraction] = match;
  const stamp = Date.UTC(
    Number(year ?? 2000),
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  );
  return Number.isNaN(stamp) ? undefined : stamp / 1000 + Number(`0.${fraction ?? 0}`);
}
