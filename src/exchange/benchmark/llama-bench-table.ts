import type { BenchmarkRun } from './benchmark-run.ts';
import { llamaRun } from './llama-bench.ts';
import { markdownTables } from './markdown-table.ts';
import { BenchmarkError, harmless, noRuns, wrongValue } from './messages.ts';

/* llama-bench -o md: | model | size | params | backend | ngl | test | t/s | with 'pp512' and '6918.90 ± 46.00'. */

export const isLlamaBenchTable = (head: string): boolean => /^\|[^\n]*\|\s*test\s*\|[^\n]*\bt\/s\s*\|/m.test(head);

export function readLlamaBenchTable(text: string, where: string): readonly BenchmarkRun[] {
  const runs = markdownTables(text, where)
    .filter(({ header }) => header.includes('test') && header.includes('t/s'))
    .flatMap(({ header, rows }) => rows.map(({ cells, line }) => runOf(header, cells, `${where} line ${line}`)));
  if (runs.length === 0) throw new BenchmarkError(noRuns(where, 'llama-bench', 'a row of its table'));
  return runs;
}

const giga = 2 ** 30;
const sizes: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: giga, TiB: 1024 * giga };

function runOf(header: readonly string[], cells: readonly string[], where: string): BenchmarkRun {
  const cell = (name: string): string => cells[header.indexOf(name)] ?? '';
  const test = /^(?:pp(\d{1,15}))?\+?(?:tg(\d{1,15}))?(?:\s*@\s*d(\d{1,15}))?$/.exec(cell('test').trim());
  if (test === null || (test[1] === undefined && test[2] === undefined)) {
    throw new BenchmarkError(
      wrongValue(where, 'test', cell('test'), "a test such as 'pp512', 'tg128' or 'pp512 @ d4096'"),
    );
  }
  const rate = /^(\d{1,15}(?:\.\d{1,20})?)(?:\s*±\s*(\d{1,15}(?:\.\d{1,20})?))?$/.exec(cell('t/s').trim());
  const perSecond = Number(rate?.[1]);
  if (!(perSecond > 0))
    throw new BenchmarkError(wrongValue(where, 't/s', cell('t/s'), "a rate such as '6918.90 ± 46.00'"));
  const [prompt, output, depth] = [Number(test[1] ?? 0), Number(test[2] ?? 0), Number(test[3] ?? 0)];
  const mean = ((prompt + output) / perSecond) * 1e9;
  const size = /^(\d{1,15}(?:\.\d{1,20})?) ([KMGT]iB)$/.exec(cell('size').trim());
  const weightBytes = Number(size?.[1]) * (sizes[size?.[2] ?? ''] ?? Number.NaN);
  return llamaRun({
    where,
    prompt,
    output,
    depth,
    nanoseconds: {
      mean,
      ...(rate?.[2] === undefined ? {} : { deviation: (mean * Number(rate[2])) / perSecond }),
      percentiles: [],
    },
    setting: {
      engine: 'llama.cpp',
      ...(cell('model') === '' ? {} : { model: harmless(cell('model')) }),
      ...(weightBytes > 0 ? { weightBytes } : {}),
    },
  });
}
