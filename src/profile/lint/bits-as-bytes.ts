import type { Finding, HardwareRule } from './finding.ts';
import { knownLinkRates } from './link-rates.ts';
import { bitsAsBytes } from './messages.ts';

/** Network cards are sold in Gbit/s: 400 Gb/s is 50 GB/s. Of the cards of 2026 the fastest carry 1.6 Tb/s, 200 GB/s. */
export const bitsAsBytesRule: HardwareRule = {
  name: 'bits-as-bytes',
  find: ({ hardware }) => {
    const found: Omit<Finding, 'rule'>[] = [];
    const { network, link } = hardware;
    if (network !== undefined && network.bandwidth >= 200e9) {
      const message = bitsAsBytes('network.bandwidth', network.bandwidth);
      const severity = network.bandwidth > 210e9 ? 'error' : 'warning';
      found.push({ severity, path: 'network.bandwidth', message });
    }
    const rates = knownLinkRates(link.kind, hardware.architecture);
    if (rates.some((rate) => Math.abs(link.bandwidth / (8 * rate) - 1) <= 0.05)) {
      const message = bitsAsBytes('link.bandwidth', link.bandwidth);
      found.push({ severity: 'error', path: 'link.bandwidth', message });
    }
    return found;
  },
};
