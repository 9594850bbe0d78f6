import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { BenchmarkRun } from '../../src/exchange/benchmark/benchmark-run.ts';
import { BenchmarkError } from '../../src/exchange/benchmark/messages.ts';
import { type BenchmarkFile, readBenchmark } from '../../src/exchange/benchmark/read-benchmark.ts';
import { runs } from '../support/thorough.ts';
import * as client from '../support/benchmark-writers.ts';
import * as server from '../support/benchmark-server-writers.ts';
import * as other from '../support/benchmark-other-writers.ts';
import { lineFormats, recordFormats, tableFormats, valueFormats } from '../../src/exchange/benchmark/formats.ts';

const write = { ...client, ...server, ...other };

/** Every format by its value, before it is text. */
const values: Readonly<Record<string, object>> = {
  vllm: {
    ...write.vllmBench(),
    input_lens: [10, 20],
    output_lens: [3, 2],
    ttfts: [0.1, 0.2],
    itls: [[0.01, 0.03], [0.02]],
    errors: ['', ''],
  },
  sglang: write.sglangBench(),
  guideLlm: write.guideLlm(),
  aiperf: write.aiperf(),
  genAiPerf: write.genAiPerf(),
  llmperf: write.llmperfSummary(),
  llmperfResponses: write.llmperfResponses(),
  inferencePerf: write.inferencePerf(),
  inferencePerfRequests: write.inferencePerfRequests(),
  llmd: write.llmdReport(),
  inferenceX: write.inferenceX(),
  llamaBench: write.llamaBenchRows(),
  openTelemetry: write.openTelemetry(),
  llamaBenchy: write.llamaBenchy(),
  perfAnalyzer: write.perfAnalyzer(),
  vllmLatency: { avg_latency: 1.2, latencies: [1.1, 1.3], percentiles: { 50: 1.2, 99: 1.3 } },
  vllmThroughput: { elapsed_time: 10, num_requests: 50, requests_per_second: 5, tokens_per_second: 500 },
};

const texts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])),
  guideLlmYaml: stringify(write.guideLlm()),
  guideLlmCsv: write.guideLlmCsv(),
  aiperfCsv: write.aiperfCsv(),
  aiperfRecords: write.aiperfRecords({ ...write.facts, requests: 4 }),
  llamaBenchCsv: write.llamaBenchCsv(),
  llamaBenchSql: write.llamaBenchSql(),
  llamaBenchTable: write.llamaBenchTable(),
  llamaTimings: write.llamaTimings(),
  sweep: write.sweepTable(),
  vllmMetrics: write.vllmMetrics(),
  vllmLog: write.vllmLog(),
  sglangLog: write.sglangLog(),
  blisTrace: write.blisTrace(),
  guideLlmWideCsv: write.guideLlmWideCsv(),
  llamaBenchyTable: write.llamaBenchyTable(),
  mlperf: write.mlperfSummary(),
  sglangMetrics: write.sglangMetrics(),
  tgiMetrics: write.tgiMetrics(),
  openTelemetryLines: write.openTelemetryLines(),
};

it('every format that is read is fuzzed here', async () => {
  const fuzzed = new Set<string>();
  for (const text of Object.values(texts)) fuzzed.add((await readBenchmark(text, 'f')).format);
  for (const { name } of [...valueFormats, ...recordFormats, ...lineFormats, ...tableFormats])
    expect(fuzzed, name).toContain(name);
});

/** A reading, or the sentence that refuses it; anything else is a fault. */
async function read(text: string): Promise<BenchmarkFile | string> {
  try {
    return await readBenchmark(text, 'f');
  } catch (error) {
    if (error instanceof BenchmarkError) return error.message;
    throw error;
  }
}

/** Every number of a reading with its path. */
function numbersOf(value: unknown, path = ''): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersOf(inner, `${path}.${key}`));
}

function expectSane(result: BenchmarkFile | string): void {
  if (typeof result === 'string') {
    expect(result).toMatch(/^f\b.*\.$/s);
    expect(result).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(result.length).toBeLessThan(900);
    return;
  }
  for (const [path, value] of numbersOf(result.runs)) {
    // A rate may be infinite in the file, but then it is a kind of load, not a number.
    expect(value >= 0 && value < Infinity, `${path} is ${value}`).toBe(true);
  }
}

