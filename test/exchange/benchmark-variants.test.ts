import { gzipSync } from 'node:zlib';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { BenchmarkRun } from '../../src/exchange/benchmark/benchmark-run.ts';
import { percentileOf } from '../../src/exchange/benchmark/distribution.ts';
import { readBenchmark } from '../../src/exchange/benchmark/read-benchmark.ts';
import { requestColumns } from '../../src/exchange/benchmark/request-columns.ts';
import { readBenchmarkFile } from '../../src/exchange/benchmark/read-file.ts';
import { facts, vllmBench } from '../support/benchmark-writers.ts';
import * as write from '../support/benchmark-other-writers.ts';

async function only(source: string | object): Promise<BenchmarkRun> {
  const { runs } = await readBenchmark(typeof source === 'string' ? source : JSON.stringify(source), 'file');
  const [run] = runs;
  if (run === undefined || runs.length !== 1) throw new Error(`expected one run, not ${runs.length}`);
  return run;
}

describe('further tools', () => {
  it("GuideLLM's CSV with the statistic in the third row: percentiles from the list, incomplete requests aside", async () => {
    const run = await only(write.guideLlmWideCsv());
    for (const clock of ['ttft', 'tpot', 'e2e'] as const) {
      expect(run.clocks[clock]?.mean, clock).toBeCloseTo(facts[clock].mean, 9);
      for (const rank of [50, 95, 99] as const) {
        expect(percentileOf(run.clocks[clock], rank), `${clock} p${rank}`).toBeCloseTo(facts[clock][`p${rank}`], 9);
      }
    }
    expect(run.setting.model).toBe(facts.model);
    expect(run.load).toEqual({ kind: 'concurrency', size: 1 });
    expect(run.requests).toEqual({ completed: 240, failed: 0, asked: 243 });
    expect(run.tokens.output?.mean).toBe(128);
    expect(run.throughput).toMatchObject({ requestsPerSecond: 4, outputTokensPerSecond: 512 });
    expect(run.observed.concurrency).toBeCloseTo(7.2224, 9);
  });

  it('a GuideLLM row with other columns than the first is refused: its cells would slide', async () => {
    const text = write.guideLlmWideCsv().trimEnd();
    await expect(readBenchmark(`${text}\nr2,x,1\n`, 'f')).rejects.toThrow(/^f line 5 has 3 cells under 33 columns;/);
  });

  // 4096 tokens of context for each of two requests; 1 / 78.125 tokens/s = 12.8 ms.
  it('llama-benchy: TTFT through the API, TPOT from the rate of one request, the context cached', async () => {
    const run = await only(write.llamaBenchy());
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.tokens).toMatchObject({ input: { mean: 5120 }, output: { mean: 128 }, cachedTotal: 8192 });
    expect(run.load).toEqual({ kind: 'concurrency', size: 2 });
    const table = await only(write.llamaBenchyTable());
    expect(table.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    expect(table.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(table.tokens).toMatchObject({ input: { mean: 5120 }, output: { mean: 128 } });
    expect(table.load).toEqual({ kind: 'concurrency', size: 2 });
  });

  it('MLPerf LoadGen: nanoseconds, the target rate', async () => {
    const run = await only(write.mlperfSummary());
    for (const clock of ['ttft', 'tpot', 'e2e'] as const) {
      expect(run.clocks[clock]?.mean, clock).toBeCloseTo(facts[clock].mean, 8);
      expect(percentileOf(run.clocks[clock], 99), clock).toBeCloseTo(facts[clock].p99, 8);
    }
    expect(run.load).toEqual({ kind: 'rate', requestsPerSecond: 4 });
    expect(run.throughput).toEqual({ requestsPerSecond: 4, outputTokensPerSecond: 512 });
  });

  it("perf_analyzer's raw profile: responses, not tokens", async () => {
    const run = await only(write.perfAnalyzer());
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 6);
    expect(run.clocks.itl?.mean).toBeCloseTo(0.0128, 6);
    expect(run.clocks.e2e?.mean).toBeCloseTo(0.18 + 2 * 0.0128, 6);
    expect(run.clocks.tpot).toBeUndefined();
    expect(run.load).toEqual({ kind: 'concurrency', size: 2 });
  });

  it('a sum before its buckets counts (SGLang)', async () => {
    const run = await only(write.sglangMetrics());
    for (const clock of ['ttft', 'tpot', 'e2e'] as const)
      expect(run.clocks[clock]?.mean, clock).toBeCloseTo(facts[clock].mean, 9);
  });

  it('a histogram without its sum has no mean', async () => {
    const run = await only(write.sglangMetrics().replace(/^.*first_token_seconds_sum.*\n/m, ''));
    expect(run.clocks.ttft?.mean).toBeUndefined();
    expect(run.clocks.ttft?.count).toBe(240);
  });

  // 10 ms in the queue + 170 ms of prefill.
  it('TGI: TTFT from queue and prefill, TPOT from decode batches', async () => {
    const run = await only(write.tgiMetrics());
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.clocks.perToken?.mean).toBeCloseTo(1.8056 / 128, 9);
  });

  it('OpenTelemetry line by line: the last cumulative export stands, exponential buckets are read', async () => {
    const run = await only(write.openTelemetryLines());
    expect(run.clocks.ttft?.count).toBe(240);
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    // All in (0.125, 0.25]: rank 50 is half way.
    expect(percentileOf(run.clocks.ttft, 50)).toBeCloseTo(0.1875, 9);
  });

  it('OpenTelemetry deltas are added', async () => {
    const text = write.openTelemetryLines().replaceAll('"aggregationTemporality":2', '"aggregationTemporality":1');
    const { clocks } = await only(text);
    expect(clocks.ttft?.count).toBe(360);
    expect(clocks.ttft?.mean).toBeCloseTo(0.18, 9);
  });
});

