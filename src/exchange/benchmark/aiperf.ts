import { type BenchmarkRun, known, newRun, type RunLoad } from './benchmark-run.ts';
import { type Distribution, scaled } from './distribution.ts';
import { statisticsOf } from './flat-clocks.ts';
import { type ForeignRecord, has, innerAt, isRecord, listAt, numberAt, recordOf, textAt } from './foreign-record.ts';
import { BenchmarkError, unknownUnit } from './messages.ts';

/*
 * profile_export_aiperf.json of AIPerf (src/aiperf/common/models/export_models.py) and <prefix>_genai_perf.json of
 * GenAI-Perf (genai_perf/export_data/json_exporter.py): one object with a { unit, avg, p50 ... } per metric.
 */

const isMetric = (value: unknown): boolean => has(value, 'unit') && (has(value, 'avg') || has(value, 'p50'));

export const isAiperf = (value: unknown): boolean =>
  isRecord(value) &&
  !has(value, 'metadata', 'metrics') &&
  ['time_to_first_token', 'request_latency', 'request_throughput', 'output_token_throughput'].some((name) =>
    isMetric(value[name]),
  );

/** Seconds, or plain counts, of one unit as the two tools spell them. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  ms: 1e-3,
  s: 1,
  sec: 1,
  seconds: 1,
  tokens: 1,
  requests: 1,
  'tokens/sec': 1,
  'tokens/s': 1,
  'requests/sec': 1,
  'requests/s': 1,
  count: 1,
};

/** The factor of a unit; no unit means the one that the tools use for that metric. */
export function unitFactor(unit: string | undefined, otherwise: number, where: string, path: string): number {
  if (unit === undefined) return otherwise;
  const factor = units[unit.toLowerCase()];
  if (factor === undefined) throw new BenchmarkError(unknownUnit(where, path, unit, Object.keys(units)));
  return factor;
}

/** The whole file. Inter-token latency of both tools is (E2E - TTFT) / (n - 1): our TPOT. */
export function readAiperf(value: unknown, where: string): readonly BenchmarkRun[] {
  const record = recordOf(value, where);
  const metric = (name: string, otherwise: number): Distribution | undefined => {
    const inner = innerAt(record, name);
    const statistics = statisticsOf(inner);
    if (inner === undefined || statistics === undefined) return undefined;
    return scaled(statistics, unitFactor(textAt(inner, 'unit'), otherwise, where, `${name}.unit`));
  };
  const mean = (name: string, otherwise = 1): number | undefined => metric(name, otherwise)?.mean;
  const config = innerAt(record, 'input_config');
  // AIPerf says when and whether it was cut short; GenAI-Perf does not.
  const tool = has(value, 'was_cancelled') || has(value, 'error_summary') ? 'AIPerf' : 'GenAI-Perf';
  return [
    newRun({
      tool,
      where,
      kind: 'client',
      ...known({ seconds: mean('benchmark_duration') }),
      setting: config === undefined ? {} : known({ model: modelOf(config) }),
      load: config === undefined ? { kind: 'unknown' } : loadOf(config),
      requests: known({ completed: mean('request_count'), failed: mean('error_request_count') }),
      tokens: known({
        input: metric('input_sequence_length', 1),
        output: metric('output_sequence_length', 1),
        inputTotal: mean('total_isl'),
        outputTotal: mean('total_osl'),
      }),
      clocks: known({
        ttft: metric('time_to_first_token', 1e-3),
        tpot: metric('inter_token_latency', 1e-3),
        itl: metric('inter_chunk_latency', 1e-3),
        e2e: metric('request_latency', 1e-3),
      }),
      throughput: known({
        requestsPerSecond: mean('request_throughput'),
        outputTokensPerSecond: mean('output_token_throughput'),
      }),
      notes: [
        `${tool}'s inter-token latency is (E2E - TTFT) / (n - 1), so it is TPOT here.`,
        ...(record.values['was_cancelled'] === true ? ['The run was cancelled before its end.'] : []),
      ],
    }),
  ];
}

function modelOf(config: ForeignRecord): string | undefined {
  const endpoint = isRecord(config.values['endpoint']) ? innerAt(config, 'endpoint') : undefined;
  const holder = endpoint ?? config;
  const key = ['model', 'model_names', 'models'].find((name) => Object.hasOwn(holder.values, name));
  if (key === undefined) return undefined;
  if (!Array.isArray(holder.values[key])) return textAt(holder, key);
  const [first] = listAt(holder, key) ?? [];
  return textAt({ ...holder, values: { [key]: first } }, key);
}

function loadOf(config: ForeignRecord): RunLoad {
  const nested = ['loadgen', 'perf_analyzer']
    .map((name) => (isRecord(config.values[name]) ? innerAt(config, name) : undefined))
    .find((inner) => inner !== undefined);
  for (const holder of nested === undefined ? [config] : [nested, config]) {
    const rate = plain(holder, 'request_rate');
    const concurrency = plain(holder, 'concurrency');
    if (rate !== undefined && rate > 0) {
      return { kind: 'rate', requestsPerSecond: rate, ...(concurrency === undefined ? {} : { atMost: concurrency }) };
    }
    if (concurrency !== undefined && concurrency > 0) return { kind: 'concurrency', size: concurrency };
  }
  return { kind: 'unknown' };
}

/** A number, where it is one: configurations hold lists and texts under the same names. */
const plain = (record: ForeignRecord, key: string): number | undefined =>
  typeof record.values[key] === 'number' ? numberAt(record, key) : undefined;
