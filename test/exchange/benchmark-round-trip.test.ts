import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { percentileOf } from '../../src/exchange/benchmark/distribution.ts';
import { readBenchmark } from '../../src/exchange/benchmark/read-benchmark.ts';
import * as write from '../support/benchmark-writers.ts';
import { runs } from '../support/thorough.ts';

/** Any run: clocks from microseconds to minutes, percentiles in order. */
const spread = fc
  .array(fc.double({ min: 1e-6, max: 300, noNaN: true }), { minLength: 4, maxLength: 4 })
  .map((values) => values.toSorted((a, b) => a - b))
  .map(([p50 = 0, mean = 0, p95 = 0, p99 = 0]) => ({ mean, p50, p95, p99 }));

const anyRun: fc.Arbitrary<write.BenchmarkFacts> = fc.record({
  model: fc.stringMatching(/^[a-z][a-z0-9./-]{0,30}$/),
  requests: fc.integer({ min: 1, max: 1e6 }),
  seconds: fc.double({ min: 0.1, max: 1e5, noNaN: true }),
  rate: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
  input: fc.integer({ min: 1, max: 1e6 }),
  output: fc.integer({ min: 2, max: 1e6 }),
  ttft: spread,
  tpot: spread,
  e2e: spread,
});

const formats: Readonly<Record<string, (run: write.BenchmarkFacts) => string>> = {
  'vllm bench serve': (run) => JSON.stringify(write.vllmBench(run)),
  'SGLang bench_serving': (run) => JSON.stringify(write.sglangBench(run)),
  'GuideLLM JSON': (run) => JSON.stringify(write.guideLlm(run)),
  'GuideLLM YAML': (run) => stringify(write.guideLlm(run)),
  'GuideLLM CSV': (run) => write.guideLlmCsv(run),
  AIPerf: (run) => JSON.stringify(write.aiperf(run)),
  'AIPerf CSV': (run) => write.aiperfCsv(run),
  'GenAI-Perf': (run) => JSON.stringify(write.genAiPerf(run)),
  'inference-perf': (run) => JSON.stringify(write.inferencePerf(run)),
  'llm-d report': (run) => JSON.stringify(write.llmdReport(run)),
  InferenceX: (run) => JSON.stringify(write.inferenceX(run)),
};

describe('what a tool writes of any run is read back, whatever its unit', () => {
  it.each(Object.entries(formats))('%s', async (_, format) => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (written) => {
        const [read] = (await readBenchmark(format(written), 'f')).runs;
        for (const clock of ['ttft', 'tpot', 'e2e'] as const) {
          const distribution = read?.clocks[clock];
          expect((distribution?.mean ?? 0) / written[clock].mean).toBeCloseTo(1, 9);
          for (const rank of [50, 95, 99] as const) {
            expect((percentileOf(distribution, rank) ?? 0) / written[clock][`p${rank}`]).toBeCloseTo(1, 9);
          }
        }
      }),
      runs(30),
    );
  });
});
