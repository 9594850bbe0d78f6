import { type BenchmarkRun, known, newRun } from './benchmark-run.ts';
import type { Distribution } from './distribution.ts';
import { flatClocks } from './flat-clocks.ts';
import { has, innerAt, numberAt, recordOf, textAt } from './foreign-record.ts';

/* InferenceX (InferenceMAX) records of utils/process_result.py: seconds, throughput per GPU, lengths nominal. */

export const isInferenceX = (value: unknown): boolean =>
  has(value, 'isl', 'osl', 'conc') && (hasMetrics(value) || hasMetrics(value['metrics']));

const hasMetrics = (value: unknown): boolean =>
  has(value, 'tput_per_gpu') || has(value, 'median_ttft') || has(value, 'mean_ttft');

/** A record of a run, or a row of the published database, whose metrics are an object of their own. */
export function readInferenceX(value: unknown, where: string): readonly BenchmarkRun[] {
  const row = recordOf(value, where);
  const metrics = hasMetrics(row.values) ? undefined : innerAt(row, 'metrics');
  const record = metrics === undefined ? row : { ...row, values: { ...row.values, ...metrics.values } };
  const number = (key: string): number | undefined => numberAt(record, key);
  const split = record.values['disagg'] === true || record.values['disagg'] === 'true';
  const devices = split
    ? added(number('num_prefill_gpu'), number('num_decode_gpu'))
    : times(number('tp') ?? number('decode_tp'), number('pp') ?? 1);
  const exactly = (tokens: number | undefined): Distribution | undefined =>
    tokens === undefined ? undefined : { mean: tokens, percentiles: [] };
  const perDevice = (key: string): number | undefined => (split ? undefined : times(number(key), devices));
  const concurrency = number('conc');
  return [
    newRun({
      tool: 'InferenceX',
      where,
      kind: 'client',
      setting: known({
        engine: textAt(record, 'framework'),
        model: textAt(record, 'model'),
        hardware: textAt(record, 'hw') ?? textAt(record, 'hardware'),
        weights: textAt(record, 'precision'),
        devices,
        tensor: number('tp') ?? number('decode_tp'),
        expert: number('ep') ?? number('decode_ep'),
      }),
      load:
        concurrency === undefined || concurrency === 0
          ? { kind: 'unknown' }
          : { kind: 'concurrency', size: concurrency },
      tokens: known({ input: exactly(number('isl')), output: exactly(number('osl')) }),
      clocks: flatClocks(record, {
        names: { ttft: 'ttft', tpot: 'tpot', itl: 'itl', e2e: 'e2el' },
        suffix: '',
        unit: 1,
      }),
      throughput: known({
        outputTokensPerSecond: perDevice('output_tput_per_gpu'),
        totalTokensPerSecond: perDevice('tput_per_gpu'),
      }),
      notes: [
        'Lengths are nominal: InferenceX draws them between 0.8 x nominal and nominal, 0.9 x in the mean.',
        ...(split
          ? [
              'Disaggregated: throughput is per prefill or decode GPU there, not per GPU of the whole, so it is not scaled.',
            ]
          : []),
        ...(textAt(record, 'spec_decoding') === undefined || textAt(record, 'spec_decoding') === 'none'
          ? []
          : ['Speculative decoding was on.']),
      ],
    }),
  ];
}

const times = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a * b;

const added = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;
