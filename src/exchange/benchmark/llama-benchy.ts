import { type BenchmarkRun, known, mostRuns, newRun } from './benchmark-run.ts';
import { type Distribution, distributionOf } from './distribution.ts';
import {
  type ForeignRecord,
  has,
  innerAt,
  numberAt,
  numbersAt,
  recordOf,
  recordsAt,
  textAt,
} from './foreign-record.ts';
import { markdownTables } from './markdown-table.ts';
import { BenchmarkError, harmless, noRuns, tooManyValues, wrongValue } from './messages.ts';

/*
 * llama-benchy (schemas/benchmark_report_schema.json; Markdown): llama-bench's tests through an OpenAI API. Its
 * e2e_ttft is the client's TTFT, ttfr the wait for the first response of any kind, est_ppt ttfr less the network.
 */

export const isLlamaBenchy = (value: unknown): boolean =>
  has(value, 'benchmarks', 'latency_mode', 'latency_ms') && Array.isArray(value['benchmarks']);

interface Test {
  readonly where: string;
  readonly model?: string;
  readonly version?: string;
  readonly concurrency: number;
  /** Tokens that were in the context before, and those of prompt and answer. */
  readonly depth: number;
  readonly prompt?: number;
  readonly output?: number;
  readonly isCached: boolean;
  readonly ttft?: Distribution;
  /** Output tokens per second of one request after its first token. */
  readonly perUser?: number;
  readonly total?: number;
}

export function readLlamaBenchy(value: unknown, where: string): readonly BenchmarkRun[] {
  const report = recordOf(value, where);
  const tests = recordsAt(report, 'benchmarks');
  if (tests.length === 0) throw new BenchmarkError(noRuns(where, 'llama-benchy', 'benchmarks'));
  if (tests.length > mostRuns) throw new BenchmarkError(tooManyValues(where, 'runs', mostRuns));
  const isCaching = report.values['prefix_caching_enabled'] === true;
  return tests.map((test) => {
    const concurrency = numberAt(test, 'concurrency') ?? 1;
    const isFilling = test.values['is_context_prefill_phase'] === true;
    const context = numberAt(test, 'context_size') ?? 0;
    const mean = (name: string): number | undefined => metricOf(test, name)?.mean;
    return runOf({
      where: `${where} ${test.path}`,
      ...known({ model: textAt(report, 'model'), version: textAt(report, 'version') }),
      concurrency,
      depth: isFilling ? 0 : context,
      ...known({
        prompt: isFilling ? context : numberAt(test, 'prompt_size'),
        output: numberAt(test, 'response_size'),
        ttft: metricOf(test, 'e2e_ttft', 1e-3),
        perUser: mean('tg_req_throughput') ?? (concurrency === 1 ? mean('tg_throughput') : undefined),
        total: mean('tg_throughput'),
      }),
      isCached: isCaching && !isFilling,
    });
  });
}

function metricOf(test: ForeignRecord, name: string, unit = 1): Distribution | undefined {
  const metric = innerAt(test, name);
  const values = metric === undefined ? undefined : numbersAt(metric, 'values');
  const spread = values === undefined ? undefined : distributionOf(values.map((each) => each * unit));
  const mean = metric === undefined ? undefined : numberAt(metric, 'mean');
  return mean === undefined ? spread : { percentiles: [], ...spread, mean: mean * unit };
}

function runOf({
  where,
  model,
  version,
  concurrency,
  depth,
  prompt,
  output,
  isCached,
  ttft,
  perUser,
  total,
}: Test): BenchmarkRun {
  const exactly = (mean: number | undefined): Distribution | undefined =>
    mean === undefined ? undefined : { mean, percentiles: [] };
  const completed = ttft?.count;
  return newRun({
    tool: 'llama-benchy',
    ...known({ toolVersion: version }),
    where,
    kind: 'client',
    setting: known({ model }),
    load: concurrency > 0 ? { kind: 'concurrency', size: concurrency } : { kind: 'unknown' },
    requests: known({ completed }),
    tokens: known({
      input: exactly(prompt === undefined ? undefined : prompt + depth),
      output: exactly(output),
      cachedTotal: isCached && depth > 0 && completed !== undefined ? depth * completed : undefined,
    }),
    clocks: known({ ttft, tpot: perUser === undefined || perUser === 0 ? undefined : exactly(1 / perUser) }),
    throughput: known({ outputTokensPerSecond: total }),
    notes: [
      'llama-benchy: TTFT is its e2e_ttft, network included; TPOT is 1 / tg t/s, tokens after the first. Output tokens/s count from the first token on.',
    ],
  });
}

