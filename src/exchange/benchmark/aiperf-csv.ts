import { unitFactor } from './aiperf.ts';
import { type BenchmarkRun, known, newRun } from './benchmark-run.ts';
import { type Distribution, scaled } from './distribution.ts';
import { distributionFrom } from './flat-clocks.ts';
import { plainNumber } from './foreign-record.ts';
import { BenchmarkError, noRuns, wrongValue } from './messages.ts';
import { csvRows } from './tool-csv.ts';

/*
 * profile_export_aiperf.csv and <prefix>_genai_perf.csv: a block 'Metric,avg,min,max,p99 ...' with the unit behind the
 * name, a blank line, and a block 'Metric,Value'.
 */

export const isAiperfCsv = (head: string): boolean => /^\uFEFF?"?Metric"?,"?(?:avg|Value)"?(?:,|\r?\n)/.test(head);

export function readAiperfCsv(text: string, where: string): readonly BenchmarkRun[] {
  const metrics = new Map<string, Distribution>();
  let header: readonly string[] = [];
  for (const [index, row] of csvRows(text, where).entries()) {
    const [name = '', ...cells] = row;
    if (name === '' || row.length < 2) continue;
    if (name === 'Metric') {
      header = cells;
      continue;
    }
    const at = `${where} line ${index + 1}`;
    const [, title = name, unit] = /^(.*?)(?:\s*\(([^()]*)\))?$/.exec(name) ?? [];
    const isTime = /time|latency|duration/i.test(title);
    const stated = cells.flatMap((cell, position) => {
      const value = numberOf(cell, at, `${name} ${header[position] ?? ''}`);
      const column = (header[position] ?? '').toLowerCase();
      return value === undefined ? [] : [{ statistic: column === 'value' ? 'avg' : column, value }];
    });
    if (stated.length === 0) continue;
    const factor = isTime ? unitFactor(unit, 1e-3, at, title) : 1;
    metrics.set(title.trim().toLowerCase(), scaled(distributionFrom(stated), factor));
  }
  if (metrics.size === 0) throw new BenchmarkError(noRuns(where, 'AIPerf', 'a row of a metric'));
  const of = (name: string): Distribution | undefined => metrics.get(name);
  return [
    newRun({
      tool: 'AIPerf',
      where,
      kind: 'client',
      ...known({ seconds: of('benchmark duration')?.mean }),
      requests: known({ completed: of('request count')?.mean }),
      tokens: known({ input: of('input sequence length'), output: of('output sequence length') }),
      clocks: known({
        ttft: of('time to first token'),
        tpot: of('inter token latency'),
        itl: of('inter chunk latency'),
        e2e: of('request latency'),
      }),
      throughput: known({
        requestsPerSecond: of('request throughput')?.mean,
        outputTokensPerSecond: of('output token throughput')?.mean,
      }),
      notes: ["AIPerf's inter-token latency is (E2E - TTFT) / (n - 1), so it is TPOT here."],
    }),
  ];
}

/** Numbers as the writers format them: '1,024.00'; 'N/A' and nothing are no value. */
function numberOf(cell: string, where: string, path: string): number | undefined {
  if (cell === '' || /^(?:n\/a|nan|none|-)$/i.test(cell)) return undefined;
  const digits = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(cell) ? cell.replaceAll(',', '') : cell;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(digits)) {
    throw new BenchmarkError(wrongValue(where, path, cell, 'a number of at least 0'));
  }
  return plainNumber(Number(digits), where, path);
}
