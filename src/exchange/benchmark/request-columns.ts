import { known, type RequestTiming, type RunClocks } from './benchmark-run.ts';
import { type Distribution, distributionOf } from './distribution.ts';
import { BenchmarkError, tooManyValues } from './messages.ts';
import { mostRequests } from './serving-run.ts';

/** Requests that are kept one by one; their course over time is seen in fewer as well. */
const mostKept = 50_000;

const names = ['start', 'ttft', 'tpot', 'e2e', 'input', 'output'] as const;
type Name = (typeof names)[number];

/** A request as a reader hands it over. Seconds, tokens. */
export type RequestFigures = { readonly [Key in Name]?: number | undefined } & { readonly failed: boolean };

/** A million requests of a file in columns of numbers: a tenth of what objects take. */
export interface RequestColumns {
  readonly add: (request: RequestFigures) => void;
  readonly end: () => RequestsOfFile;
}

export interface RequestsOfFile {
  readonly completed: number;
  readonly failed: number;
  readonly clocks: RunClocks;
  readonly tokens: { readonly input?: Distribution; readonly output?: Distribution };
  /** Evenly chosen where there are more than are kept. */
  readonly timings: readonly RequestTiming[];
}

/** @throws BenchmarkError from `add` for more requests than fit. */
export function requestColumns(where: string): RequestColumns {
  const columns: Readonly<Record<Name, number[]>> = { start: [], ttft: [], tpot: [], e2e: [], input: [], output: [] };
  const failures: boolean[] = [];
  return {
    add(request) {
      if (failures.length >= mostRequests) throw new BenchmarkError(tooManyValues(where, 'requests', mostRequests));
      for (const name of names) columns[name].push(request[name] ?? Number.NaN);
      failures.push(request.failed);
    },
    end() {
      const spread = (name: Name): Distribution | undefined =>
        distributionOf(columns[name].filter((value, index) => !Number.isNaN(value) && failures[index] !== true));
      const failed = failures.filter((each) => each).length;
      return {
        completed: failures.length - failed,
        failed,
        clocks: known({ ttft: spread('ttft'), tpot: spread('tpot'), e2e: spread('e2e') }),
        tokens: known({ input: spread('input'), output: spread('output') }),
        timings: timingsOf(columns, failures),
      };
    },
  };
}

function timingsOf(
  columns: Readonly<Record<Name, readonly number[]>>,
  failures: readonly boolean[],
): readonly RequestTiming[] {
  const earliest = columns.start.reduce((least, start) => (start < least ? start : least), Infinity);
  const step = Math.max(1, Math.ceil(failures.length / mostKept));
  const timings: RequestTiming[] = [];
  for (let index = 0; index < failures.length; index += step) {
    const at = (name: Name): number | undefined => {
      const value = columns[name][index] ?? Number.NaN;
      return Number.isNaN(value) ? undefined : value;
    };
    const start = at('start');
    timings.push(
      known({
        start: start === undefined ? undefined : start - earliest,
        ttft: at('ttft'),
        e2e: at('e2e'),
        input: at('input'),
        output: at('output'),
        failed: failures[index] === true ? true : undefined,
      }),
    );
  }
  return timings;
}
