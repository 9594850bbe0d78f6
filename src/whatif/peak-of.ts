import type { Hardware } from '../profile/hardware.ts';
import { resolvePrecision } from '../profile/precision.ts';
import type { Deployment } from '../profile/scenario.ts';
import { arithmeticFor } from '../roofline/arithmetic.ts';

/** Dense peak, FLOP/s, of the format that a deployment's layers (its experts, where it has some) are multiplied in on a device. */
export function peakOf({ model, precision }: Deployment, hardware: Hardware): number {
  const { feedForward, experts, activations } = resolvePrecision(model, precision);
  const sparse = model.layers.some(({ feedForward: block }) => block.kind === 'experts');
  return arithmeticFor({ ...(sparse ? experts : feedForward), activations }, hardware).peak;
}
