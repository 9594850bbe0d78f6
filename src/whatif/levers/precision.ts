import { numberFormat } from '../../quantity/number-format.ts';
import { type Lever, lever } from '../lever.ts';
import { losesDetail, roundsCache } from '../messages.ts';
import { slots } from '../slot.ts';

/** What people say for a format, where it names several: the one they most likely run. */
const colloquial: Readonly<Record<string, string>> = {
  int4: 'w4a16-awq',
  '4bit': 'w4a16-awq',
  '4-bit': 'w4a16-awq',
  w4a16: 'w4a16-awq',
};

const partNames = {
  weights: { key: 'weights', noun: 'weights' },
  activations: { key: 'activations', noun: 'activations' },
  kv: { key: 'keyValue', noun: 'KV cache' },
} as const;

export type PrecisionName = keyof typeof partNames;

/**
 * Weights, activations or KV cache in another format.
 * @throws QuantityError for a format nobody knows.
 */
export function precisionLever(name: PrecisionName, written: string): Lever {
  const { key, noun } = partNames[name];
  const format = numberFormat(colloquial[written.toLowerCase()] ?? written, name);
  const narrow = format.bits < 8.5;
  return lever({
    kind: 'precision',
    text: `${name}=${format.name}`,
    label: `${format.name} ${noun}`,
    writes: [slots[key]],
    change: (scenario) => ({
      ...scenario,
      deployment: {
        ...scenario.deployment,
        precision: { ...scenario.deployment.precision, [key]: format.name },
      },
    }),
    ...(narrow ? { caution: key === 'keyValue' ? roundsCache(format.bits) : losesDetail(noun, format.bits) } : {}),
  });
}
