import { type BenchmarkRun, known, newRun, type RequestTiming, type RunClocks, type RunLoad } from './benchmark-run.ts';
import { type Distribution, distributionOf } from './distribution.ts';
import { type FlatKeys, flatClocks } from './flat-clocks.ts';
import { type ForeignRecord, listAt, numberAt, numbersAt, pathOf, plainNumber, rateAt } from './foreign-record.ts';
import { BenchmarkError, tooManyValues, unevenLists, wrongValue } from './messages.ts';

/*
 * What the clients of vLLM and SGLang have in common: the second descends from the first (engines.md, 12).
 */

/** More requests than this in one run are refused, to bound memory. */
export const mostRequests = 1_000_000;

/** Fields whose spelling differs between the two. */
export interface ServingDialect {
  readonly tool: string;
  readonly keys: FlatKeys;
  readonly where: string;
}

/** The run of one object; clocks from its statistics, requests one by one where it keeps them (seconds there). */
export function servingRun(record: ForeignRecord, { tool, keys, where }: ServingDialect): BenchmarkRun {
  const timings = detailsOf(record);
  const flat = flatClocks(record, keys);
  const perRequest = clocksOf(timings);
  const number = (key: string): number | undefined => numberAt(record, key);
  return newRun({
    tool,
    where,
    kind: 'client',
    load: loadOf(record),
    ...known({ seconds: number('duration') }),
    requests: known({ asked: number('num_prompts'), completed: number('completed'), failed: number('failed') }),
    tokens: known({
      inputTotal: number('total_input_tokens'),
      outputTotal: number('total_output_tokens'),
      input: lengths(timings, 'input'),
      output: lengths(timings, 'output'),
    }),
    // What the tool computed stands; details fill what it left out.
    clocks: { ...perRequest, ...flat },
    throughput: known({
      requestsPerSecond: number('request_throughput'),
      inputTokensPerSecond: number('input_throughput'),
      outputTokensPerSecond: number('output_throughput'),
      totalTokensPerSecond: number('total_token_throughput') ?? number('total_throughput'),
    }),
    observed: known({
      concurrency: number('concurrency'),
      acceptanceLength: number('accept_length') ?? number('spec_decode_acceptance_length'),
    }),
    timings,
  });
}

function loadOf(record: ForeignRecord): RunLoad {
  const rate = rateAt(record, 'request_rate');
  const atMost = numberAt(record, 'max_concurrency');
  if (rate !== undefined && rate !== Infinity) {
    if (rate === 0) {
      throw new BenchmarkError(wrongValue(record.where, pathOf(record, 'request_rate'), 0, "a rate above 0, or 'inf'"));
    }
    return { kind: 'rate', requestsPerSecond: rate, ...(atMost === undefined ? {} : { atMost }) };
  }
  if (atMost !== undefined && atMost > 0) return { kind: 'concurrency', size: atMost };
  if (rate === undefined) return { kind: 'unknown' };
  const requests = numberAt(record, 'num_prompts') ?? numberAt(record, 'completed');
  return { kind: 'all-at-once', ...(requests === undefined ? {} : { requests }) };
}

/** `--save-detailed`, `--output-details`: parallel lists, one entry a request, in seconds. */
function detailsOf(record: ForeignRecord): readonly RequestTiming[] {
  const first = numbersAt(record, 'ttfts');
  if (first === undefined) return [];
  if (first.length > mostRequests) throw new BenchmarkError(tooManyValues(record.where, 'requests', mostRequests));
  const lists = {
    input: numbersAt(record, 'input_lens'),
    output: numbersAt(record, 'output_lens'),
    start: numbersAt(record, 'start_times'),
  };
  const gaps = listAt(record, 'itls');
  const errors = listAt(record, 'errors');
  for (const [name, list] of Object.entries({ ...lists, itls: gaps, errors })) {
    if (list !== undefined && list.length !== first.length) {
      throw new BenchmarkError(unevenLists(record.where, 'ttfts', name, [first.length, list.length]));
    }
  }
  const earliest = (lists.start ?? []).reduce((least, value) => Math.min(least, value), Infinity);
  return first.map((ttft, index) => {
    const failed = errors?.[index] !== undefined && errors[index] !== '' && errors[index] !== null;
    const start = lists.start?.[index];
    const sums = gaps === undefined ? undefined : gapsOf(gaps[index], record.where, `itls[${index}]`);
    const output = lists.output?.[index];
    return {
      ...known({ input: lists.input?.[index], output }),
      ...(start === undefined ? {} : { start: start - earliest }),
      ...(failed ? { failed } : { ttft, ...(sums === undefined ? {} : { gaps: sums, e2e: ttft + sums.sum }) }),
    };
  });
}

function gapsOf(value: unknown, where: string, path: string): NonNullable<RequestTiming['gaps']> {
  if (!Array.isArray(value)) throw new BenchmarkError(wrongValue(where, path, value, 'a list of gaps in seconds'));
  let sum = 0;
  let empty = 0;
  for (const [index, entry] of value.entries()) {
    const gap = plainNumber(entry, where, `${path}[${index}]`) ?? 0;
    sum += gap;
    // Chunks that come together: tokens of one step, or a role chunk before the first content.
    if (gap < 1e-4) empty += 1;
  }
  return { sum, count: value.length, empty };
}

/** Clocks over single requests; TPOT = (E2E - TTFT) / (output - 1). */
export function clocksOf(timings: readonly RequestTiming[]): RunClocks {
  const done = timings.filter(({ failed }) => failed !== true);
  const values = (of: (timing: RequestTiming) => number | undefined): Distribution | undefined =>
    distributionOf(done.map(of).filter((value): value is number => value !== undefined));
  return known({
    ttft: values(({ ttft }) => ttft),
    tpot: values(({ ttft, e2e, output }) =>
      ttft === undefined || e2e === undefined || output === undefined || output < 2 || e2e < ttft
        ? undefined
        : (e2e - ttft) / (output - 1),
    ),
    e2e: values(({ e2e }) => e2e),
  });
}

export function lengths(timings: readonly RequestTiming[], side: 'input' | 'output'): Distribution | undefined {
  return distributionOf(
    timings
      .filter(({ failed }) => failed !== true)
      .map((timing) => timing[side])
      .filter((value): value is number => value !== undefined),
  );
}
