import { estimate } from '../../../estimate.ts';
import type { Prices } from '../../../profile/price.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import { type Advice, advise } from '../../../whatif/advise.ts';
import type { Choices } from '../../../whatif/candidates.ts';
import { headingOf } from '../heading-of.ts';
import type { LeverRankingData } from '../lever-ranking.ts';

/** As many rows as a page takes, and as many of them devices. */
const most = 16;
const mostDevices = 3;

/** Entries of a ranking that are looked at. */
const longestRanking = 100;

/** Levers that shorten the whole request or either clock, the best for the whole request first. */
export function leverRankingData(scenario: Scenario, choices: Choices, prices?: Prices): LeverRankingData {
  const { ranks } = advise(scenario, choices, prices === undefined ? {} : { prices });
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
  const levers = [...chosen.values()].toSorted((a, b) => a.ratios.e2e - b.ratios.e2e);
  const { evidence } = estimate(scenario);
  return {
    heading: headingOf(
      levers.length === 0 ? 'No lever moves a clock by more than 3 %' : 'Levers, the best for the whole request first',
      scenario,
      evidence,
      'Each lever on its own, all else as it is. Changes under 3 % are left out.',
    ),
    levers: levers.map(({ label, ratios: { ttft, tpot, e2e }, costs }) => ({
      label,
      ttft,
      tpot,
      e2e,
      costs: costs.join(', '),
    })),
  };
}
