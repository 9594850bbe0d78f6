import { type BenchmarkRun, known, newRun } from './benchmark-run.ts';
import { distributionFrom } from './flat-clocks.ts';
import {
  type ForeignRecord,
  has,
  innerAt,
  isRecord,
  numberAt,
  numbersAt,
  recordOf,
  textAt,
  wanted,
} from './foreign-record.ts';
import { servingRun } from './serving-run.ts';
import { distributionOf } from './distribution.ts';

/*
 * vllm bench serve --save-result [--append-result] [--save-detailed]; vllm bench latency and throughput
 * (vllm/benchmarks/serve.py, latency.py, throughput.py). Statistics in ms, details in seconds.
 */

export const isVllmBench = (value: unknown): boolean =>
  has(value, 'completed', 'total_input_tokens', 'request_rate') &&
  (has(value, 'backend', 'model_id') || has(value, 'endpoint_type') || has(value, 'tokenizer_id'));

/** One object of the file. TPOT there excludes the first token, as ours does. */
export function readVllmBench(value: unknown, where: string): readonly BenchmarkRun[] {
  const record = recordOf(value, where);
  const number = (key: string): number | undefined => numberAt(record, key);
  const run = servingRun(record, {
    tool: 'vllm bench serve',
    where,
    keys: {
      names: { ttft: 'ttft', tpot: 'tpot', itl: 'itl', e2e: 'e2el', clientQueue: 'client_queue_time' },
      suffix: '_ms',
      unit: 1e-3,
    },
  });
  const backend = textAt(record, 'backend');
  const isRamp = textAt(record, 'ramp_up_strategy') !== undefined;
  return [
    newRun({
      ...run,
      setting: known({
        model: textAt(record, 'model_id'),
        engine: backend === undefined || backend.startsWith('openai') ? undefined : backend,
        tensor: countOfMetadata(record, 'tensor_parallel_size'),
      }),
      ...(isRamp ? { load: { kind: 'unknown' } as const } : {}),
      notes: [
        'TTFT starts when the client lets the request out, after its own limit on requests in flight.',
        ...(run.load.kind === 'rate' && run.load.atMost !== undefined
          ? ['A limit on requests in flight stood beside the rate: late requests waited in the client, unseen by TTFT.']
          : []),
        ...(isRamp
          ? [
              `The rate rose from ${number('ramp_up_start_rps') ?? '?'} to ${number('ramp_up_end_rps') ?? '?'} requests/s during the run: its figures belong to no one load.`,
            ]
          : []),
      ],
    }),
  ];
}

/** What --metadata key=value left: a text of the user's own, which may be a count. */
function countOfMetadata({ values }: ForeignRecord, key: string): number | undefined {
  const count = Number(Object.hasOwn(values, key) ? values[key] : undefined);
  return Number.isInteger(count) && count > 0 && count < 1e6 ? count : undefined;
}

export const isVllmLatency = (value: unknown): boolean => has(value, 'avg_latency', 'latencies');

/** `vllm bench latency`: seconds of a whole batch, which the file does not describe. */
export function readVllmLatency(value: unknown, where: string): readonly BenchmarkRun[] {
  const record = recordOf(value, where);
  const latencies = distributionOf(wanted(numbersAt(record, 'latencies'), record, 'latencies', 'a list of seconds'));
  const ranks = innerAt(record, 'percentiles');
  const stated = ranks === undefined ? [] : percentilesOf(ranks);
  const mean = numberAt(record, 'avg_latency');
  return [
    newRun({
      tool: 'vllm bench latency',
      where,
      kind: 'kernel',
      clocks: {
        e2e: {
          ...(latencies ?? { percentiles: [] }),
          ...(mean === undefined ? {} : { mean }),
          ...(stated.length === 0 ? {} : { percentiles: distributionFrom(stated).percentiles }),
        },
      },
      notes: ['E2E is of a whole batch; batch size and lengths are not in the file.'],
    }),
  ];
}

/** Ranks as keys: {"50": 1.2, "99": 1.4}. */
const percentilesOf = (record: ForeignRecord): { readonly statistic: string; readonly value: number }[] =>
  Object.keys(record.values).flatMap((key) => {
    const value = /^\d{1,3}(?:\.\d{1,3})?$/.test(key) ? numberAt(record, key) : undefined;
    return value === undefined ? [] : [{ statistic: `p${key}`, value }];
  });

export const isVllmThroughput = (value: unknown): boolean =>
  has(value, 'elapsed_time', 'num_requests', 'tokens_per_second') && isRecord(value);

/** `vllm bench throughput`: all requests at once. */
export function readVllmThroughput(value: unknown, where: string): readonly BenchmarkRun[] {
  const record = recordOf(value, where);
  const number = (key: string): number | undefined => numberAt(record, key);
  const requests = number('num_requests');
  return [
    newRun({
      tool: 'vllm bench throughput',
      where,
      kind: 'client',
      load: { kind: 'all-at-once', ...known({ requests }) },
      ...known({ seconds: number('elapsed_time') }),
      requests: known({ asked: requests, completed: requests }),
      throughput: known({
        requestsPerSecond: number('requests_per_second'),
        totalTokensPerSecond: number('tokens_per_second'),
      }),
      notes: ['tokens/s there counts prompt and output tokens together.'],
    }),
  ];
}
