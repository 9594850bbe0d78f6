import type { BenchmarkRun, RequestTiming } from '../../exchange/benchmark/benchmark-run.ts';
import { meanOf, percentileOf, quantile } from '../../exchange/benchmark/distribution.ts';
import { correlation } from '../correlation.ts';
import { digits, percent, time } from '../doctor-words.ts';
import type { Finding } from '../finding.ts';
import { outputTokens } from '../run-workload.ts';

/** Few requests make a poor percentile: p99 of fewer than 100 is the largest value. */
export function sampleSize({ clocks, requests, where, seconds }: BenchmarkRun): readonly Finding[] {
  const findings: Finding[] = [];
  const count = requests.completed ?? clocks.ttft?.count;
  const tail = percentileOf(clocks.ttft, 99) ?? percentileOf(clocks.tpot, 99) ?? percentileOf(clocks.e2e, 99);
  if (count !== undefined && count > 0 && count < 100 && tail !== undefined) {
    findings.push({
      rule: 'sample-size',
      where,
      severity: 'careful',
      certainty: 'certain',
      what: `p99 of ${digits(count)} ${count === 1 ? 'request' : 'requests'}.`,
      effect:
        'With fewer than 100 requests p99 is close to the single slowest one: repeat the run with at least a thousand, or use p90.',
    });
  }
  const stay = meanOf(clocks.e2e);
  if (seconds !== undefined && stay !== undefined && stay > 0 && seconds >= stay * 0.98 && seconds < 5 * stay) {
    findings.push({
      rule: 'sample-size',
      where,
      severity: 'careful',
      certainty: 'certain',
      what: `The run lasted ${time(seconds)}, ${digits(seconds / stay)} times one request.`,
      effect: 'Start and end are a large part of it: throughput is too low, and the load was not yet steady.',
    });
  }
  return findings;
}

/** A run lasts at least as long as its mean request. */
export function duration({ clocks, seconds, where, kind }: BenchmarkRun): readonly Finding[] {
  const stay = meanOf(clocks.e2e);
  if (kind !== 'client' || seconds === undefined || stay === undefined || seconds >= stay * 0.98) return [];
  return [
    {
      rule: 'little',
      where,
      severity: 'broken',
      certainty: 'certain',
      what: `One request takes ${time(stay)} in the mean, but the whole run lasted ${time(seconds)}.`,
      effect: 'Durations and time stamps are in different units or of different runs: believe no rate of this file.',
    },
  ];
}

const mean = (timings: readonly RequestTiming[], of: (timing: RequestTiming) => number | undefined): number => {
  const values = timings.map(of).filter((value): value is number => value !== undefined);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
};

/**
 * Correlation of TTFT with time. A queue that grows without bound follows a line; one that is merely long wanders, and
 * thirds of it differ by half in one run of three (Poisson arrivals at 70 % of capacity): below, nothing is said.
 */
const drifting = 0.75;
const growing = 0.85;

/** Requests in the order of their start: slow first ones (warm-up), and a trend (no steady state). */
export function overTime({ timings, where, load }: BenchmarkRun): readonly Finding[] {
  const told = timings
    .filter(({ start, ttft, failed }) => start !== undefined && ttft !== undefined && failed !== true)
    .toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0));
  if (told.length < 30) return [];
  const ttft = ({ ttft: value }: RequestTiming): number | undefined => value;
  const tenth = Math.max(3, Math.floor(told.length / 10));
  const [start, rest] = [mean(told.slice(0, tenth), ttft), mean(told.slice(tenth), ttft)];
  const third = Math.floor(told.length / 3);
  const [early, late] = [mean(told.slice(tenth, tenth + third), ttft), mean(told.slice(-third), ttft)];
  const trend = correlation(
    told.slice(tenth),
    ({ start: at = 0 }) => at,
    ({ ttft: value = 0 }) => value,
  );
  const usual = told
    .slice(tenth)
    .map(({ ttft: value = 0 }) => value)
    .toSorted((a, b) => a - b);
  const slow = told.slice(0, tenth).filter(({ ttft: value = 0 }) => value > quantile(usual, 0.9)).length;
  const burst = load.kind === 'concurrency' || load.kind === 'all-at-once';
  const findings: Finding[] = [];
  // A few slow ones among the first happen by chance; most of the first above nine tenths of the others do not.
  if (start > 1.5 * rest && slow >= (tenth < 10 ? tenth : tenth / 2)) {
    findings.push({
      rule: 'warm-up',
      where,
      severity: 'careful',
      certainty: 'likely',
      what: `The first ${digits(tenth)} requests have a mean TTFT of ${time(start)}, the others ${time(rest)}.`,
      effect: burst
        ? 'A closed loop starts with a burst, whose prefills queue: leave the first round out, or simulate the run as the finite one that it is.'
        : 'Compilation, graph capture or cold caches are in the figures: leave the first requests out.',
    });
  }
  if (late > 1.5 * early && late - early > 0.02 && trend > drifting) {
    findings.push({
      rule: 'steady-state',
      where,
      severity: trend > growing ? 'broken' : 'careful',
      certainty: trend > growing ? 'likely' : 'possible',
      what: `Mean TTFT grows from ${time(early)} in the first third to ${time(late)} in the last.`,
      effect: 'The run never became steady: more came than was finished, and every figure depends on its length.',
    });
  }
  return findings;
}

