import { type BenchmarkRun, newRun } from './benchmark-run.ts';
import { unitFactor } from './aiperf.ts';
import { type ForeignRecord, has, innerAt, numberAt, recordOf, textAt } from './foreign-record.ts';
import type { LineReader } from './line-reader.ts';
import { requestColumns } from './request-columns.ts';

/* profile_export.jsonl of AIPerf: one request a line, time stamps in ns. Warm-up requests are named and left out. */

export const isAiperfRecord = (value: unknown): boolean =>
  has(value, 'metadata', 'metrics') && has(value['metadata'], 'request_start_ns');

/** Collects requests into one run. */
export function aiperfRecords(where: string): LineReader<unknown> {
  const requests = requestColumns(where);
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
      const start = (numberAt(metadata, 'request_start_ns') ?? 0) * 1e-9;
      const end = numberAt(metadata, 'request_end_ns');
      earliest = Math.min(earliest, start);
      latest = Math.max(latest, end === undefined ? start : end * 1e-9);
      const metrics = innerAt(record, 'metrics') ?? { ...record, values: {} };
      const { error } = record.values;
      const [ttft, e2e] = [single(metrics, 'time_to_first_token', 1e-3), single(metrics, 'request_latency', 1e-3)];
      const output = single(metrics, 'output_sequence_length', 1);
      requests.add({
        start,
        ttft,
        e2e,
        tpot: single(metrics, 'inter_token_latency', 1e-3) ?? tpotOf(ttft, e2e, output),
        input: single(metrics, 'input_sequence_length', 1),
        output,
        failed: (error !== null && error !== undefined) || metadata.values['was_cancelled'] === true,
      });
    },
    end(): readonly BenchmarkRun[] {
      const { completed, failed, clocks, tokens, timings } = requests.end();
      const seconds = latest > earliest ? latest - earliest : undefined;
      return [
        newRun({
          tool: 'AIPerf',
          where,
          kind: 'client',
          ...(seconds === undefined ? {} : { seconds, throughput: { requestsPerSecond: completed / seconds } }),
          requests: { completed, failed },
          tokens,
          clocks,
          timings,
          notes: [
            "AIPerf's inter-token latency is (E2E - TTFT) / (n - 1), so it is TPOT here.",
            ...(warmUp === 0 ? [] : [`${warmUp} warm-up requests are left out.`]),
          ],
        }),
      ];
    },
  };
}

const tpotOf = (ttft: number | undefined, e2e: number | undefined, output: number | undefined): number | undefined =>
  ttft === undefined || e2e === undefined || output === undefined || output < 2 || e2e < ttft
    ? undefined
    : (e2e - ttft) / (output - 1);

function single(metrics: ForeignRecord, name: string, otherwise: number): number | undefined {
  const inner = innerAt(metrics, name);
  if (inner === undefined) return undefined;
  const value = numberAt(inner, 'value');
  return value === undefined
    ? undefined
    : value * unitFactor(textAt(inner, 'unit'), otherwise, inner.where, `${inner.path}.unit`);
}
