import type { Hardware } from '../../profile/hardware.ts';
import { type Lever, lever } from '../lever.ts';
import { slots } from '../slot.ts';

/** Another device, everything else as it is. */
export const hardwareLever = (hardware: Hardware): Lever =>
  lever({
    kind: 'hardware',
    text: `hardware=${hardware.name}`,
    label: hardware.title,
    writes: [slots.hardware],
    change: (scenario) => ({ ...scenario, deployment: { ...scenario.deployment, hardware } }),
  });