describe('requests without number', () => {
  // 120,000 requests: means over all of them, one by one only every third.
  it('are counted in columns, and kept one by one in part', () => {
    const requests = requestColumns('f');
    for (let index = 0; index < 120_000; index++) {
      requests.add({ start: 5 + index, ttft: index % 2 === 0 ? 0.1 : 0.3, output: 10, failed: index === 7 });
    }
    const { completed, failed, clocks, timings } = requests.end();
    expect([completed, failed]).toEqual([119_999, 1]);
    expect(clocks.ttft?.count).toBe(119_999);
    expect(clocks.ttft?.mean).toBeCloseTo(0.2, 5);
    expect(timings).toHaveLength(40_000);
    expect(timings[1]).toEqual({ start: 3, ttft: 0.3, output: 10 });
  });
});

describe('variants of tools', () => {
  it.each([
    ['indented', JSON.stringify(vllmBench(), undefined, 2) + '\n' + JSON.stringify(vllmBench(), undefined, 2)],
    ['without a line between', JSON.stringify(vllmBench()) + JSON.stringify(vllmBench())],
  ])('vLLM runs appended %s', async (_, text) => {
    expect((await readBenchmark(text, 'f')).runs).toHaveLength(2);
  });

  it('vLLM metadata are texts of the user', async () => {
    const tensor = async (value: unknown): Promise<unknown> =>
      (await only({ ...vllmBench(), tensor_parallel_size: value })).setting.tensor;
    expect(await tensor('4')).toBe(4);
    expect(await tensor(4)).toBe(4);
    expect(await tensor('auto')).toBeUndefined();
  });

  it('a ramp is no load of its own', async () => {
    const run = await only({
      ...vllmBench(),
      request_rate: 'inf',
      ramp_up_strategy: 'linear',
      ramp_up_start_rps: 1,
      ramp_up_end_rps: 10,
    });
    expect(run.load).toEqual({ kind: 'unknown' });
    expect(run.notes.at(-1)).toBe(
      'The rate rose from 1 to 10 requests/s during the run: its figures belong to no one load.',
    );
  });

  it('failed requests of llmperf take no part', async () => {
    const good = {
      error_code: null,
      inter_token_latency_s: 1.8056 / 128,
      ttft_s: 0.18,
      end_to_end_latency_s: 1.8056,
      number_output_tokens: 128,
    };
    const failed = { ...good, error_code: 429, inter_token_latency_s: 0, ttft_s: 0, end_to_end_latency_s: 0 };
    const run = await only([good, failed]);
    expect(run.clocks.perToken?.mean).toBeCloseTo(1.8056 / 128, 9);
    expect(run.requests).toEqual({ completed: 1, failed: 1 });
  });

  it('rows of the InferenceX database', async () => {
    const row = { config_id: 1, benchmark_type: 'single_turn', isl: 1024, osl: 128, conc: 64 };
    const run = await only([{ ...row, metrics: { tput_per_gpu: 4200, median_ttft: 0.18, median_tpot: 0.0128 } }]);
    expect(percentileOf(run.clocks.ttft, 50)).toBe(0.18);
    expect(run.load).toEqual({ kind: 'concurrency', size: 64 });
  });

  it('llm-d reports fall back on planned lengths', async () => {
    const latency = { time_to_first_token: { units: 's', mean: 0.18 } };
    const planned = { input_seq_len: { distribution: 'fixed', value: 1000 } };
    const run = await only({
      version: '0.2.1',
      scenario: { load: { standardized: planned } },
      results: { request_performance: { aggregate: { latency } } },
    });
    expect(run.tokens.input?.mean).toBe(1000);
  });

  it('cached tokens of GuideLLM where every request is listed', async () => {
    const request = { prompt_tokens: 1024, cached_tokens: 512, output_tokens: 128, time_to_first_token_ms: 180 };
    const report = (successful: number): object => ({
      metadata: { guidellm_version: '0.6.0' },
      benchmarks: [
        {
          metrics: { request_totals: { successful } },
          requests: {
            successful: [
              { ...request, request_start_time: 100 },
              { ...request, request_start_time: 101 },
            ],
          },
        },
      ],
    });
    const run = await only(report(2));
    expect(run.tokens.cachedTotal).toBe(1024);
    expect(run.timings.map(({ start }) => start)).toEqual([0, 1]);
    expect((await only(report(50))).tokens.cachedTotal).toBeUndefined();
  });

  it('a BLIS error message may hold a comma', async () => {
    const text = [
      'request_id,input_tokens,output_tokens,send_time_us,first_chunk_time_us,last_chunk_time_us,status,error_message',
      '0,1024,128,10,180010,1805610,ok,',
      '1,1024,128,10,0,0,error,"timeout, retried"',
    ].join('\n');
    const run = await only(text);
    expect(run.requests).toEqual({ asked: 2, completed: 1, failed: 1 });
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
  });
});

