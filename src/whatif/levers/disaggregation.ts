import type { Disaggregation } from '../../profile/scenario.ts';
import { type Lever, lever } from '../lever.ts';
import { disaggregationWantsDataOne } from '../messages.ts';
import { slots } from '../slot.ts';

/** Prefill and decode on groups of their own; the number of replicas becomes the sum of both. */
export function disaggregationLever(disaggregation: Disaggregation): Lever {
  const { prefill, decode, link } = disaggregation;
  const name = typeof link === 'object' ? link.name : link;
  return lever({
    kind: 'disaggregation',
    text: `disaggregate=${prefill}p${decode}d:link=${name}`,
    label: `${prefill} prefill and ${decode} decode groups over ${name}`,
    writes: [slots.disaggregation, slots.replicas],
    reads: ['parallelism.data'],
    refusal: ({ deployment }) => (deployment.parallelism.data > 1 ? disaggregationWantsDataOne : undefined),
    change: (scenario) => ({
      ...scenario,
      deployment: {
        ...scenario.deployment,
        disaggregation,
        parallelism: { ...scenario.deployment.parallelism, replicas: prefill + decode },
      },
    }),
  });
}

/** Every group does both phases again. */
export const noDisaggregation: Lever = lever({
  kind: 'disaggregation',
  text: 'disaggregate=off',
  label: 'no disaggregation',
  writes: [slots.disaggregation],
  change: (scenario) => {
    const { disaggregation: _, ...deployment } = scenario.deployment;
    return { ...scenario, deployment };
  },
});
