import { type BenchmarkRun, known, mostRuns, newRun } from './benchmark-run.ts';
import { type Distribution, distributionOf, scaled } from './distribution.ts';
import { type ForeignRecord, has, numberAt, numbersAt, recordOf, textAt } from './foreign-record.ts';
import { BenchmarkError, noRuns, tooManyValues, wrongValue } from './messages.ts';
import { csvRows } from './tool-csv.ts';

/*
 * llama-bench -o json|jsonl|csv|sql (tools/llama-bench/llama-bench.cpp). n_prompt alone is a prefill, n_gen alone a
 * decode from an empty cache or one of n_depth tokens, both a mixture. One sequence, no server. Nanoseconds.
 */

export const isLlamaBench = (value: unknown): boolean => has(value, 'n_prompt', 'n_gen') && has(value, 'avg_ns');
export const isLlamaBenchList = (value: unknown): boolean => Array.isArray(value) && isLlamaBench(value[0]);

export function readLlamaBenchList(value: unknown, where: string): readonly BenchmarkRun[] {
  if (!Array.isArray(value) || value.length === 0) throw new BenchmarkError(noRuns(where, 'llama-bench', 'a test'));
  if (value.length > mostRuns) throw new BenchmarkError(tooManyValues(where, 'runs', mostRuns));
  return value.map((each, index) => readLlamaBench(recordOf(each, where, `[${index}]`), `${where} [${index}]`));
}

/** One test of llama-bench. */
export function readLlamaBench(record: ForeignRecord, where: string): BenchmarkRun {
  const number = (key: string): number => {
    const value = numberAt(record, key);
    if (value === undefined) throw new BenchmarkError(wrongValue(where, key, value, 'a whole number of at least 0'));
    return value;
  };
  return llamaRun({
    where,
    prompt: number('n_prompt'),
    output: number('n_gen'),
    depth: numberAt(record, 'n_depth') ?? 0,
    nanoseconds: timesOf(record, number('avg_ns')),
    setting: known({
      engine: 'llama.cpp',
      engineVersion: textAt(record, 'build_number') ?? textAt(record, 'build_commit'),
      model: textAt(record, 'model_type') ?? textAt(record, 'model_filename'),
      hardware: textAt(record, 'gpu_info') ?? textAt(record, 'cpu_info'),
      keyValue: textAt(record, 'type_k'),
      weightBytes: numberAt(record, 'model_size'),
    }),
  });
}

function timesOf(record: ForeignRecord, mean: number): Distribution {
  const samples = numbersAt(record, 'samples_ns');
  const deviation = numberAt(record, 'stddev_ns');
  const spread = samples === undefined || samples.length === 0 ? undefined : distributionOf(samples);
  return { ...(spread ?? { percentiles: [] }), mean, ...known({ deviation }) };
}

/** What every output form of llama-bench says about a test. */
export interface LlamaTest {
  readonly where: string;
  readonly prompt: number;
  readonly output: number;
  readonly depth: number;
  /** Of the whole test. */
  readonly nanoseconds: Distribution;
  readonly setting: BenchmarkRun['setting'];
}

export function llamaRun({ where, prompt, output, depth, nanoseconds, setting }: LlamaTest): BenchmarkRun {
  if (!(prompt + output > 0))
    throw new BenchmarkError(wrongValue(where, 'n_prompt', prompt, 'n_prompt or n_gen above 0'));
  const exactly = (value: number): Distribution => ({ mean: value, percentiles: [] });
  const seconds = scaled(nanoseconds, 1e-9);
  const mean = seconds.mean ?? 0;
  const common = { tool: 'llama-bench', where, kind: 'kernel', setting, load: { kind: 'batch', size: 1 } } as const;
  const deep = depth === 0 ? [] : [`${depth} tokens were already in the cache.`];
  if (output === 0) {
    return newRun({
      ...common,
      tokens: { input: exactly(depth + prompt), output: exactly(1), ...(depth === 0 ? {} : { cachedTotal: depth }) },
      clocks: { prefill: seconds },
      throughput: mean > 0 ? { inputTokensPerSecond: prompt / mean } : {},
      notes: ['A prefill alone: prompt processing without server, tokenisation or sampling.', ...deep],
    });
  }
  if (prompt === 0) {
    return newRun({
      ...common,
      tokens: { input: exactly(Math.max(1, depth)), output: exactly(output) },
      clocks: { tpot: scaled(seconds, 1 / output) },
      throughput: mean > 0 ? { outputTokensPerSecond: output / mean } : {},
      notes: ['Decode alone, starting from the depth named (0: an empty cache).', ...deep],
    });
  }
  return newRun({
    ...common,
    tokens: { input: exactly(depth + prompt), output: exactly(output), ...(depth === 0 ? {} : { cachedTotal: depth }) },
    clocks: { e2e: seconds },
    throughput: mean > 0 ? { totalTokensPerSecond: (prompt + output) / mean } : {},
    notes: ['Prompt and generation in one figure: neither clock can be read from it.', ...deep],
  });
}

export const isLlamaBenchCsv = (head: string): boolean =>
  /^\uFEFF?"?build_commit"?,.*avg_ns/.test(head.split('\n', 1)[0] ?? '');

export function readLlamaBenchCsv(text: string, where: string): readonly BenchmarkRun[] {
  const [header = [], ...rows] = csvRows(text, where).filter((row) => row.some((cell) => cell !== ''));
  if (rows.length === 0) throw new BenchmarkError(noRuns(where, 'llama-bench', 'a row below the header'));
  return rows.map((row, index) => readTextRow(header, row, `${where} line ${index + 2}`));
}

/** Cells of CSV or SQL: numbers are written as text there. */
function readTextRow(header: readonly string[], row: readonly string[], where: string): BenchmarkRun {
  const cells = header.map((name, position): [string, unknown] => {
    const text = row[position] ?? '';
    return [name, /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text === '' ? undefined : text];
  });
  return readLlamaBench({ where, path: '', values: Object.fromEntries(cells) }, where);
}

export const isLlamaBenchSql = (head: string): boolean =>
  /^\s*(?:CREATE TABLE IF NOT EXISTS|INSERT INTO) llama_bench\b/.test(head);

/** INSERT statements as llama-bench prints them: names in parentheses, values in single quotes. */
export function readLlamaBenchSql(text: string, where: string): readonly BenchmarkRun[] {
  const runs: BenchmarkRun[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const match = /^INSERT INTO llama_bench \(([^()]*)\) VALUES \((.*)\);\s*$/.exec(line.trim());
    if (match === null) continue;
    const header = (match[1] ?? '').split(',').map((name) => name.trim());
    const at = `${where} line ${index + 1}`;
    const row = [...(match[2] ?? '').matchAll(/'((?:[^']|'')*)'/g)].map((each) =>
      (each[1] ?? '').replaceAll("''", "'"),
    );
    if (row.length !== header.length) {
      throw new BenchmarkError(
        wrongValue(at, 'VALUES', `${row.length} values`, `${header.length}, one for each column`),
      );
    }
    runs.push(readTextRow(header, row, at));
  }
  if (runs.length === 0) throw new BenchmarkError(noRuns(where, 'llama-bench', 'an INSERT statement'));
  return runs;
}
