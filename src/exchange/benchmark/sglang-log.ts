import { known, newRun, type RunSample } from './benchmark-run.ts';
import type { LineReader } from './line-reader.ts';
import { BenchmarkError, noRuns } from './messages.ts';
import { logSeconds, meanOfSamples, sampleStore } from './sample-store.ts';

/* The log of an SGLang server: 'Decode batch. #running-req: 1, #token: 186, ... gen throughput (token/s): 178.86'. */

const decode = /Decode batch[.,].*#running-req: (\d{1,15})/;
const prefill = /Prefill batch[.,].*#new-seq: (\d{1,15}), #new-token: (\d{1,15})(?:, #cached-token: (\d{1,15}))?/;
const looked = 4000;

export const isSglangLog = (head: string): boolean => decode.test(head) || prefill.test(head);

export function sglangLog(where: string): LineReader<string> {
  const samples = sampleStore();
  let first: number | undefined;
  let fresh = 0;
  let cached = 0;
  let accepted = 0;
  let acceptances = 0;
  let keyValueTokens: number | undefined;
  return {
    line(text) {
      const line = text.slice(0, looked);
      const start = /max_total_num_tokens=(\d{1,12})\b/.exec(line)?.[1];
      if (start !== undefined) keyValueTokens = Number(start);
      const chunk = prefill.exec(line);
      if (chunk !== null) {
        fresh += Number(chunk[2]);
        cached += Number(chunk[3] ?? 0);
        return;
      }
      const found = decode.exec(line);
      if (found === null) return;
      const stamp = logSeconds(line);
      first ??= stamp;
      const number = (pattern: RegExp): number | undefined => {
        const value = pattern.exec(line)?.[1];
        return value === undefined ? undefined : Number(value);
      };
      const length = number(/accept len: (\d{1,15}(?:\.\d{1,20})?)/);
      if (length !== undefined && length > 0) {
        accepted += length;
        acceptances += 1;
      }
      samples.add(
        known({
          at: stamp === undefined || first === undefined ? undefined : Math.max(0, stamp - first),
          running: Number(found[1]),
          waiting: number(/#queue-req: (\d{1,15})/),
          keyValueShare: number(/token usage: (\d{1,15}(?:\.\d{1,20})?)/),
          outputTokensPerSecond: number(/gen throughput \(token\/s\): (\d{1,15}(?:\.\d{1,20})?)/),
        }),
      );
    },
    end() {
      const kept = samples.kept();
      if (kept.length === 0) throw new BenchmarkError(noRuns(where, 'SGLang', "a line 'Decode batch ...'"));
      const mean = (of: (sample: RunSample) => number | undefined): number | undefined => meanOfSamples(kept, of);
      const running = mean((sample) => (sample.outputTokensPerSecond === undefined ? undefined : sample.running));
      const output = mean((sample) => sample.outputTokensPerSecond);
      const last = kept.at(-1)?.at;
      return [
        newRun({
          tool: 'SGLang log',
          where,
          kind: 'server',
          setting: known({ engine: 'sglang', keyValueTokens }),
          ...known({ seconds: last === undefined || last === 0 ? undefined : last }),
          throughput: known({ outputTokensPerSecond: output }),
          observed: known({
            running,
            waiting: mean((sample) => sample.waiting),
            keyValueShare: mean((sample) => sample.keyValueShare),
            prefixHitShare: fresh + cached > 0 ? cached / (fresh + cached) : undefined,
            acceptanceLength: acceptances === 0 ? undefined : accepted / acceptances,
          }),
          clocks:
            running !== undefined && output !== undefined && output > 0
              ? { tpot: { mean: running / output, percentiles: [] } }
              : {},
          samples: kept,
          notes: ['A log has rates and counts, no clocks: TPOT is running requests over generated tokens per second.'],
        }),
      ];
    },
  };
}
