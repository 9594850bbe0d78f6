import type { Estimate } from '../estimate.ts';
import { resources } from '../roofline/resource.ts';

/** One row per clock with the units in the headers: what CSV and Markdown write. */
export interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Where requests arrive faster than they leave, TTFT and E2E have no mean: their cells say `grows` or stay empty. */
export function estimateRows({ ttft, tpot, e2e, bound, load }: Estimate): Table {
  const endless = load.stability?.verdict === 'unstable';
  const milliseconds = (seconds: number): number => seconds * 1e3;
  return {
    headers: [
      'clock',
      'prediction (ms)',
      'low (ms)',
      'high (ms)',
      'ideal floor (ms)',
      'bound by',
      ...resources.map((resource) => `${resource} (ms)`),
      'grade',
    ],
    rows: (
      [
        ['TTFT', ttft, bound.ttft],
        ['TPOT', tpot, bound.tpot],
        ['E2E', e2e, bound.e2e],
      ] as const
    ).map(([name, clock, { resource }]) => {
      const cell = (seconds: number): number | string => (endless && name !== 'TPOT' ? '' : milliseconds(seconds));
      return [
        name,
        endless && name !== 'TPOT' ? 'grows' : milliseconds(clock.seconds),
        cell(clock.low),
        cell(clock.high),
        milliseconds(clock.ideal),
        endless && name !== 'TPOT' ? 'queue' : resource,
        ...resources.map((part) => cell(clock.breakdown[part])),
        clock.grade,
      ];
    }),
  };
}
