import { fixedPowerShare, powerCapped } from '../../roofline/power-cap.ts';
import { type Lever, lever } from '../lever.ts';
import { noPowerLimit, powerAbove, powerBelow } from '../messages.ts';
import { slots } from '../slot.ts';

/** A cap on each device's power. */
export const powerLever = (watts: number): Lever =>
  lever({
    kind: 'power',
    text: `power=${watts} W`,
    label: `power cap ${watts} W`,
    writes: [slots.power],
    reads: ['hardware.power'],
    refusal: ({ deployment }) => {
      const { limit } = deployment.hardware.power;
      const { title } = deployment.hardware;
      if (limit === undefined) return noPowerLimit(title);
      if (watts > limit) return powerAbove(watts, title, limit);
      return watts > fixedPowerShare * limit ? undefined : powerBelow(watts, fixedPowerShare * limit);
    },
    change: (scenario) => ({
      ...scenario,
      deployment: { ...scenario.deployment, hardware: powerCapped(scenario.deployment.hardware, watts) },
    }),
  });
