import { type BenchmarkRun, known, newRun, type RequestTiming, type RunLoad } from './benchmark-run.ts';
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
import { BenchmarkError, noRuns, tooManyValues } from './messages.ts';
import { clocksOf, mostRequests } from './serving-run.ts';

/*
 * profile_export.json of perf_analyzer (profile_data_exporter.cc), from which GenAI-Perf makes its tables: time stamps
 * of requests and of their responses in ns. It counts responses, not tokens.
 */

export const isPerfAnalyzer = (value: unknown): boolean =>
  has(value, 'experiments') &&
  Array.isArray(value['experiments']) &&
  has(value['experiments'][0], 'experiment', 'requests');

export function readPerfAnalyzer(value: unknown, where: string): readonly BenchmarkRun[] {
  const experiments = recordsAt(recordOf(value, where), 'experiments');
  if (experiments.length === 0) throw new BenchmarkError(noRuns(where, 'perf_analyzer', 'an experiment'));
  return experiments.map((experiment) => {
    const requests = recordsAt(experiment, 'requests');
    if (requests.length > mostRequests) throw new BenchmarkError(tooManyValues(where, 'requests', mostRequests));
    return runOf(experiment, requests.map(stampsOf));
  });
}

interface Stamps {
  readonly start: number;
  readonly responses: readonly number[];
}

const stampsOf = (request: ForeignRecord): Stamps => ({
  start: (numberAt(request, 'timestamp') ?? 0) * 1e-9,
  responses: (numbersAt(request, 'response_timestamps') ?? []).map((stamp) => stamp * 1e-9),
});

function runOf(experiment: ForeignRecord, requests: readonly Stamps[]): BenchmarkRun {
  const earliest = requests.reduce((least, { start }) => Math.min(least, start), Infinity);
  const latest = requests.reduce((most, { responses }) => Math.max(most, responses.at(-1) ?? 0), 0);
  const timings = requests.map(({ start, responses }): RequestTiming => {
    const [first, last] = [responses[0], responses.at(-1)];
    if (first === undefined || last === undefined || first < start || last < first) {
      return { start: start - earliest, failed: true };
    }
    const gaps = responses.slice(1).map((stamp, index) => stamp - (responses[index] ?? stamp));
    return {
      start: start - earliest,
      ttft: first - start,
      e2e: last - start,
      gaps: { sum: last - first, count: gaps.length, empty: gaps.filter((gap) => gap < 1e-4).length },
    };
  });
  const done = timings.filter(({ failed }) => failed !== true);
  const gaps = done.reduce((sum, { gaps: own }) => sum + (own?.count ?? 0), 0);
  const decode = done.reduce((sum, { gaps: own }) => sum + (own?.sum ?? 0), 0);
  const seconds = latest > earliest ? latest - earliest : undefined;
  return newRun({
    tool: 'perf_analyzer',
    where: `${experiment.where} ${experiment.path}`,
    kind: 'client',
    ...known({ seconds }),
    load: loadOf(innerAt(experiment, 'experiment')),
    requests: { completed: done.length, failed: timings.length - done.length },
    clocks: { ...clocksOf(timings), ...(gaps === 0 ? {} : { itl: { mean: decode / gaps, percentiles: [] } }) },
    throughput: seconds === undefined ? {} : { requestsPerSecond: done.length / seconds },
    timings,
    notes: [
      'perf_analyzer counts responses, not tokens: ITL is the time between responses; give the _genai_perf.json beside it for TPOT.',
    ],
  });
}

function loadOf(experiment: ForeignRecord | undefined): RunLoad {
  const [mode, value] = experiment === undefined ? [] : [textAt(experiment, 'mode'), numberAt(experiment, 'value')];
  if (value === undefined || value === 0) return { kind: 'unknown' };
  if (mode === 'concurrency') return { kind: 'concurrency', size: value };
  return mode === 'request_rate' ? { kind: 'rate', requestsPerSecond: value } : { kind: 'unknown' };
}
