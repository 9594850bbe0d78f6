import { type BenchmarkRun, known, newRun, type RequestTiming } from './benchmark-run.ts';
import { distributionOf } from './distribution.ts';
import type { LineReader } from './line-reader.ts';
import { BenchmarkError, noRuns, tooManyValues } from './messages.ts';
import { lengths, mostRequests } from './serving-run.ts';

/*
 * Timing lines of llama-server and llama-cli (common_perf_print, slot print_timing):
 * 'prompt eval time = 2907.77 ms / 17 tokens ( 171.05 ms per token, ...)' and 'eval time = 15.00 ms / 348 runs'.
 */

const promptLine = /prompt eval time\s*=\s*(\d{1,15}(?:\.\d{1,20})?)\s*ms\s*\/\s*(\d{1,15})\s*tokens/;
const evalLine = /(?<!prompt )\beval time\s*=\s*(\d{1,15}(?:\.\d{1,20})?)\s*ms\s*\/\s*(\d{1,15})\s*(?:tokens|runs)/;
const looked = 1000;

export const isLlamaTimings = (head: string): boolean => promptLine.test(head);

export function llamaTimings(where: string): LineReader<string> {
  const timings: (RequestTiming & { readonly prefill: number; readonly decode: number; readonly steps: number })[] = [];
  let open: { readonly prefill: number; readonly input: number } | undefined;
  return {
    line(text) {
      const line = text.slice(0, looked);
      const prompt = promptLine.exec(line);
      if (prompt !== null) {
        open = { prefill: Number(prompt[1]) * 1e-3, input: Number(prompt[2]) };
        return;
      }
      const generation = evalLine.exec(line);
      if (generation === null || open === undefined) return;
      if (timings.length >= mostRequests) throw new BenchmarkError(tooManyValues(where, 'requests', mostRequests));
      const [decode, steps] = [Number(generation[1]) * 1e-3, Number(generation[2])];
      timings.push({
        ...open,
        input: open.input,
        output: steps,
        decode,
        steps,
        ttft: open.prefill,
        e2e: open.prefill + decode,
      });
      open = undefined;
    },
    end(): readonly BenchmarkRun[] {
      const told = timings.filter(({ input = 0, steps }) => input > 0 && steps > 0);
      if (told.length === 0)
        throw new BenchmarkError(noRuns(where, 'llama.cpp', "a pair of lines 'prompt eval time' and 'eval time'"));
      return [
        newRun({
          tool: 'llama.cpp timings',
          where,
          kind: 'server',
          setting: { engine: 'llama.cpp' },
          requests: { completed: told.length },
          tokens: known({ input: lengths(told, 'input'), output: lengths(told, 'output') }),
          clocks: known({
            prefill: distributionOf(told.map(({ prefill }) => prefill)),
            ttft: distributionOf(told.map(({ prefill }) => prefill)),
            tpot: distributionOf(told.map(({ decode, steps }) => decode / steps)),
            decode: distributionOf(told.map(({ decode }) => decode)),
          }),
          timings: told.map(({ ttft, e2e, input, output }) => known({ ttft, e2e, input, output })),
          notes: [
            'Prompt tokens there are those evaluated: tokens found in the cache are not counted.',
            'TTFT here is prompt evaluation alone: queue, HTTP and sampling are not in it.',
          ],
        }),
      ];
    },
  };
}
