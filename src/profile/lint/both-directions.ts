import type { Finding, HardwareRule } from './finding.ts';
import { knownLinkRates, pcieRate } from './link-rates.ts';
import { bothDirections, otherPcieRate } from './messages.ts';

const about = (value: number, target: number): boolean => Math.abs(value / target - 1) <= 0.05;

/** Vendors print the sum of both directions (NVLink 900 GB/s, PCIe 128 GB/s); a profile holds one. */
export const bothDirectionsRule: HardwareRule = {
  name: 'both-directions',
  find: ({ hardware }) => {
    const found: Omit<Finding, 'rule'>[] = [];
    const { link, host, architecture } = hardware;
    const rates = knownLinkRates(link.kind, architecture);
    const half = rates.find((rate) => about(link.bandwidth, 2 * rate));
    if (half !== undefined && !rates.some((rate) => about(link.bandwidth, rate))) {
      const message = bothDirections('link.bandwidth', link.bandwidth, half);
      found.push({ severity: 'error', path: 'link.bandwidth', message });
    }
    const expected = pcieRate(host.kind);
    if (expected !== undefined && !about(host.bandwidth, expected)) {
      const path = 'host.bandwidth';
      found.push(
        about(host.bandwidth, 2 * expected)
          ? { severity: 'error', path, message: bothDirections(path, host.bandwidth, expected) }
          : { severity: 'warning', path, message: otherPcieRate(host.bandwidth, host.kind, expected) },
      );
    }
    return found;
  },
};
