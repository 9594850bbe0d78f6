import { type BenchmarkRun, known, newRun, type RequestTiming } from './benchmark-run.ts';
import { unitFactor } from './aiperf.ts';
import { distributionOf } from './distribution.ts';
import { type ForeignRecord, has, innerAt, numberAt, recordOf, textAt } from './foreign-record.ts';
import type { LineReader } from './line-reader.ts';
import { BenchmarkError, tooManyValues } from './messages.ts';
import { clocksOf, lengths, mostRequests } from './serving-run.ts';

/* profile_export.jsonl of AIPerf: one request a line, time stamps in ns. Warm-up requests are named and left out. */

export const isAiperfRecord = (value: unknown): boolean =>
  has(value, 'metadata', 'metrics') && has(value['metadata'], 'request_start_ns');

/** Collects requests into one run. */
export function aiperfRecords(where: string): LineReader<unknown> {
  const timings: RequestTiming[] = [];
  const gaps: number[] = [];
  let earliest = Infinity;
  let latest = 0;
  let warmUp = 0;
  return {
    line(value, at) {
      const record = recordOf(value, at);
      const metadata = innerAt(record, 'metadata') ?? record;
      if (textAt(metadata, 'benchmark_phase') === 'warmup') {
        warmUp += 1;
        return;
      }
      if (timings.length >= mostRequests) throw new BenchmarkError(tooManyValues(where, 'requests', mostRequests));
      const start = (numberAt(metadata, 'request_start_ns') ?? 0) * 1e-9;
      const end = numberAt(metadata, 'request_end_ns');
      earliest = Math.min(earliest, start);
      latest = Math.max(latest, end === undefined ? start : end * 1e-9);
      const metrics = innerAt(record, 'metrics') ?? { ...record, values: {} };
      const failed = record.values['error'] !== null && record.values['error'] !== undefined;
      const itl = single(metrics, 'inter_token_latency', 1e-3);
      if (itl !== undefined && !failed) gaps.push(itl);
      timings.push({
        start,
        ...known({
          ttft: single(metrics, 'time_to_first_token', 1e-3),
          e2e: single(metrics, 'request_latency', 1e-3),
          input: single(metrics, 'input_sequence_length', 1),
          output: single(metrics, 'output_sequence_length', 1),
        }),
        ...(failed || metadata.values['was_cancelled'] === true ? { failed: true } : {}),
      });
    },
    end(): readonly BenchmarkRun[] {
      const shifted = timings.map((timing) => ({ ...timing, start: (timing.start ?? earliest) - earliest }));
      const done = shifted.filter(({ failed }) => failed !== true).length;
      const seconds = latest > earliest ? latest - earliest : undefined;
      const tpot = distributionOf(gaps);
      return [
        newRun({
          tool: 'AIPerf',
          where,
          kind: 'client',
          ...known({ seconds }),
          requests: { completed: done, failed: shifted.length - done },
          tokens: known({ input: lengths(shifted, 'input'), output: lengths(shifted, 'output') }),
          clocks: { ...clocksOf(shifted), ...(tpot === undefined ? {} : { tpot }) },
          throughput: seconds === undefined ? {} : { requestsPerSecond: done / seconds },
          timings: shifted,
          notes: warmUp === 0 ? [] : [`${warmUp} warm-up requests are left out.`],
        }),
      ];
    },
  };
}

function single(metrics: ForeignRecord, name: string, otherwise: number): number | undefined {
  const inner = innerAt(metrics, name);
  if (inner === undefined) return undefined;
  const value = numberAt(inner, 'value');
  return value === undefined
    ? undefined
    : value * unitFactor(textAt(inner, 'unit'), otherwise, inner.where, `${inner.path}.unit`);
}
