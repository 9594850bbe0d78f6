import { type BenchmarkRun, known, newRun } from './benchmark-run.ts';
import { has, numberAt, recordOf, textAt } from './foreign-record.ts';
import { servingRun } from './serving-run.ts';

/* sglang.bench_serving: JSON lines, one a run, appended (python/sglang/bench_serving.py). Statistics in ms, details in seconds. */

export const isSglangBench = (value: unknown): boolean =>
  has(value, 'completed', 'total_input_tokens', 'request_rate') &&
  (has(value, 'mean_e2e_latency_ms') ||
    has(value, 'total_output_tokens_retokenized') ||
    has(value, 'random_range_ratio'));

/** One line. TPOT there excludes the first token, as ours does; ITL is a gap divided by the tokens that came with it. */
export function readSglangBench(value: unknown, where: string): readonly BenchmarkRun[] {
  const record = recordOf(value, where);
  const run = servingRun(record, {
    tool: 'SGLang bench_serving',
    where,
    keys: { names: { ttft: 'ttft', tpot: 'tpot', itl: 'itl', e2e: 'e2e_latency' }, suffix: '_ms', unit: 1e-3 },
  });
  const ratio = numberAt(record, 'random_range_ratio');
  return [
    newRun({
      ...run,
      setting: known({
        engine: textAt(record, 'backend'),
        model: textAt(record, 'model') ?? textAt(record, 'model_id'),
      }),
      notes:
        ratio !== undefined && ratio < 1
          ? [`Lengths were drawn between ${ratio} x nominal and nominal; the totals are used, not the nominal lengths.`]
          : [],
    }),
  ];
}
