import type { Finding, HardwareRule } from './finding.ts';
import { absentLink, bridgeAsSwitch, wideBridge } from './messages.ts';

/** NVIDIA families without NVLink on any product. */
const withoutNvlink: ReadonlySet<string> = new Set(['ada', 'blackwell-graphics']);

/** Cards are joined in pairs by a bridge: eight of them talk over PCIe, whatever the link is called. */
export const bridgeTopology: HardwareRule = {
  name: 'bridge-topology',
  find: ({ hardware }) => {
    const found: Omit<Finding, 'rule'>[] = [];
    const { link, formFactor, architecture, vendor } = hardware;
    const isNvlink = /^nvlink/i.test(link.kind);
    const isBridge = /bridge/i.test(link.kind) || (isNvlink && /^pcie/i.test(formFactor));
    if (isBridge && link.topology !== 'bridge' && link.topology !== 'none') {
      found.push({ severity: 'error', path: 'link.topology', message: bridgeAsSwitch(link.kind, link.topology) });
    }
    if (link.topology === 'bridge' && link.domain > 4) {
      found.push({ severity: 'error', path: 'link.domain', message: wideBridge(link.domain) });
    }
    if (isNvlink && (withoutNvlink.has(architecture) || vendor.toLowerCase() !== 'nvidia')) {
      const family = vendor.toLowerCase() === 'nvidia' ? architecture : vendor;
      found.push({ severity: 'error', path: 'link.kind', message: absentLink(link.kind, family) });
    }
    return found;
  },
};
