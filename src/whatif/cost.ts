import type { Prices } from '../profile/price.ts';

/** What a device costs per second, and on which terms. */
export interface DeviceRate {
  readonly dollarsPerSecond: number;
  readonly basis: string;
  /** Rents and prices written off are not comparable: one pays for power, space and staff, the other does not. */
  readonly terms: 'rented' | 'bought';
}

/** Years over which a bought device is written off, where nobody rents it out: the usual straight line for servers. */
const writeOffYears = 3;
const secondsPerYear = 365.25 * 24 * 3600;

/**
 * The cheapest offer by the hour of one device, else its price over three years without power; undefined where no
 * price is known. Prices of whole machines are no prices of a device, unless nothing else is known of a computer that
 * is its own device.
 */
export function deviceRate(prices: Prices, device: string): DeviceRate | undefined {
  const entry = prices.entries.find((each) => each.device === device);
  if (entry === undefined) return undefined;
  const offers = entry.cloud.filter(({ scope }) => scope === 'device').toSorted((a, b) => a.price - b.price);
  const [cheapest] = offers;
  if (cheapest !== undefined) {
    return { dollarsPerSecond: cheapest.price, basis: `${cheapest.provider}, ${cheapest.basis}`, terms: 'rented' };
  }
  const { list } = entry;
  return list === undefined
    ? undefined
    : {
        dollarsPerSecond: list.price / writeOffYears / secondsPerYear,
        basis: `${list.basis} over ${writeOffYears} years, without power`,
        terms: 'bought',
      };
}

/**
 * Whether both devices are known on the same terms, so that a ratio of their costs means something.
 */
export function comparableCosts(prices: Prices | undefined, device: string, other: string): boolean {
  if (prices === undefined) return false;
  const [one, two] = [deviceRate(prices, device), deviceRate(prices, other)];
  return one !== undefined && one.terms === two?.terms;
}

/** US dollars for a million output tokens; undefined where no price is known or nothing comes out. */
export function costPerMillion(
  prices: Prices | undefined,
  device: string,
  { devices, outputTokensPerSecond }: { readonly devices: number; readonly outputTokensPerSecond: number },
): number | undefined {
  const rate = prices === undefined ? undefined : deviceRate(prices, device);
  return rate === undefined || !(outputTokensPerSecond > 0)
    ? undefined
    : (1e6 * rate.dollarsPerSecond * devices) / outputTokensPerSecond;
}
