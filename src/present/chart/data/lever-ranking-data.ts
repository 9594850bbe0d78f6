import { estimate } from '../../../estimate.ts';
import type { Prices } from '../../../profile/price.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import { type Advice, advise } from '../../../whatif/advise.ts';
import type { Choices } from '../../../whatif/candidates.ts';
import { digits } from '../../clock-time.ts';
import { headingOf } from '../heading-of.ts';
import type { LeverRankingData } from '../lever-ranking.ts';

/** As many rows as a page takes, and as many of them devices. */
const most = 16;
const mostDevices = 3;

/** Entries of a ranking that are looked at. */
const longestRanking = 100;

/** Levers that shorten the whole request or either clock, the best for the whole request first. */
export function leverRankingData(scenario: Scenario, choices: Choices, prices?: Prices): LeverRankingData {
  const { ranks, base, levers: tried } = advise(scenario, choices, prices === undefined ? {} : { prices });
  const isEndless = !Number.isFinite(base.ttft);
  const chosen = new Map<string, Advice>();
  let devices = 0;
  // In turn from each ranking, so that what helps only the first token has its place.
  for (let index = 0; index < longestRanking; index++) {
    for (const ranking of ['e2e', 'ttft', 'tpot'] as const) {
      const advice = ranks[ranking][index];
      if (advice === undefined || advice.asksLess || chosen.size >= most || chosen.has(advice.label)) continue;
      if (advice.kind === 'hardware') {
        if (devices >= mostDevices) continue;
        devices += 1;
      }
      chosen.set(advice.label, advice);
    }
  }
  const levers = [...chosen.values()].toSorted(
    (a, b) => a.ratios.e2e - b.ratios.e2e || a.outcome.ttft - b.outcome.ttft,
  );
  return {
    heading: headingOf(
      titleOf(levers.length, isEndless),
      scenario,
      estimate(scenario),
      isEndless
        ? 'Each lever on its own, all else as it is. Only what settles the queue is shown.'
        : 'Each lever on its own, all else as it is. Changes under 3 % are left out.',
    ),
    note: noteOf(scenario, tried.length, base.stability?.largestRate),
    levers: levers.map(({ label, ratios: { ttft, tpot, e2e }, outcome, costs }) => ({
      label,
      ...(isEndless ? { settled: outcome.ttft } : { ttft, e2e }),
      tpot,
      costs: costs.join(', '),
    })),
  };
}

function titleOf(levers: number, isEndless: boolean): string {
  if (isEndless) {
    return levers === 0 ? 'No single lever settles the queue' : 'Levers that settle the queue, the shortest wait first';
  }
  return levers === 0 ? 'No lever moves a clock by more than 3 %' : 'Levers, the best for the whole request first';
}

function noteOf({ workload: { load } }: Scenario, tried: number, largestRate: number | undefined): string {
  return load.kind === 'rate' && largestRate !== undefined && load.requestsPerSecond > largestRate
    ? `It takes ${digits(load.requestsPerSecond / largestRate)} times as many replicas.`
    : `${tried} levers that apply were tried.`;
}
