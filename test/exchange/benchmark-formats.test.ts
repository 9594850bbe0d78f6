import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { BenchmarkRun } from '../../src/exchange/benchmark/benchmark-run.ts';
import { percentileOf } from '../../src/exchange/benchmark/distribution.ts';
import { readBenchmark } from '../../src/exchange/benchmark/read-benchmark.ts';
import * as client from '../support/benchmark-writers.ts';
import * as server from '../support/benchmark-server-writers.ts';

const write = { ...client, ...server };

const { facts } = write;

async function only(source: string | object): Promise<BenchmarkRun> {
  const { runs } = await readBenchmark(typeof source === 'string' ? source : JSON.stringify(source), 'file');
  const [run] = runs;
  if (run === undefined || runs.length !== 1) throw new Error(`expected one run, not ${runs.length}`);
  return run;
}

/** Formats that hold all three clocks with percentiles. */
const full: Readonly<Record<string, string | object>> = {
  'vllm bench serve': write.vllmBench(),
  'SGLang bench_serving': write.sglangBench(),
  'GuideLLM JSON': write.guideLlm(),
  'GuideLLM YAML': stringify(write.guideLlm()),
  'GuideLLM CSV': write.guideLlmCsv(),
  AIPerf: write.aiperf(),
  'AIPerf CSV': write.aiperfCsv(),
  'GenAI-Perf': write.genAiPerf(),
  'inference-perf': write.inferencePerf(),
  'llm-d report': write.llmdReport(),
  'llm-d report YAML': stringify(write.llmdReport()),
  InferenceX: write.inferenceX(),
};

describe('every client format says the same of one run, in seconds', () => {
  it.each(Object.entries(full))('%s', async (_, file) => {
    const run = await only(file);
    for (const clock of ['ttft', 'tpot', 'e2e'] as const) {
      expect(run.clocks[clock]?.mean, clock).toBeCloseTo(facts[clock].mean, 9);
      for (const rank of [50, 95, 99] as const) {
        expect(percentileOf(run.clocks[clock], rank), `${clock} p${rank}`).toBeCloseTo(facts[clock][`p${rank}`], 9);
      }
    }
    expect(run.kind).toBe('client');
  });

  it.each(Object.entries(full).filter(([name]) => name !== 'InferenceX'))(
    '%s: 240 requests / 60 s = 4/s',
    async (_, file) => {
      expect((await only(file)).throughput.requestsPerSecond).toBeCloseTo(4, 9);
    },
  );

  it.each(Object.entries(full).filter(([name]) => !/CSV|InferenceX|AIPerf CSV/.test(name)))(
    '%s: the load is 4 requests/s',
    async (_, file) => {
      expect((await only(file)).load).toEqual({ kind: 'rate', requestsPerSecond: 4 });
    },
  );

  it.each(Object.entries(full).filter(([name]) => !/vllm|SGLang/.test(name)))(
    '%s: 1024 tokens in, 128 out',
    async (_, file) => {
      const { tokens } = await only(file);
      expect(tokens.input?.mean).toBeCloseTo(1024, 9);
      expect(tokens.output?.mean).toBeCloseTo(128, 9);
    },
  );
});

describe('time per output token is told apart', () => {
  // E2E / n = 1.8056 / 128 = 14.106 ms includes the first token; TPOT = 12.8 ms does not.
  it('GuideLLM: its TPOT is E2E / n and goes aside, its ITL is TPOT', async () => {
    const run = await only(write.guideLlm());
    expect(run.clocks.perToken?.mean).toBeCloseTo(1.8056 / 128, 9);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.notes[0]).toContain('includes the first token');
  });

  it('GuideLLM before 0.4: no metadata, the strategy among the arguments', async () => {
    const metrics = write.guideLlmMetrics();
    const run = await only({ benchmarks: [{ args: { strategy: { type_: 'concurrent', streams: 8 } }, metrics }] });
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.load).toEqual({ kind: 'concurrency', size: 8 });
    expect(run.toolVersion).toBeUndefined();
  });

  // (1.8056 - 0.18) / 127 = 0.0128
  it('llmperf: its ITL is E2E / n; TPOT comes from TTFT and E2E', async () => {
    const run = await only(write.llmperfSummary());
    expect(run.clocks.perToken?.mean).toBeCloseTo(1.8056 / 128, 9);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.clocks.tpot?.percentiles).toEqual([]);
    expect(percentileOf(run.clocks.ttft, 99)).toBeCloseTo(0.33, 9);
    expect(run.load).toEqual({ kind: 'concurrency', size: 5 });
    const each = await only(write.llmperfResponses());
    expect(each.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(each.timings).toHaveLength(5);
  });
});

