import { estimateWith, prepare } from '../../../estimate.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import type { Workload } from '../../../profile/workload.ts';
import type { CompiledDeployment } from '../../../serving/compiled.ts';
import { type CostFactors, withCosts } from '../../../whatif/scaled.ts';
import { quickOutcomeOf } from '../../../whatif/quick-outcome.ts';
import { grows } from '../../grows.ts';
import { headingOf } from '../heading-of.ts';
import type { TornadoClock, TornadoData } from '../tornado.ts';

/** How far every input is moved. */
const step = 0.2;

/** Rows that move a clock by less than this share are left out. */
const nothing = 0.002;

interface Input {
  readonly label: string;
  readonly asked: (factor: number) => readonly [CompiledDeployment, Workload];
}

/** Both clocks with each input a fifth less and a fifth more: rates of the device, overheads, load and lengths. */
export function tornadoData(scenario: Scenario): TornadoData {
  const prepared = prepare(scenario.deployment, scenario.grade);
  const { workload } = scenario;
  const { compiled } = prepared;
  const now = estimateWith(prepared, workload);
  const base = quickOutcomeOf(compiled, workload);
  const inputs = inputsOf(compiled, workload).map(({ label, asked }) => ({
    label,
    less: quickOutcomeOf(...asked(1 - step)),
    more: quickOutcomeOf(...asked(1 + step)),
  }));
  const clock = (name: 'ttft' | 'tpot'): TornadoClock => ({
    name: name.toUpperCase(),
    seconds: base[name],
    inputs: inputs
      .map(({ label, less, more }) => ({ label, less: less[name], more: more[name] }))
      .filter(({ less, more }) => span(base[name], less, more) > nothing * base[name])
      .toSorted((a, b) => span(base[name], b.less, b.more) - span(base[name], a.less, a.more)),
  });
  return {
    heading: headingOf(
      'Which inputs the clocks are sensitive to',
      scenario,
      now,
      'Each input a fifth less and a fifth more than assumed, all else as it is.',
    ),
    words: { less: '−20 %', more: '+20 %' },
    clocks: [...(grows(now) ? [] : [clock('ttft')]), ...(workload.output > 1 ? [clock('tpot')] : [])].filter(
      ({ inputs: rows }) => rows.length > 0,
    ),
  };
}

const span = (base: number, less: number, more: number): number =>
  Math.max(base, less, more) - Math.min(base, less, more);

function inputsOf(compiled: CompiledDeployment, workload: Workload): readonly Input[] {
  // A rate of 1.2 costs 1 / 1.2; an overhead of 1.2 costs 1.2.
  const rate = (label: string, names: readonly (keyof CostFactors)[]): Input => ({
    label,
    asked: (factor) => [withCosts(compiled, Object.fromEntries(names.map((name) => [name, 1 / factor]))), workload],
  });
  const cost = (label: string, names: readonly (keyof CostFactors)[]): Input => ({
    label,
    asked: (factor) => [withCosts(compiled, Object.fromEntries(names.map((name) => [name, factor]))), workload],
  });
  const { load, prompt, cached, output } = workload;
  const size = load.kind === 'rate' ? load.requestsPerSecond : load.size;
  return [
    rate('FLOP/s', ['compute']),
    rate('memory bandwidth', ['weight-bandwidth', 'kv-bandwidth', 'activation-bandwidth']),
    rate('link bandwidth', ['link-bandwidth']),
    cost('link latency', ['link-latency']),
    cost('overhead', ['overhead']),
    ...(load.kind !== 'rate' && size === 1
      ? []
      : [
          {
            label: load.kind === 'rate' ? 'arrival rate' : load.kind === 'batch' ? 'batch' : 'requests in flight',
            asked: (factor: number) => [compiled, { ...workload, load: scaled(load, factor) }] as const,
          },
        ]),
    {
      label: 'prompt tokens',
      asked: (factor) => [compiled, { ...workload, prompt: prompt * factor, cached: cached * factor }],
    },
    ...(output > 1
      ? [
          {
            label: 'output tokens',
            asked: (factor: number) => [compiled, { ...workload, output: output * factor }] as const,
          },
        ]
      : []),
  ];
}

const scaled = (load: Workload['load'], factor: number): Workload['load'] =>
  load.kind === 'rate'
    ? { kind: 'rate', requestsPerSecond: load.requestsPerSecond * factor }
    : { kind: load.kind, size: load.size * factor };