/** Places in a JSON value, as paths. */
function places(value: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...inner.flatMap(([key, each]) => places(each, [...path, key]))];
}

/** What stands at a path. */
const placeAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Object.getOwnPropertyDescriptor(inner, key)?.value : undefined,
    value,
  );

/** The value with what stands at a path replaced (undefined = removed). */
function changed(value: unknown, path: readonly (string | number)[], change: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return items.flatMap((each, index) => {
      if (index !== key) return [each];
      const next = changed(each, rest, change);
      return next === undefined ? [] : [next];
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (name !== String(key)) return [[name, each]];
      const next = changed(each, rest, change);
      return next === undefined ? [] : [[name, next]];
    }),
  );
}

const clocksOf = (found: readonly BenchmarkRun[]): ReadonlyMap<string, number> =>
  new Map(found.flatMap((run, index) => numbersOf(run.clocks, String(index))));

describe.each(Object.entries(values))('%s, mutated', (_, value) => {
  const paths = places(value);
  const whole = read(JSON.stringify(value));

  it('a removed key leaves every other figure as it was, or is refused', async () => {
    const before = await whole;
    if (typeof before === 'string') throw new Error(before);
    const expected = clocksOf(before.runs);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), async (path) => {
        const result = await read(JSON.stringify(changed(value, path, undefined) ?? null));
        expectSane(result);
        if (typeof result === 'string' || path.some((key) => typeof key === 'number')) return;
        // What is computed from several fields (details, means) may change with one of them, by definition.
        for (const [name, figure] of clocksOf(result.runs)) {
          const was = expected.get(name);
          if (was !== undefined && !/tpot|percentiles|deviation/.test(name)) expect([was, undefined]).toContain(figure);
        }
      }),
      runs(20),
    );
  });

  it('a value of another kind is refused or ignored, never turned into a number', async () => {
    const wrong = fc.constantFrom<unknown>('12', -5, true, [], {}, [[1]], '\u001b[31m', { $gt: '' }, 1e30, 'NaN', null);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), wrong, async (path, change) => {
        expectSane(await read(JSON.stringify(changed(value, path, change))));
      }),
      runs(50),
    );
  });

  it('NaN counts as not stated, Infinity never as a figure', async () => {
    const numbers = paths.filter((path) => typeof placeAt(value, path) === 'number');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...numbers),
        fc.constantFrom('NaN', 'Infinity', '-Infinity', '1e999'),
        async (path, word) => {
          const text = JSON.stringify(changed(value, path, '@@')).replace('"@@"', word);
          expectSane(await read(text));
        },
      ),
      runs(20),
    );
  });

  it('unknown keys are ignored', async () => {
    const before = await whole;
    const objects = paths.filter((path) => {
      const place = placeAt(value, path);
      return typeof place === 'object' && place !== null && !Array.isArray(place);
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...objects), fc.constantFrom('zz_new', 'x-vendor', 'Ω'), async (path, key) => {
        const place = placeAt(value, path);
        const result = await read(
          JSON.stringify(
            changed(value, path, { ...Object.fromEntries(Object.entries(place ?? {})), [key]: { deep: [1, -2, 'x'] } }),
          ),
        );
        expect(result).toEqual(before);
      }),
      runs(15),
    );
  });
});

describe.each(Object.entries(texts))('%s as text', (_, text) => {
  it('cut short anywhere: a reading of what is whole, or a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: text.length - 1 }), async (end) =>
        expectSane(await read(text.slice(0, end))),
      ),
      runs(20),
    );
  });

  it('with pieces replaced by anything: a reading or a sentence', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: text.length }),
        fc.nat(12),
        fc.string({ unit: 'binary', maxLength: 8 }),
        async (at, length, piece) => expectSane(await read(text.slice(0, at) + piece + text.slice(at + length))),
      ),
      runs(50),
    );
  });
});