export const isLlamaBenchyTable = (head: string): boolean =>
  /^\|[^\n]*\|\s*test\s*\|[^\n]*\be2e_ttft \(ms\)/m.test(head);

/** Rows 'pp2048 @ d4096 (c2)' hold TTFT, rows 'tg32 @ d4096 (c2)' the rates of the same test. */
export function readLlamaBenchyTable(text: string, where: string): readonly BenchmarkRun[] {
  const tests = new Map<string, Test>();
  for (const { header, rows } of markdownTables(text, where)) {
    if (!header.includes('test') || !header.includes('e2e_ttft (ms)')) continue;
    for (const { cells, line } of rows) {
      const at = `${where} line ${line}`;
      const cell = (...names: readonly string[]): string =>
        cells[header.findIndex((name) => names.includes(name))]?.trim() ?? '';
      const row = testOf(cell('test'), at);
      const rate = (...names: readonly string[]): number | undefined => meanOfCell(cell(...names), at, names[0] ?? '');
      const model = cell('model');
      const key = [model, row.depth, row.concurrency, row.isFilling].join('|');
      const before: Test = tests.get(key) ?? {
        where: at,
        ...(model === '' ? {} : { model: harmless(model) }),
        concurrency: row.concurrency,
        depth: row.isFilling ? 0 : row.depth,
        isCached: false,
      };
      const milliseconds = rate('e2e_ttft (ms)');
      tests.set(key, {
        ...before,
        ...(row.side === 'pp'
          ? known({
              prompt: row.isFilling ? row.depth : row.tokens,
              ttft: milliseconds === undefined ? undefined : { mean: milliseconds * 1e-3, percentiles: [] },
            })
          : known({
              output: row.tokens,
              perUser: rate('t/s (req)') ?? (row.concurrency === 1 ? rate('t/s', 't/s (total)') : undefined),
              total: rate('t/s (total)', 't/s'),
            })),
      });
    }
  }
  if (tests.size === 0) throw new BenchmarkError(noRuns(where, 'llama-benchy', 'a row of its table'));
  return [...tests.values()].map(runOf);
}

function testOf(
  text: string,
  where: string,
): {
  readonly side: string;
  readonly tokens?: number;
  readonly depth: number;
  readonly concurrency: number;
  readonly isFilling: boolean;
} {
  const match = /^(ctx_)?(pp|tg)(\d{1,12})?(?:\s*@\s*d(\d{1,12}))?(?:\s*\(c(\d{1,6})\))?$/.exec(text);
  if (match === null) {
    throw new BenchmarkError(wrongValue(where, 'test', text, "a test such as 'pp2048', 'tg32 @ d4096' or 'tg32 (c2)'"));
  }
  const [, filling, side = '', tokens, depth, concurrency] = match;
  return {
    side,
    ...(tokens === undefined ? {} : { tokens: Number(tokens) }),
    depth: Number(depth ?? 0),
    concurrency: Number(concurrency ?? 1),
    isFilling: filling !== undefined,
  };
}

function meanOfCell(text: string, where: string, name: string): number | undefined {
  if (text === '') return undefined;
  const mean = /^(\d{1,15}(?:\.\d{1,20})?)(?:\s*±\s*\d{1,15}(?:\.\d{1,20})?)?$/.exec(text)?.[1];
  if (mean === undefined) throw new BenchmarkError(wrongValue(where, name, text, "a figure such as '31.20 ± 0.40'"));
  return Number(mean);
}
