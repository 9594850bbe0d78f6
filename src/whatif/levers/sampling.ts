import type { Sampling } from '../../profile/sampling.ts';
import { type Lever, lever } from '../lever.ts';
import { samplerUnknown } from '../messages.ts';
import { slots } from '../slot.ts';

const labels = {
  greedy: 'greedy sampling',
  temperature: 'a draw from all tokens',
  'top-p': 'top-p or top-k',
} as const satisfies Record<Sampling, string>;

/** How requests choose their tokens. */
export const samplingLever = (sampling: Sampling): Lever =>
  lever({
    kind: 'sampling',
    text: `sampling=${sampling}`,
    label: labels[sampling],
    writes: [slots.sampling],
    reads: ['engine'],
    refusal: ({ deployment: { engine, release } }) =>
      release.sampler === undefined ? samplerUnknown(engine.title) : undefined,
    change: (scenario) => ({ ...scenario, deployment: { ...scenario.deployment, sampling } }),
    caution: 'the text changes with the way in which tokens are chosen.',
  });