describe('files as they lie about', () => {
  const folder = mkdtempSync(join(tmpdir(), 'twoclocks-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const text = JSON.stringify(vllmBench());
  const file = (bytes: Uint8Array | string): string => {
    const path = join(folder, 'run.json');
    writeFileSync(path, bytes);
    return path;
  };
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

  it.each<[string, Uint8Array | string]>([
    ['gzip', gzipSync(text)],
    ['UTF-8 with a mark', `\uFEFF${text}`],
    ['UTF-16, little end first', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, big end first', swapped(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    ['lines ending in CR LF', JSON.stringify(vllmBench(), undefined, 1).replaceAll('\n', '\r\n')],
  ])('%s', async (_, bytes) => {
    const { runs } = await readBenchmarkFile(file(bytes));
    expect(runs[0]?.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
  });

  it.each<[string, Uint8Array, string]>([
    [
      'gzip cut short',
      gzipSync(text).subarray(0, 60),
      'run.json cannot be read: its compression ends in the middle, it seems to be cut short.',
    ],
    ['gzip damaged', Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3), 'run.json cannot be read:'],
    ['a byte', Uint8Array.of(0), 'run.json: this is a binary file;'],
  ])('%s is refused', async (_, bytes, sentence) => {
    await expect(readBenchmarkFile(file(bytes))).rejects.toThrow(sentence);
  });

  it.each([
    ['YAML', `benchmarks:\n${'- a: 1\n'.repeat(200_000)}`, 'f: YAML of more than 1 million characters;'],
    [
      'a table',
      `| ISL | TTFT (ms) |\n|---|---|\n${'| 1 | 2 |\n'.repeat(500_000)}`,
      'f: a table of more than 4 million',
    ],
    ['rows', `Metric,avg\n${'a (ms),1\n'.repeat(100_001)}`, 'f: more than 100,000 rows; split the file.'],
    [
      'runs',
      `{"metadata":{"guidellm_version":"1"},"benchmarks":[${'{},'.repeat(100_000)}{}]}`,
      'more than 100,000 runs',
    ],
    ['depth', `benchmarks:\n  - ${'['.repeat(3000)}`, 'f: nests deeper than 64 levels; no benchmark tool writes that.'],
    ['bad YAML', 'benchmarks:\n  - a: 1\n b: [\n', 'f line 3: not readable as YAML:'],
  ])('too much or too deep: %s', async (_, content, sentence) => {
    await expect(readBenchmark(content, 'f')).rejects.toThrow(sentence);
  });

  it('says what an unknown file looks like', async () => {
    await expect(readBenchmark('{"hello": 1}', 'f')).rejects.toThrow('(an object with the keys hello)');
    await expect(readBenchmark('<html>502\n', 'f')).rejects.toThrow("(its first line is '<html>502')");
    await expect(readBenchmark('[]', 'f')).rejects.toThrow('(an empty list)');
  });
});
