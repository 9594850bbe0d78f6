import type { ChangeResult, WhatIf } from '../whatif/what-if.ts';
import type { Table } from './estimate-rows.ts';

/** One row per change: both clocks, the whole request, throughput and cost, before and after. */
export function whatIfRows({ changes }: WhatIf): Table {
  return {
    headers: [
      'change',
      'moved',
      ...['TTFT', 'TPOT', 'E2E'].flatMap((clock) => [`${clock} before (ms)`, `${clock} after (ms)`, `${clock} ratio`]),
      'output tokens/s after',
      'cost after (USD per million tokens)',
      'verdict',
    ],
    rows: changes.map((change) => [
      change.label,
      change.moved,
      ...clocksOf(change).flatMap(({ before, after, ratio }) => [before * 1e3, after * 1e3, ratio]),
      change.throughput.outputTokensPerSecond.after ?? '',
      change.cost.after ?? '',
      change.verdict,
    ]),
  };
}

const clocksOf = ({ ttft, tpot, e2e }: ChangeResult): readonly ChangeResult['ttft'][] => [ttft, tpot, e2e];