describe('bad files', () => {
  const sentence = async (text: string): Promise<string> => {
    const result = await read(text);
    if (typeof result !== 'string') throw new Error('expected a refusal');
    return result;
  };

  it('says what is wrong and where, in one sentence', async () => {
    expect(await sentence('')).toBe('f: the file is empty.');
    expect(await sentence('\u0000\u0001ELF')).toBe(
      'f: this is a binary file; expected the text that a benchmark tool or server wrote.',
    );
    expect(await sentence('{"a": 1}')).toMatch(
      /^f: no known benchmark, log or metrics format \(an object with the keys a\); expected what vllm bench/,
    );
    expect(await sentence('{"completed": 1, "total')).toBe(
      'f: the JSON text ends at column 24 before its last bracket is closed, the file seems to be cut short.',
    );
    expect(await sentence(JSON.stringify({ ...write.vllmBench(), mean_ttft_ms: -3 }))).toBe(
      'f: mean_ttft_ms is -3; expected a number of at least 0.',
    );
    expect(
      await sentence(
        JSON.stringify(
          changed(write.guideLlm(), ['benchmarks', 0, 'metrics', 'request_latency', 'successful', 'mean'], 'x'),
        ),
      ),
    ).toBe("f: benchmarks[0].metrics.request_latency.successful.mean is 'x'; expected a number of at least 0.");
    expect(
      await sentence(JSON.stringify(changed(write.aiperf(), ['time_to_first_token', 'unit'], 'fortnights'))),
    ).toMatch(/^f: time_to_first_token\.unit has the unit 'fortnights'; expected ns, us, ms/);
    expect(await sentence(`${JSON.stringify(write.vllmBench())}\n${JSON.stringify(write.sglangBench())}\n`)).toBe(
      'f: line 2 is of SGLang bench_serving, the lines before of vllm bench serve; expected the output of one tool in a file.',
    );
    expect(await sentence(`${JSON.stringify(write.vllmBench())}\n{"completed": \n`)).toMatch(
      /^f line 2: the JSON text ends/,
    );
    expect(
      await sentence(
        write
          .vllmMetrics()
          .replace('le="0.25",model_name="acme/Tiny-8B"} 240', 'le="0.25",model_name="acme/Tiny-8B"} 2x'),
      ),
    ).toMatch(/^f: line \d+ is not Prometheus text; expected a number behind the name\.$/);
  });

  it('refuses depth, prototype keys and YAML bombs', async () => {
    expect(await sentence('['.repeat(100_000))).toMatch(/^f: .*deep|cut short/);
    expect(await sentence(`{"completed":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`)).toContain('64');
    expect(await sentence('{"__proto__": {"x": 1}, "completed": 1}')).toContain('__proto__');
    const bomb = `benchmarks: &a [1,1,1,1,1,1,1,1,1]\n${'bcdefghijk'
      .split('')
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghijk'[index]}`).join(',')}]`)
      .join('\n')}\n`;
    expect(await sentence(bomb)).toMatch(/^f: not readable as YAML/);
  });

  it('reads a log of any length in bounded memory', async () => {
    // 200,000 status lines, 40 MB in pieces of 1000 lines: at most 20,000 samples are kept.
    const line =
      'INFO 08-01 10:15:00 x: Engine 000: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 500.0 tokens/s, Running: 5 reqs, Waiting: 0 reqs, GPU KV cache usage: 12.3%, Prefix cache hit rate: 0.0%\n';
    const piece = line.repeat(1000);
    async function* pieces(): AsyncGenerator<string> {
      for (let index = 0; index < 200; index++) yield piece;
    }
    const { runs: found } = await readBenchmark(pieces(), 'log');
    expect(found[0]?.samples.length).toBeLessThanOrEqual(20_000);
    expect(found[0]?.clocks.tpot?.mean).toBeCloseTo(0.01, 9);
  });

  it('refuses a JSON that does not end', async () => {
    async function* pieces(): AsyncGenerator<string> {
      yield '{"a": "';
      for (let index = 0; index < 80; index++) yield 'x'.repeat(1_000_000);
    }
    await expect(readBenchmark(pieces(), 'f')).rejects.toThrow('million characters');
  });
});
