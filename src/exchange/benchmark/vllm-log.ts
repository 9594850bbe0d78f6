import { known, newRun, type RunSample, type RunSetting } from './benchmark-run.ts';
import type { LineReader } from './line-reader.ts';
import { BenchmarkError, harmless, noRuns } from './messages.ts';
import { logSeconds, meanOfSamples, sampleStore } from './sample-store.ts';

/*
 * The log of a vLLM server (vllm/v1/metrics/loggers.py, every 10 s) and the lines that it prints while starting.
 * Any other line is ignored: logs are full of other things.
 */

const status =
  /Avg prompt throughput: (\d{1,15}(?:\.\d{1,20})?) tokens\/s, Avg generation throughput: (\d{1,15}(?:\.\d{1,20})?) tokens\/s, Running: (\d{1,15}) reqs?,(?: Swapped: \d+ reqs?,)? (?:Waiting|Pending): (\d{1,15}) reqs?/;
const usage = /(?:GPU )?KV cache usage: (\d{1,15}(?:\.\d{1,20})?)%/;
const hitRate = /Prefix cache hit rate: (?:GPU: )?(\d{1,15}(?:\.\d{1,20})?)%/;
const startUp =
  /GPU KV cache size: [\d,]+ tokens|Model loading took [\d.]+ ?Gi?B|Maximum concurrency for [\d,]+ tokens|Initializing a V\d LLM engine/;

export const isVllmLog = (head: string): boolean => status.test(head) || startUp.test(head);

/** Longest piece of a line that is looked at; log lines with prompts in them can be long. */
const looked = 4000;

export function vllmLog(where: string): LineReader<string> {
  const samples = sampleStore();
  const setting: { -readonly [Key in keyof RunSetting]: RunSetting[Key] } = { engine: 'vllm' };
  const notes: string[] = [];
  let first: number | undefined;
  let preemptions = 0;
  return {
    line(text) {
      const line = text.slice(0, looked);
      const found = status.exec(line);
      if (found !== null) {
        const stamp = logSeconds(line);
        first ??= stamp;
        const share = usage.exec(line)?.[1];
        const hit = hitRate.exec(line)?.[1];
        const sample: RunSample = known({
          at: stamp === undefined || first === undefined ? undefined : Math.max(0, stamp - first),
          inputTokensPerSecond: Number(found[1]),
          outputTokensPerSecond: Number(found[2]),
          running: Number(found[3]),
          waiting: Number(found[4]),
          keyValueShare: share === undefined ? undefined : Number(share) / 100,
          prefixHitShare: hit === undefined ? undefined : Number(hit) / 100,
        });
        samples.add(sample);
        return;
      }
      if (line.includes('preempted')) preemptions += 1;
      readStart(line, setting, notes);
    },
    end() {
      const kept = samples.kept();
      const busy = kept.filter(
        ({ running = 0, outputTokensPerSecond = 0 }) => running > 0 || outputTokensPerSecond > 0,
      );
      if (kept.length === 0 && Object.keys(setting).length < 2) {
        throw new BenchmarkError(noRuns(where, 'vLLM', 'a status or start-up line'));
      }
      const last = kept.at(-1)?.at;
      const mean = (of: (sample: RunSample) => number | undefined): number | undefined => meanOfSamples(busy, of);
      return [
        newRun({
          tool: 'vLLM log',
          where,
          kind: 'server',
          setting,
          ...known({ seconds: last === undefined || last === 0 ? undefined : last }),
          throughput: known({
            inputTokensPerSecond: mean((sample) => sample.inputTokensPerSecond),
            outputTokensPerSecond: mean((sample) => sample.outputTokensPerSecond),
          }),
          observed: known({
            running: mean((sample) => sample.running),
            waiting: mean((sample) => sample.waiting),
            keyValueShare: mean((sample) => sample.keyValueShare),
            prefixHitShare: busy.at(-1)?.prefixHitShare,
            preemptions: preemptions === 0 ? undefined : preemptions,
          }),
          samples: kept,
          notes: [
            'A log has rates and counts, no clocks: TPOT is running requests over generated tokens per second, an average over busy samples.',
            ...notes,
          ],
          clocks: known({ tpot: tpotOf(busy) }),
        }),
      ];
    },
  };
}

/** Running requests over generated tokens/s: the time between a request's tokens, prefill steps included. */
function tpotOf(busy: readonly RunSample[]): { readonly mean: number; readonly percentiles: readonly [] } | undefined {
  const steady = busy.filter(({ running = 0, outputTokensPerSecond = 0 }) => running > 0 && outputTokensPerSecond > 0);
  const running = steady.reduce((sum, sample) => sum + (sample.running ?? 0), 0);
  const tokens = steady.reduce((sum, sample) => sum + (sample.outputTokensPerSecond ?? 0), 0);
  return tokens > 0 ? { mean: running / tokens, percentiles: [] } : undefined;
}

type OpenSetting = { -readonly [Key in keyof RunSetting]: RunSetting[Key] };

function readStart(line: string, setting: OpenSetting, notes: string[]): void {
  const cache = /GPU KV cache size: ([\d,]+) tokens/.exec(line)?.[1];
  if (cache !== undefined) setting.keyValueTokens = Number(cache.replaceAll(',', ''));
  const weights = /Model loading took (\d{1,15}(?:\.\d{1,20})?) ?(GiB|GB)/.exec(line);
  if (weights !== null) setting.weightBytes = Number(weights[1]) * 2 ** 30;
  const concurrency = /Maximum concurrency for ([\d,]+) tokens per request: (\d{1,15}(?:\.\d{1,20})?)x/.exec(line);
  if (concurrency !== null && notes.length < 4) {
    notes.push(`Room for ${concurrency[2]} requests of ${concurrency[1]} tokens each, by the start-up line.`);
  }
  const start = /Initializing a V\d LLM engine \(v([^)\s]{1,40})\)/.exec(line)?.[1];
  if (start !== undefined) {
    setting.engineVersion = harmless(start);
    const model = /model='([^']{1,200})'/.exec(line)?.[1];
    if (model !== undefined) setting.model = harmless(model);
    const tensor = Number(/tensor_parallel_size=(\d{1,5})\b/.exec(line)?.[1]);
    if (tensor > 0) setting.tensor = tensor;
    const pipeline = Number(/pipeline_parallel_size=(\d{1,5})\b/.exec(line)?.[1]);
    if (pipeline > 0) setting.pipeline = pipeline;
  }
}
