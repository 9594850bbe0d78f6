import { type BenchmarkRun, known, newRun, type RunClock, type RunLoad } from './benchmark-run.ts';
import { type Distribution, scaled } from './distribution.ts';
import { distributionFrom } from './flat-clocks.ts';
import { plainNumber } from './foreign-record.ts';
import { guideLlmDefinition } from './guidellm.ts';
import { BenchmarkError, harmless, noRuns, unknownUnit, wrongValue } from './messages.ts';
import { csvRows } from './tool-csv.ts';

/* GuideLLM benchmarks.csv (src/guidellm/benchmark/outputs/csv.py): three header rows, group, field and unit. */

export const isGuideLlmCsv = (head: string): boolean => {
  const [first = ''] = head.split('\n', 1);
  return first.includes('Time to First Token') && (first.includes('Run Info') || first.includes('Request Latency'));
};

interface Column {
  readonly group: string;
  readonly field: string;
  readonly unit: string;
}

/** One benchmark a row below the headers. */
export function readGuideLlmCsv(text: string, where: string): readonly BenchmarkRun[] {
  const [groups = [], fields = [], units = [], ...rows] = csvRows(text, where);
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  if (filled.length === 0) throw new BenchmarkError(noRuns(where, 'GuideLLM', 'a row below its three header rows'));
  let group = '';
  const columns = groups.map((name, index): Column => {
    group = name === '' ? group : name;
    return { group, field: fields[index] ?? '', unit: units[index] ?? '' };
  });
  return filled.map((row, index) => runOf(columns, row, `${where} line ${index + 4}`));
}

const secondsPer: Readonly<Record<string, number>> = { ms: 1e-3, sec: 1, s: 1, seconds: 1 };

function runOf(columns: readonly Column[], row: readonly string[], where: string): BenchmarkRun {
  const cells = (group: string): readonly { readonly column: Column; readonly text: string }[] =>
    columns.flatMap((column, index) => {
      const text = row[index] ?? '';
      return column.group === group && text !== '' ? [{ column, text }] : [];
    });
  const clock = (group: string): Distribution | undefined => {
    const found = cells(group).filter(({ column }) => !/incomplete|errored|total/i.test(column.field));
    if (found.length === 0) return undefined;
    const unit = found[0]?.column.unit.toLowerCase() ?? '';
    const factor = secondsPer[unit];
    if (factor === undefined) {
      throw new BenchmarkError(unknownUnit(where, group, found[0]?.column.unit ?? '', ['ms', 'Sec']));
    }
    return scaled(statistics(found, where), factor);
  };
  const one = (group: string, field: RegExp): number | undefined => {
    const cell = cells(group).find(({ column }) => field.test(column.field));
    return cell === undefined ? undefined : numberOf(cell.text, where, `${group} ${cell.column.field}`);
  };
  const word = (group: string, field: RegExp): string | undefined =>
    cells(group).find(({ column }) => field.test(column.field))?.text;
  const clocks: Partial<Record<RunClock, Distribution>> = known({
    ttft: clock('Time to First Token'),
    tpot: clock('Inter Token Latency'),
    perToken: clock('Time per Output Token'),
    e2e: clock('Request Latency'),
  });
  const model = word('Run Info', /^model/i);
  return newRun({
    tool: 'GuideLLM',
    where,
    kind: 'client',
    setting: model === undefined ? {} : { model: harmless(model) },
    load: loadOf(
      word('Benchmark', /^(strategy|type)/i),
      one('Benchmark', /^(rate|requested rate)/i),
      one('Benchmark', /streams|concurrency/i),
    ),
    ...known({ seconds: one('Timings', /duration/i) }),
    requests: known({
      completed: one('Request Counts', /^success/i),
      failed: one('Request Counts', /^error/i),
      asked: one('Request Counts', /^total/i),
    }),
    tokens: known({
      input: tokenStatistics(cells('Token Metrics'), /input|prompt/i, where),
      output: tokenStatistics(cells('Token Metrics'), /output/i, where),
    }),
    throughput: known({
      requestsPerSecond: one('Server Throughput', /request/i),
      outputTokensPerSecond: one('Token Throughput', /output/i),
      totalTokensPerSecond: one('Token Throughput', /total/i),
    }),
    observed: known({ concurrency: one('Server Throughput', /concurren/i) }),
    clocks,
    notes: [guideLlmDefinition],
  });
}

/** Fields such as 'Successful Mean', 'Mean', 'Median', 'Std Dev', 'P99', 'Percentiles' (a list of eleven). */
function statistics(cells: readonly { readonly column: Column; readonly text: string }[], where: string): Distribution {
  const stated = cells.flatMap(({ column, text }) => {
    const statistic = statisticOf(column.field);
    return statistic === undefined
      ? []
      : [{ statistic, value: numberOf(text, where, `${column.group} ${column.field}`) }];
  });
  return distributionFrom(stated);
}

const tokenStatistics = (
  cells: readonly { readonly column: Column; readonly text: string }[],
  side: RegExp,
  where: string,
): Distribution | undefined => {
  const found = cells.filter(({ column }) => side.test(column.field) && statisticOf(column.field) !== undefined);
  return found.length === 0 ? undefined : statistics(found, where);
};

function statisticOf(field: string): string | undefined {
  const name = field.toLowerCase();
  if (/\bmean\b/.test(name)) return 'mean';
  if (/\bmedian\b/.test(name)) return 'median';
  if (/\bstd/.test(name)) return 'std';
  if (/\bmin\b/.test(name)) return 'min';
  if (/\bmax\b/.test(name)) return 'max';
  const rank = /\bp(\d{1,3}(?:\.\d+)?)\b/.exec(name)?.[1];
  return rank === undefined ? undefined : (csvRanks[rank] ?? `p${rank}`);
}

const csvRanks: Readonly<Record<string, string>> = { '001': 'p0.1', '01': 'p1', '05': 'p5', '999': 'p99.9' };

function numberOf(text: string, where: string, path: string): number {
  const value = plainNumber(/^[\d.eE+-]+$/.test(text) ? Number(text) : text, where, path);
  if (value === undefined) throw new BenchmarkError(wrongValue(where, path, text, 'a number of at least 0'));
  return value;
}

function loadOf(strategy: string | undefined, rate: number | undefined, streams: number | undefined): RunLoad {
  const name = (strategy ?? '').toLowerCase();
  if (name.startsWith('synchronous')) return { kind: 'concurrency', size: 1 };
  if (name.startsWith('concurrent')) {
    const size = streams ?? rate ?? (Number(/(\d{1,15})/.exec(name)?.[1]) || undefined);
    return size === undefined ? { kind: 'unknown' } : { kind: 'concurrency', size };
  }
  if (name.startsWith('throughput')) return { kind: 'all-at-once' };
  const stated = rate ?? (Number(/@\s*(\d{1,15}(?:\.\d{1,20})?)/.exec(name)?.[1]) || undefined);
  return stated === undefined || stated === 0 ? { kind: 'unknown' } : { kind: 'rate', requestsPerSecond: stated };
}
