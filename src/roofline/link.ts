import type { Hardware } from '../profile/hardware.ts';
import type { CollectiveEfficiency } from './efficiency.ts';

/** What a group of ranks communicates over. */
export interface Link {
  readonly kind: 'own' | 'host' | 'network';
  readonly name: string;
  /** bytes/s per direction and rank, as data sheets give it. */
  readonly bandwidth: number;
  /** Share of it that large messages reach. */
  readonly share: number;
  /** Seconds of one hop-doubling stage; an all-reduce pays log2(ranks) of them. */
  readonly floor: number;
}

/** One 400 Gb/s adapter per device, as DGX H100 ships (NVIDIA DGX H100 user guide, 2023), where a profile names none. */
export const defaultNetworkBandwidth = 50e9;

/** Latency of a message over RDMA between nodes: NCCL sees about 10 us a stage (nccl-tests reports, 2024). */
const networkFloor = 10e-6;

/** RDMA reaches about 0.8 of the adapter's rate in NCCL (nccl-tests reports, 2024). */
export const networkShare = 0.8;

/** The network adapter of a device, bytes/s. */
const adapter = ({ network }: Hardware): number => network?.bandwidth ?? defaultNetworkBandwidth;

/** What transfers between nodes reach of it, bytes/s a device. */
export const networkRate = (hardware: Hardware): number => adapter(hardware) * networkShare;

/**
 * Two cards that reach each other's memory over PCIe keep 0.60-0.63 of its rate (all-reduce of L40S, RTX PRO 6000 and
 * Arc Pro B60, ai-dynamo/aiconfigurator 095f58a); more than two share switches and root complexes.
 */
const pairShare = 0.6;

/** GeForce drivers refuse peer access; the doubled FP16-accumulate rate is what tells those cards. */
const peerAccess = ({ matrixFp16Accumulate }: Hardware): boolean => Object.keys(matrixFp16Accumulate).length === 0;

/**
 * The link that `ranks` devices share. Beyond the scale-up domain the network is the bottleneck; a bridge joins
 * two devices only, and larger groups fall back to the host link; a mesh gives a rank only its links to the others
 * in the group.
 */
export function linkBetween(hardware: Hardware, ranks: number, efficiency: CollectiveEfficiency): Link {
  const { link, host } = hardware;
  if (link.topology !== 'none' && ranks <= link.domain) {
    const share = link.topology === 'mesh' ? (ranks - 1) / (link.domain - 1) : 1;
    return {
      kind: 'own',
      name: link.kind,
      bandwidth: link.bandwidth * share,
      share: efficiency.bandwidth,
      floor: efficiency.floor,
    };
  }
  const switched = link.topology === 'switch' || link.topology === 'mesh' || link.topology === 'torus';
  if (!switched && host.bandwidth > 0) {
    return {
      kind: 'host',
      name: host.kind,
      bandwidth: host.bandwidth,
      share:
        ranks === 2 && peerAccess(hardware) ? Math.max(pairShare, efficiency.hostBandwidth) : efficiency.hostBandwidth,
      floor: efficiency.hostFloor,
    };
  }
  return {
    kind: 'network',
    name: 'network',
    bandwidth: adapter(hardware),
    share: networkShare,
    floor: networkFloor,
  };
}
