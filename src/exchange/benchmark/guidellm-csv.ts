import { type BenchmarkRun, known, newRun, type RunClock, type RunLoad } from './benchmark-run.ts';
import { type Distribution, scaled } from './distribution.ts';
import { distributionFrom } from './flat-clocks.ts';
import { foreignJson, isRecord, plainNumber } from './foreign-record.ts';
import { guideLlmDefinition } from './guidellm.ts';
import { BenchmarkError, harmless, noRuns, unevenRow, unknownUnit, wrongValue } from './messages.ts';
import { csvRows } from './tool-csv.ts';

/*
 * GuideLLM benchmarks.csv (src/guidellm/benchmark/outputs/csv.py): three header rows. The first is a group; below it
 * stand a field and its unit ('Duration', 'Sec'), or status and unit over a statistic ('Successful ms', 'Mean').
 */

export const isGuideLlmCsv = (head: string): boolean => {
  const [first = ''] = head.split('\n', 1);
  return first.includes('Time to First Token') && (first.includes('Run Info') || first.includes('Request Latency'));
};

interface Column {
  readonly group: string;
  /** What both rows below the group say, in lower case. */
  readonly title: string;
  readonly statistic?: string;
  readonly unit: string;
}

interface Cell {
  readonly column: Column;
  readonly text: string;
}

/** One benchmark a row below the headers. */
export function readGuideLlmCsv(text: string, where: string): readonly BenchmarkRun[] {
  const [groups = [], fields = [], units = [], ...rows] = csvRows(text, where);
  let group = '';
  const columns = groups.map((name, index): Column => {
    group = name === '' ? group : name;
    return columnOf(group, fields[index] ?? '', units[index] ?? '');
  });
  const runs = rows.flatMap((row, index) => {
    if (row.every((cell) => cell === '')) return [];
    const at = `${where} line ${index + 4}`;
    // A benchmark without failed requests has fewer columns than one with them: its cells would slide under others' heads.
    if (row.length !== columns.length) throw new BenchmarkError(unevenRow(at, row.length, columns.length));
    return [runOf(columns, row, at)];
  });
  if (runs.length === 0) throw new BenchmarkError(noRuns(where, 'GuideLLM', 'a row below its three header rows'));
  return runs;
}

function columnOf(group: string, field: string, third: string): Column {
  const title = `${field} ${third}`.toLowerCase();
  const below = statisticOf(third);
  const statistic = below ?? statisticOf(field);
  return {
    group,
    title,
    ...known({ statistic }),
    unit: (below === undefined
      ? third
      : field.replace(/^(?:successful|incomplete|errored|total)\s+/i, '')
    ).toLowerCase(),
  };
}

const secondsPer: Readonly<Record<string, number>> = { ms: 1e-3, sec: 1, s: 1, seconds: 1 };

function runOf(columns: readonly Column[], row: readonly string[], where: string): BenchmarkRun {
  const cells = (group: string): readonly Cell[] =>
    columns.flatMap((column, index) => {
      const text = row[index] ?? '';
      const isOther =
        /^(?:incomplete|errored)\b|^total (?:ms|sec)\b/.test(column.title) && column.statistic !== undefined;
      return column.group === group && text !== '' && !isOther ? [{ column, text }] : [];
    });
  const clock = (group: string): Distribution | undefined => {
    const found = cells(group).filter(({ column }) => column.statistic !== undefined);
    const [first] = found;
    if (first === undefined) return undefined;
    const factor = secondsPer[first.column.unit];
    if (factor === undefined) throw new BenchmarkError(unknownUnit(where, group, first.column.unit, ['ms', 'Sec']));
    return scaled(statistics(found, where), factor);
  };
  const one = (group: string, title: RegExp): number | undefined => {
    const cell = cells(group).find(({ column }) => title.test(column.title) && (column.statistic ?? 'mean') === 'mean');
    return cell === undefined ? undefined : numberOf(cell.text, where, `${group} ${cell.column.title.trim()}`);
  };
  const word = (group: string, title: RegExp): string | undefined =>
    cells(group).find(({ column }) => title.test(column.title))?.text;
  const tokens = (side: RegExp): Distribution | undefined => {
    const found = cells('Token Metrics').filter(
      ({ column }) => side.test(column.title) && column.statistic !== undefined,
    );
    return found.length === 0 ? undefined : statistics(found, where);
  };
  const clocks: Partial<Record<RunClock, Distribution>> = known({
    ttft: clock('Time to First Token'),
    tpot: clock('Inter Token Latency'),
    perToken: clock('Time per Output Token'),
    e2e: clock('Request Latency'),
  });
  const model = word('Run Info', /^model/) ?? modelOf(word('Run Info', /^backend/), where);
  return newRun({
    tool: 'GuideLLM',
    where,
    kind: 'client',
    setting: model === undefined ? {} : { model: harmless(model) },
    load: loadOf(
      word('Benchmark', /^strategy/) ?? word('Benchmark', /^type/),
      one('Benchmark', /^(?:rate|requested rate)/),
      one('Benchmark', /streams|concurrency/),
    ),
    ...known({ seconds: one('Timings', /duration/) }),
    requests: known({
      completed: one('Request Counts', /^success/),
      failed: one('Request Counts', /^error/),
      asked: one('Request Counts', /^total/),
    }),
    tokens: known({ input: tokens(/input|prompt/), output: tokens(/output/) }),
    throughput: known({
      requestsPerSecond: one('Server Throughput', /request/),
      outputTokensPerSecond: one('Token Throughput', /output/),
      totalTokensPerSecond: one('Token Throughput', /total/),
    }),
    observed: known({ concurrency: one('Server Throughput', /concurren/) }),
    clocks,
    notes: [guideLlmDefinition],
  });
}

function statistics(cells: readonly Cell[], where: string): Distribution {
  const stated = cells.flatMap(({ column: { group, title, statistic }, text }) => {
    if (statistic === undefined) return [];
    const path = `${group} ${title.trim()}`;
    return statistic === 'percentiles'
      ? percentilesOf(text, where, path)
      : [{ statistic, value: numberOf(text, where, path) }];
  });
  return distributionFrom(stated);
}

/** In the order in which the writer lists them; the median has a column of its own. */
const listedRanks = ['min', 'p0.1', 'p1', 'p5', 'p10', 'p25', 'p75', 'p90', 'p95', 'p99', 'max'] as const;

function percentilesOf(
  text: string,
  where: string,
  path: string,
): readonly { readonly statistic: string; readonly value: number }[] {
  const values = text.replace(/^\[|\]$/g, '').split(',');
  if (values.length !== listedRanks.length) {
    throw new BenchmarkError(
      wrongValue(where, path, text, `a list of ${listedRanks.length}: ${listedRanks.join(', ')}`),
    );
  }
  return listedRanks.map((statistic, index) => ({
    statistic,
    value: numberOf((values[index] ?? '').trim(), where, path),
  }));
}

function statisticOf(field: string): string | undefined {
  const name = field.toLowerCase();
  if (/\bpercentiles\b/.test(name)) return 'percentiles';
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

/** The backend is JSON in its cell. */
function modelOf(cell: string | undefined, where: string): string | undefined {
  if (cell === undefined || !cell.startsWith('{')) return undefined;
  const backend = foreignJson(cell, where);
  const model = isRecord(backend) ? backend['model'] : undefined;
  return typeof model === 'string' && model !== '' ? model : undefined;
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
