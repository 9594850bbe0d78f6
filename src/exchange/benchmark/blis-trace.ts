import { known, newRun, type RequestTiming } from './benchmark-run.ts';
import { plainNumber } from './foreign-record.ts';
import type { LineReader } from './line-reader.ts';
import { BenchmarkError, noRuns, tooManyValues, unevenLists } from './messages.ts';
import { clocksOf, lengths, mostRequests } from './serving-run.ts';
import { csvRows } from './tool-csv.ts';

/*
 * BLIS TraceV2 (inference-sim, sim/workload/tracev2.go): a header in YAML, then CSV with one request a line; times in
 * microseconds. Where requests were sent it holds both clocks of each.
 */

const columns = ['send_time_us', 'first_chunk_time_us', 'last_chunk_time_us', 'output_tokens'] as const;

export const isBlisTrace = (head: string): boolean =>
  head.split('\n').some((line) => line.startsWith('request_id,') && columns.every((name) => line.includes(name)));

export function blisTrace(where: string): LineReader<string> {
  let header: readonly string[] | undefined;
  const timings: (RequestTiming & { readonly end: number })[] = [];
  return {
    line(text, at) {
      if (header === undefined) {
        if (text.startsWith('request_id,')) header = text.trim().split(',');
        return;
      }
      if (text.trim() === '') return;
      const cells = text.includes('"') ? (csvRows(text, at)[0] ?? []) : text.trim().split(',');
      if (cells.length !== header.length) {
        throw new BenchmarkError(unevenLists(at, 'the header', 'this line', [header.length, cells.length]));
      }
      if (timings.length >= mostRequests) throw new BenchmarkError(tooManyValues(where, 'requests', mostRequests));
      const names = header;
      const number = (name: string): number | undefined => {
        const cell = cells[names.indexOf(name)] ?? '';
        return cell === '' ? undefined : plainNumber(/^\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell, at, name);
      };
      const [sent, first, last] = [number('send_time_us'), number('first_chunk_time_us'), number('last_chunk_time_us')];
      const status = cells[names.indexOf('status')] ?? 'ok';
      const failed = status !== 'ok' && status !== '';
      const after = (time: number | undefined): number | undefined =>
        sent === undefined || time === undefined || time < sent ? undefined : (time - sent) * 1e-6;
      timings.push({
        start: (sent ?? 0) * 1e-6,
        end: (last ?? 0) * 1e-6,
        ...known({
          ttft: after(first),
          e2e: after(last),
          input: number('server_input_tokens') || number('input_tokens'),
          output: number('output_tokens'),
        }),
        ...(failed ? { failed } : {}),
      });
    },
    end() {
      if (timings.length === 0) throw new BenchmarkError(noRuns(where, 'BLIS', 'a line of a request'));
      const done = timings.filter(({ failed }) => failed !== true);
      const start = timings.reduce((least, timing) => Math.min(least, timing.start ?? least), Infinity);
      const seconds = timings.reduce((most, { end }) => Math.max(most, end), 0) - start;
      return [
        newRun({
          tool: 'BLIS trace',
          where,
          kind: 'client',
          ...(seconds > 0 ? { seconds, throughput: { requestsPerSecond: done.length / seconds } } : {}),
          requests: { asked: timings.length, completed: done.length, failed: timings.length - done.length },
          tokens: known({ input: lengths(timings, 'input'), output: lengths(timings, 'output') }),
          clocks: clocksOf(timings),
          timings: timings.map(({ end: _end, start: at = 0, ...timing }) => ({ ...timing, start: at - start })),
        }),
      ];
    },
  };
}
