import { deviceCount } from '../profile/scenario.ts';
import type { ParameterName } from './calibration-parameter.ts';
import type { CalibrationRow } from './calibration-row.ts';

/** What varies over the rows, by which parameters are identified or not. */
export interface Design {
  readonly title: string;
  /** Profile names. */
  readonly hardware: string;
  readonly engine: string;
  readonly rows: number;
  readonly clocks: ReadonlySet<CalibrationRow['clock']>;
  readonly models: ReadonlySet<string>;
  readonly tensors: ReadonlySet<number>;
  /** Requests in flight or in a batch. */
  readonly sizes: ReadonlySet<number>;
  readonly prompts: ReadonlySet<number>;
}

export function designOf(rows: readonly CalibrationRow[]): Design {
  const set = <T>(of: (row: CalibrationRow) => T): ReadonlySet<T> => new Set(rows.map(of));
  const [first] = rows;
  const models = set(({ scenario }) => scenario.deployment.model.title);
  const devices = set(({ scenario }) => deviceCount(scenario.deployment.parallelism));
  const { hardware, engine } = first?.scenario.deployment ?? {};
  return {
    title: `${[...models].slice(0, 3).join(', ')} on ${[...devices].join(', ')} x ${hardware?.title ?? ''}, ${engine?.title ?? ''}`,
    hardware: hardware?.name ?? '',
    engine: engine?.name ?? '',
    rows: rows.length,
    clocks: set(({ clock }) => clock),
    models,
    tensors: set(({ scenario }) => scenario.deployment.parallelism.tensor),
    sizes: set(({ scenario: { workload } }) =>
      workload.load.kind === 'rate' ? workload.load.requestsPerSecond : workload.load.size,
    ),
    prompts: set(({ scenario }) => scenario.workload.prompt),
  };
}

/** Why the rows cannot identify a parameter whatever their values; undefined where they may. */
export function missingVariation(name: ParameterName, { clocks, models, tensors, sizes }: Design): string | undefined {
  switch (name) {
    case 'linkLatency':
      if ([...tensors].every((ranks) => ranks === 1)) return 'no row has more than one tensor rank';
      return tensors.size < 2
        ? `all rows have ${[...tensors].join('')} tensor ranks: latency cannot be told from other overhead`
        : undefined;
    case 'layer':
      return models.size < 2 ? 'all rows are of one model: it cannot be told from the overhead of a step' : undefined;
    case 'sequence':
      return sizes.size < 2 ? 'no variation of batch or concurrency' : undefined;
    case 'request':
      return clocks.has('ttft') || clocks.has('e2e') ? undefined : 'no row has TTFT or E2E';
    case 'memory':
      return clocks.has('tpot') || clocks.has('e2e')
        ? undefined
        : 'no row has TPOT or E2E: what prefill takes from memory says little of decode';
    case 'step':
    case 'compute':
      return undefined;
  }
}
