import { type BenchmarkRun, known, newRun } from './benchmark-run.ts';
import { markdownTables } from './markdown-table.ts';
import { BenchmarkError, noRuns, wrongValue } from './messages.ts';

/* Markdown sweep tables as Tenstorrent publishes them: | ISL | OSL | Concurrency | N Req | TTFT (ms) | TPOT (ms) | ... */

export const isSweepTable = (head: string): boolean => /^\|[^\n]*\bISL\b[^\n]*\bTTFT \(m?s\)/m.test(head);

export function readSweepTable(text: string, where: string): readonly BenchmarkRun[] {
  const runs = markdownTables(text, where)
    .filter(({ header }) => header.includes('ISL') && header.some((name) => name.startsWith('TTFT (')))
    .flatMap(({ header, rows }) => rows.map(({ cells, line }) => runOf(header, cells, `${where} line ${line}`)));
  if (runs.length === 0) throw new BenchmarkError(noRuns(where, 'a sweep', 'a row of its table'));
  return runs;
}

function runOf(header: readonly string[], cells: readonly string[], where: string): BenchmarkRun {
  const number = (name: string): number | undefined => {
    const text = (cells[header.indexOf(name)] ?? '').replaceAll(',', '');
    if (text === '' || text === '-' || text.toLowerCase() === 'n/a') return undefined;
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value)) throw new BenchmarkError(wrongValue(where, name, text, 'a number of at least 0'));
    return value;
  };
  const clock = (name: string): { readonly mean: number; readonly percentiles: readonly [] } | undefined => {
    const [milliseconds, seconds] = [number(`${name} (ms)`), number(`${name} (s)`)];
    const mean = milliseconds === undefined ? seconds : milliseconds * 1e-3;
    return mean === undefined ? undefined : { mean, percentiles: [] };
  };
  const length = (name: string): { readonly mean: number; readonly percentiles: readonly [] } | undefined => {
    const mean = number(name);
    return mean === undefined ? undefined : { mean, percentiles: [] };
  };
  const concurrency = number('Concurrency') ?? number('Concurrent Requests');
  return newRun({
    tool: 'sweep table',
    where,
    kind: 'client',
    load:
      concurrency === undefined || concurrency === 0 ? { kind: 'unknown' } : { kind: 'concurrency', size: concurrency },
    requests: known({ completed: number('N Req') }),
    tokens: known({ input: length('ISL'), output: length('OSL') }),
    clocks: known({ ttft: clock('TTFT'), tpot: clock('TPOT'), e2e: clock('E2EL') }),
    throughput: known({ outputTokensPerSecond: number('Tput Decode (TPS)'), requestsPerSecond: number('Tput (RPS)') }),
  });
}
