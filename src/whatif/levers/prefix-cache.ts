import type { Scenario } from '../../profile/scenario.ts';
import { type Lever, lever } from '../lever.ts';
import { hitRateOutside, noPrefixCache } from '../messages.ts';
import { slots } from '../slot.ts';

/** So many prompt tokens found in the prefix cache. */
export const cachedLever = (tokens: number): Lever =>
  lever({
    kind: 'prefix-cache',
    text: `cached=${tokens}`,
    label: `${tokens} prompt tokens cached`,
    writes: [slots.cached],
    reads: ['engine', 'workload.prompt'],
    refusal: (scenario) => (tokens === 0 ? undefined : withoutCache(scenario)),
    change: (scenario) => ({ ...scenario, workload: { ...scenario.workload, cached: tokens } }),
  });

/** A share of the prompt's tokens found in the prefix cache; at least one token is always computed. */
export const hitRateLever = (share: number): Lever =>
  lever({
    kind: 'prefix-cache',
    text: `hit=${share}`,
    label: `prefix-cache hit rate ${Math.round(share * 1000) / 10} %`,
    writes: [slots.cached],
    reads: ['engine', 'workload.prompt'],
    refusal: (scenario) => (share >= 0 && share <= 1 ? withoutCache(scenario) : hitRateOutside(share)),
    change: (scenario) => {
      const { prompt } = scenario.workload;
      return {
        ...scenario,
        workload: { ...scenario.workload, cached: Math.min(prompt - 1, Math.floor(prompt * share)) },
      };
    },
  });

const withoutCache = ({ deployment }: Scenario): string | undefined =>
  deployment.release.scheduling.prefixCache || deployment.engine.kernels === 'none'
    ? undefined
    : noPrefixCache(deployment.engine.title, deployment.release.version);
