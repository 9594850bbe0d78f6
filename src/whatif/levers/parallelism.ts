import { deviceCount, type Parallelism, type Scenario } from '../../profile/scenario.ts';
import { type Lever, lever } from '../lever.ts';
import { devicesDoNotDivide, groupsAreDisaggregated } from '../messages.ts';
import { slots } from '../slot.ts';

/** Short names of the ways to spread a model, as engines' options spell them. */
const rankNames = { tp: 'tensor', pp: 'pipeline', dp: 'data', ep: 'expert', replicas: 'replicas' } as const;

export type RankName = keyof typeof rankNames;

/** So many tensor ranks, pipeline stages, data groups, expert ranks or replicas. */
export function ranksLever(name: RankName, ranks: number): Lever {
  const key = rankNames[name];
  return lever({
    kind: 'parallelism',
    text: `${name}=${ranks}`,
    label: name === 'replicas' ? `${ranks} replicas` : `${name.toUpperCase()} ${ranks}`,
    writes: [slots[key]],
    reads: key === 'replicas' || key === 'data' ? ['disaggregation'] : [],
    refusal: ({ deployment }) =>
      deployment.disaggregation !== undefined && (key === 'replicas' || key === 'data')
        ? groupsAreDisaggregated(name)
        : undefined,
    change: (scenario) => withParallelism(scenario, { [key]: ranks }),
  });
}

/** So many devices in all, the tensor ranks taking what the rest leaves. */
export function devicesLever(devices: number): Lever {
  const others = ({ parallelism }: Scenario['deployment']): number => deviceCount(parallelism) / parallelism.tensor;
  return lever({
    kind: 'parallelism',
    text: `devices=${devices}`,
    label: `${devices} devices`,
    writes: [slots.tensor],
    reads: ['parallelism'],
    refusal: ({ deployment }) =>
      devices % others(deployment) === 0 ? undefined : devicesDoNotDivide(devices, others(deployment)),
    change: (scenario) => withParallelism(scenario, { tensor: devices / others(scenario.deployment) }),
  });
}

const withParallelism = (scenario: Scenario, changed: Partial<Parallelism>): Scenario => ({
  ...scenario,
  deployment: { ...scenario.deployment, parallelism: { ...scenario.deployment.parallelism, ...changed } },
});