/** Chunks against tokens: gaps between chunks are not gaps between tokens where several tokens share one. */
export function chunks(run: BenchmarkRun): readonly Finding[] {
  const { timings, where, clocks } = run;
  const counted = timings.filter(({ gaps, output }) => gaps !== undefined && output !== undefined && output > 1);
  const tokens = counted.reduce((sum, { output = 1 }) => sum + output - 1, 0);
  const gaps = counted.reduce((sum, timing) => sum + (timing.gaps?.count ?? 0), 0);
  const empty = counted.reduce((sum, timing) => sum + (timing.gaps?.empty ?? 0), 0);
  const [itl, tpot] = [meanOf(clocks.itl), decodePerToken(run) ?? meanOf(clocks.tpot)];
  const perToken =
    tokens > 0 ? gaps / tokens : itl !== undefined && tpot !== undefined && itl > 0 ? tpot / itl : undefined;
  if (perToken === undefined || (perToken > 0.85 && perToken < 1.15)) return [];
  const base = { rule: 'chunks', where, severity: 'careful' } as const;
  if (perToken > 1) {
    return [
      {
        ...base,
        certainty: tokens > 0 ? 'certain' : 'likely',
        what: `${digits(perToken)} stream chunks come per token${empty > 0 ? `, ${percent(empty / gaps)} of them at once with another` : ''}.`,
        effect: 'ITL and its percentiles are too small by that factor: use TPOT from E2E and token counts.',
      },
    ];
  }
  return [
    {
      ...base,
      certainty: tokens > 0 ? 'certain' : 'likely',
      what: `${digits(1 / perToken)} tokens come per stream chunk.`,
      effect:
        'Speculative decoding, a stream interval or a slow API process: ITL is the time between chunks, TPOT the one per token; users see the first.',
    },
  ];
}

/** (E2E - TTFT) / (n - 1) from the means: what TPOT ought to be, also where the file's own is off. */
function decodePerToken(run: BenchmarkRun): number | undefined {
  const [ttft, e2e, output] = [meanOf(run.clocks.ttft), meanOf(run.clocks.e2e), outputTokens(run)];
  return ttft === undefined || e2e === undefined || output === undefined || output < 2 || e2e < ttft
    ? undefined
    : (e2e - ttft) / (output - 1);
}

/** What a server says of its KV cache. */
export function keyValueCache({ observed, where }: BenchmarkRun): readonly Finding[] {
  const { keyValueShare, preemptions } = observed;
  if (preemptions !== undefined && preemptions > 0) {
    return [
      {
        rule: 'kv-cache',
        where,
        severity: 'careful',
        certainty: 'certain',
        what: `${digits(preemptions)} requests were preempted because the KV cache was full.`,
        effect:
          'They were computed twice: both clocks hold that work; more KV memory or fewer running sequences comes first.',
      },
    ];
  }
  if (keyValueShare === undefined || keyValueShare < 0.9) return [];
  return [
    {
      rule: 'kv-cache',
      where,
      severity: 'careful',
      certainty: 'likely',
      what: `The KV cache is ${percent(keyValueShare)} full.`,
      effect:
        'Requests wait for memory, not for compute: TTFT falls with KV memory (FP8 KV, more devices, shorter contexts).',
    },
  ];
}

/** A prefix cache, as far as the file tells of one. */
export function prefixCache({ observed, tokens, requests, where, kind }: BenchmarkRun): readonly Finding[] {
  if (kind === 'kernel') return [];
  const fromCounts =
    tokens.cachedTotal !== undefined && tokens.inputTotal !== undefined && tokens.inputTotal > 0
      ? tokens.cachedTotal / tokens.inputTotal
      : undefined;
  const perRequest =
    tokens.cachedTotal !== undefined && requests.completed !== undefined && meanOf(tokens.input) !== undefined
      ? tokens.cachedTotal / (requests.completed * (meanOf(tokens.input) ?? 1))
      : undefined;
  const share = observed.prefixHitShare ?? fromCounts ?? perRequest;
  if (share === undefined || share < 0.05) return [];
  return [
    {
      rule: 'prefix-cache',
      where,
      severity: share > 0.3 ? 'careful' : 'note',
      certainty: 'certain',
      what: `${percent(Math.min(1, share))} of the prompt tokens came from the prefix cache.`,
      effect: 'TTFT is that of the remaining tokens: it does not carry over to prompts that nobody sent before.',
    },
  ];
}
