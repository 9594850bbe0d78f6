import type { Speculation } from '../../profile/scenario.ts';
import { type Lever, lever } from '../lever.ts';
import { acceptanceOutside, nothingDecoded, speculationVaries } from '../messages.ts';
import { slots } from '../slot.ts';

/** Drafted tokens checked several at a time. */
export function speculationLever(speculation: Speculation): Lever {
  const { method, tokens, acceptance, draft, cost } = speculation;
  const drafted = draft === undefined ? '' : `:model=${draft.name}`;
  const priced = cost === undefined ? '' : `:cost=${cost}`;
  return lever({
    kind: 'speculation',
    text: `speculation=${method}:k=${tokens}:acceptance=${acceptance}${drafted}${priced}`,
    label: `speculation ${method}, ${tokens} drafted, acceptance ${acceptance}`,
    writes: [slots.speculation],
    reads: ['workload.output'],
    refusal: ({ workload }) => {
      if (!(acceptance >= 0 && acceptance <= 1)) return acceptanceOutside(acceptance);
      return workload.output === 1 ? nothingDecoded : undefined;
    },
    change: (scenario) => ({ ...scenario, deployment: { ...scenario.deployment, speculation } }),
    caution: speculationVaries,
  });
}

/** One token a step again. */
export const noSpeculation: Lever = lever({
  kind: 'speculation',
  text: 'speculation=off',
  label: 'no speculation',
  writes: [slots.speculation],
  change: (scenario) => {
    const { speculation: _, ...deployment } = scenario.deployment;
    return { ...scenario, deployment };
  },
});