describe('vLLM', () => {
  it('appended runs are one run a line', async () => {
    const text = [write.vllmBench(), write.vllmBench({ ...facts, rate: 8 })]
      .map((each) => JSON.stringify(each))
      .join('\n');
    const { runs, format } = await readBenchmark(text, 'runs.json');
    expect(format).toBe('vllm bench serve');
    expect(runs.map(({ load }) => load)).toEqual([
      { kind: 'rate', requestsPerSecond: 4 },
      { kind: 'rate', requestsPerSecond: 8 },
    ]);
    expect(runs[1]?.where).toBe('runs.json line 2');
  });

  // Two requests: 0.1 + (0.01 + 0.03) = 0.14 s, TPOT 0.02; 0.2 + 0.02 = 0.22 s, TPOT 0.02.
  it('details are seconds and give what the summary leaves out', async () => {
    const file = Object.fromEntries(
      Object.entries(write.vllmBench()).filter(([key]) => !key.includes('e2el') && !key.includes('tpot')),
    );
    const run = await only({
      ...file,
      input_lens: [10, 20],
      output_lens: [3, 2],
      ttfts: [0.1, 0.2],
      itls: [[0.01, 0.03], [0.02]],
      errors: ['', ''],
    });
    expect(run.timings.map(({ e2e }) => e2e)).toEqual([expect.closeTo(0.14, 12), expect.closeTo(0.22, 12)]);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.02, 12);
    expect(run.clocks.ttft?.mean, 'what the tool computed stands').toBeCloseTo(0.18, 9);
  });

  it('an infinite rate with a limit is a concurrency, without one all at once', async () => {
    const closed = await only({ ...write.vllmBench(), request_rate: 'inf', max_concurrency: 16 });
    expect(closed.load).toEqual({ kind: 'concurrency', size: 16 });
    const open = await only(JSON.stringify(write.vllmBench()).replace('"request_rate":4', '"request_rate":Infinity'));
    expect(open.load).toEqual({ kind: 'all-at-once', requests: 240 });
  });

  it('latency and throughput commands', async () => {
    const latency = await only({ avg_latency: 1.2, latencies: [1.1, 1.3], percentiles: { 50: 1.2, 99: 1.3 } });
    expect(latency.clocks.e2e?.mean).toBe(1.2);
    expect(percentileOf(latency.clocks.e2e, 99)).toBe(1.3);
    const rate = await only({
      elapsed_time: 10,
      num_requests: 50,
      total_num_tokens: 5000,
      requests_per_second: 5,
      tokens_per_second: 500,
    });
    expect(rate.throughput).toEqual({ requestsPerSecond: 5, totalTokensPerSecond: 500 });
  });

  // 240 requests at 0.144 s prefill and 0.036 s queue: the sums over the counts are the means.
  it('metrics split TTFT into queue and prefill', async () => {
    const run = await only(write.vllmMetrics());
    expect(run.clocks.queue?.mean).toBeCloseTo(0.036, 9);
    expect(run.clocks.prefill?.mean).toBeCloseTo(0.144, 9);
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    // All 240 lie in (0.1, 0.25]: rank 50 is half way, 0.175.
    expect(percentileOf(run.clocks.ttft, 50)).toBeCloseTo(0.175, 9);
    expect(run.observed).toMatchObject({
      running: 7,
      waiting: 0,
      keyValueShare: 0.42,
      prefixHitShare: 0.25,
      preemptions: 0,
    });
    expect(run.requests.completed).toBe(240);
    expect(run.tokens.outputTotal).toBe(240 * 128);
    expect(run.setting).toEqual({ engine: 'vllm', model: 'acme/Tiny-8B' });
  });

  it('log and start-up lines', async () => {
    const run = await only(write.vllmLog());
    expect(run.setting).toMatchObject({
      engineVersion: '0.11.0',
      model: 'acme/Tiny-8B',
      tensor: 2,
      keyValueTokens: 389872,
    });
    expect(run.setting.weightBytes).toBeCloseTo(14.99 * 2 ** 30, 0);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.samples).toHaveLength(6);
    expect(run.seconds).toBe(50);
    expect(run.observed).toMatchObject({ running: 7, prefixHitShare: 0.25 });
    expect(run.observed.keyValueShare).toBeCloseTo(0.123, 9);
  });
});

