import { type Lever, lever } from '../lever.ts';
import { slots } from '../slot.ts';

/** Shares of weights and KV that stay in host memory; none = everything on the device. */
export function offloadLever(shares: { readonly weights?: number; readonly keyValue?: number }): Lever {
  const { weights = 0, keyValue = 0 } = shares;
  const parts = [...(weights > 0 ? [`weights:${weights}`] : []), ...(keyValue > 0 ? [`kv:${keyValue}`] : [])];
  const none = parts.length === 0 && weights === 0 && keyValue === 0;
  const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
  return lever({
    kind: 'offload',
    text: `offload=${none ? 'off' : parts.join('+')}`,
    label: none
      ? 'no offload'
      : `${[...(weights > 0 ? [`${percent(weights)} of weights`] : []), ...(keyValue > 0 ? [`${percent(keyValue)} of KV`] : [])].join(' and ')} in host memory`,
    writes: [slots.offload],
    reads: ['hardware'],
    change: (scenario) => {
      const { offload: _, ...deployment } = scenario.deployment;
      return { ...scenario, deployment: none ? deployment : { ...deployment, offload: { weights, keyValue } } };
    },
  });
}
