import { aiperfRecords, isAiperfRecord } from './aiperf-records.ts';
import { isAiperfCsv, readAiperfCsv } from './aiperf-csv.ts';
import { isAiperf, readAiperf } from './aiperf.ts';
import type { BenchmarkRun } from './benchmark-run.ts';
import { blisTrace, isBlisTrace } from './blis-trace.ts';
import { recordOf } from './foreign-record.ts';
import { isGuideLlmCsv, readGuideLlmCsv } from './guidellm-csv.ts';
import { isGuideLlm, readGuideLlm } from './guidellm.ts';
import {
  isInferencePerf,
  isInferencePerfRequests,
  readInferencePerf,
  readInferencePerfRequests,
} from './inference-perf.ts';
import { isInferenceX, readInferenceX } from './inferencex.ts';
import type { LineReader } from './line-reader.ts';
import {
  isLlamaBench,
  isLlamaBenchCsv,
  isLlamaBenchList,
  isLlamaBenchSql,
  readLlamaBench,
  readLlamaBenchCsv,
  readLlamaBenchList,
  readLlamaBenchSql,
} from './llama-bench.ts';
import { isLlamaBenchTable, readLlamaBenchTable } from './llama-bench-table.ts';
import { isLlamaBenchy, isLlamaBenchyTable, readLlamaBenchy, readLlamaBenchyTable } from './llama-benchy.ts';
import { isLlamaTimings, llamaTimings } from './llama-timings.ts';
import { isLlmdReport, readLlmdReport } from './llm-d-report.ts';
import { isLlmperfResponses, isLlmperfSummary, readLlmperfResponses, readLlmperfSummary } from './llmperf.ts';
import { isMlperfSummary, readMlperfSummary } from './mlperf-summary.ts';
import { isOpenTelemetry, openTelemetry } from './open-telemetry.ts';
import { isPerfAnalyzer, readPerfAnalyzer } from './perf-analyzer.ts';
import { isServerMetrics, serverMetrics } from './server-metrics.ts';
import { isSglangBench, readSglangBench } from './sglang-bench.ts';
import { isSglangLog, sglangLog } from './sglang-log.ts';
import { isSweepTable, readSweepTable } from './sweep-table.ts';
import {
  isVllmBench,
  isVllmLatency,
  isVllmThroughput,
  readVllmBench,
  readVllmLatency,
  readVllmThroughput,
} from './vllm-bench.ts';
import { isVllmLog, vllmLog } from './vllm-log.ts';

/** A format whose file, or each line of it, is one JSON or YAML value. */
export interface ValueFormat {
  readonly name: string;
  readonly is: (value: unknown) => boolean;
  readonly read: (value: unknown, where: string) => readonly BenchmarkRun[];
}

/** In the order in which they are tried; each is told by keys that only it has. */
export const valueFormats: readonly ValueFormat[] = [
  { name: 'SGLang bench_serving', is: isSglangBench, read: readSglangBench },
  { name: 'vllm bench serve', is: isVllmBench, read: readVllmBench },
  { name: 'vllm bench latency', is: isVllmLatency, read: readVllmLatency },
  { name: 'vllm bench throughput', is: isVllmThroughput, read: readVllmThroughput },
  { name: 'GuideLLM', is: isGuideLlm, read: readGuideLlm },
  { name: 'AIPerf or GenAI-Perf', is: isAiperf, read: readAiperf },
  { name: 'llmperf summary', is: isLlmperfSummary, read: readLlmperfSummary },
  { name: 'llmperf responses', is: isLlmperfResponses, read: readLlmperfResponses },
  { name: 'inference-perf', is: isInferencePerf, read: readInferencePerf },
  { name: 'inference-perf requests', is: isInferencePerfRequests, read: readInferencePerfRequests },
  { name: 'llm-d benchmark report', is: isLlmdReport, read: readLlmdReport },
  { name: 'llama-bench', is: isLlamaBenchList, read: readLlamaBenchList },
  {
    name: 'llama-bench',
    is: isLlamaBench,
    read: (value, where) => [readLlamaBench(recordOf(value, where), where)],
  },
  { name: 'InferenceX', is: isInferenceX, read: readInferenceX },
  {
    name: 'InferenceX',
    is: (value) => Array.isArray(value) && isInferenceX(value[0]),
    read: (value, where) =>
      Array.isArray(value) ? value.flatMap((each, index) => readInferenceX(each, `${where} [${index}]`)) : [],
  },
  { name: 'llama-benchy', is: isLlamaBenchy, read: readLlamaBenchy },
  { name: 'perf_analyzer', is: isPerfAnalyzer, read: readPerfAnalyzer },
];

/** JSON lines that belong together: a request each, or an export of one collector each. */
export const recordFormats: readonly {
  readonly name: string;
  readonly is: (value: unknown) => boolean;
  readonly open: (where: string) => LineReader<unknown>;
}[] = [
  { name: 'AIPerf records', is: isAiperfRecord, open: aiperfRecords },
  { name: 'OpenTelemetry GenAI', is: isOpenTelemetry, open: openTelemetry },
];

/** Text that is read line by line: logs and metrics of any length. */
export const lineFormats: readonly {
  readonly name: string;
  readonly is: (head: string) => boolean;
  readonly open: (where: string) => LineReader<string>;
}[] = [
  { name: 'server metrics (Prometheus text)', is: isServerMetrics, open: serverMetrics },
  { name: 'vLLM log', is: isVllmLog, open: vllmLog },
  { name: 'SGLang log', is: isSglangLog, open: sglangLog },
  { name: 'llama.cpp timings', is: isLlamaTimings, open: llamaTimings },
  { name: 'BLIS trace', is: isBlisTrace, open: blisTrace },
];

/** Tables that are read whole. */
export const tableFormats: readonly {
  readonly name: string;
  readonly is: (head: string) => boolean;
  readonly read: (text: string, where: string) => readonly BenchmarkRun[];
}[] = [
  { name: 'llama-bench CSV', is: isLlamaBenchCsv, read: readLlamaBenchCsv },
  { name: 'llama-bench SQL', is: isLlamaBenchSql, read: readLlamaBenchSql },
  { name: 'llama-benchy table', is: isLlamaBenchyTable, read: readLlamaBenchyTable },
  { name: 'llama-bench table', is: isLlamaBenchTable, read: readLlamaBenchTable },
  { name: 'GuideLLM CSV', is: isGuideLlmCsv, read: readGuideLlmCsv },
  { name: 'AIPerf CSV', is: isAiperfCsv, read: readAiperfCsv },
  { name: 'Markdown sweep', is: isSweepTable, read: readSweepTable },
  { name: 'MLPerf LoadGen summary', is: isMlperfSummary, read: readMlperfSummary },
];