describe('other tools', () => {
  it('AIPerf records are requests', async () => {
    const run = await only(write.aiperfRecords());
    expect(run.timings).toHaveLength(240);
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.clocks.e2e?.mean).toBeCloseTo(1.8056, 9);
  });

  it('SGLang log', async () => {
    const run = await only(write.sglangLog());
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.observed.prefixHitShare).toBe(0.25);
    expect(run.setting.keyValueTokens).toBe(389872);
  });

  it('SGLang and TGI metrics', async () => {
    const text = [
      'sglang:num_running_reqs{model_name="m"} 3.0',
      'sglang:token_usage{model_name="m"} 0.5',
      'sglang:cache_hit_rate{model_name="m"} 0.1',
    ].join('\n');
    expect((await only(text)).observed).toEqual({ running: 3, keyValueShare: 0.5, prefixHitShare: 0.1 });
    const tgi = [
      'tgi_queue_size 2',
      'tgi_batch_current_size 4',
      'tgi_request_duration_bucket{le="1"} 5',
      'tgi_request_duration_bucket{le="+Inf"} 10',
      'tgi_request_duration_sum 12',
      'tgi_request_duration_count 10',
    ].join('\n');
    const run = await only(tgi);
    expect(run.observed).toEqual({ running: 4, waiting: 2 });
    expect(run.clocks.e2e?.mean).toBeCloseTo(1.2, 9);
  });

  it('OpenTelemetry histograms', async () => {
    const run = await only(write.openTelemetry());
    expect(run.kind).toBe('server');
    expect(run.setting.model).toBe('acme/Tiny-8B');
    for (const clock of ['ttft', 'tpot', 'e2e'] as const)
      expect(run.clocks[clock]?.mean).toBeCloseTo(facts[clock].mean, 9);
  });

  it('inference-perf requests', async () => {
    const run = await only(write.inferencePerfRequests());
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
  });

  it('InferenceX: throughput per GPU times two GPUs', async () => {
    const run = await only(write.inferenceX());
    expect(run.throughput).toEqual({ outputTokensPerSecond: 4200, totalTokensPerSecond: 8400 });
    expect(run.setting).toMatchObject({ hardware: 'h200', tensor: 2, devices: 2, weights: 'fp8' });
  });

  it('a sweep table', async () => {
    const run = await only(write.sweepTable());
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    expect(run.load).toEqual({ kind: 'concurrency', size: 1 });
  });

  // Sent at 0 and 1 s; first chunks after 0.18 s, last after 1.8056 s.
  it('BLIS traces with their times', async () => {
    const run = await only(write.blisTrace());
    expect(run.clocks.ttft?.mean).toBeCloseTo(0.18, 9);
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.seconds).toBeCloseTo(2.8056, 9);
  });

  it('traces of arrivals are named as such', async () => {
    await expect(
      readBenchmark('TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.97,4808,10\n', 'f'),
    ).rejects.toThrow(
      'f: a trace of arrivals (azure): it holds lengths and times of arrival, but no clocks to look at; give it to simulate.',
    );
    await expect(
      readBenchmark('{"timestamp":27,"input_length":6955,"output_length":52,"hash_ids":[46]}\n', 'f'),
    ).rejects.toThrow('(mooncake)');
  });

  it('llama.cpp timing lines', async () => {
    const run = await only(write.llamaTimings());
    expect(run.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(run.clocks.prefill?.mean).toBeCloseTo(0.18, 9);
  });
});

describe('llama-bench in every output', () => {
  const forms: Readonly<Record<string, string>> = {
    json: JSON.stringify(write.llamaBenchRows()),
    jsonl: write
      .llamaBenchRows()
      .map((row) => JSON.stringify(row))
      .join('\n'),
    csv: write.llamaBenchCsv(),
    sql: write.llamaBenchSql(),
    md: write.llamaBenchTable(),
  };
  // 512 tokens in 74 ms; 128 tokens of 12.8 ms each.
  it.each(Object.entries(forms))('%s', async (_, text) => {
    const { runs } = await readBenchmark(text, 'bench');
    expect(runs).toHaveLength(2);
    expect(runs[0]?.clocks.prefill?.mean).toBeCloseTo(0.074, 9);
    expect(runs[0]?.throughput.inputTokensPerSecond).toBeCloseTo(512 / 0.074, 4);
    expect(runs[1]?.clocks.tpot?.mean).toBeCloseTo(0.0128, 9);
    expect(runs[1]?.kind).toBe('kernel');
    expect((runs[1]?.setting.weightBytes ?? 0) / 2 ** 30).toBeCloseTo(4.58, 2);
  });
});
