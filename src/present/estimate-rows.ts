import type { Estimate } from '../estimate.ts';
import { resources } from '../roofline/resource.ts';

/** One row per clock with the units in the headers: what CSV and Markdown write. */
export interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export function estimateRows({ ttft, tpot, e2e, bound }: Estimate): Table {
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
    ).map(([name, clock, { resource }]) => [
      name,
      milliseconds(clock.seconds),
      milliseconds(clock.low),
      milliseconds(clock.high),
      milliseconds(clock.ideal),
      resource,
      ...resources.map((part) => milliseconds(clock.breakdown[part])),
      clock.grade,
    ]),
  };
}
