import type { Hardware } from '../../src/profile/hardware.ts';
import { defaultNetworkBandwidth } from '../../src/roofline/link.ts';

const times = (peaks: Hardware['matrix'], factor: number): Hardware['matrix'] =>
  Object.fromEntries(Object.entries(peaks).map(([format, peak]) => [format, peak * factor]));

/** The same device with one kind of rate (or its memory) times a factor. */
export const faster: Readonly<
  Record<'compute' | 'bandwidth' | 'link' | 'capacity', (hardware: Hardware, factor: number) => Hardware>
> = {
  compute: (hardware, factor) => ({
    ...hardware,
    matrix: times(hardware.matrix, factor),
    matrixFp16Accumulate: times(hardware.matrixFp16Accumulate, factor),
  }),
  bandwidth: (hardware, factor) => ({
    ...hardware,
    memory: { ...hardware.memory, bandwidth: hardware.memory.bandwidth * factor },
  }),
  link: (hardware, factor) => ({
    ...hardware,
    link: { ...hardware.link, bandwidth: hardware.link.bandwidth * factor },
    host: { ...hardware.host, bandwidth: hardware.host.bandwidth * factor },
    network: { bandwidth: (hardware.network?.bandwidth ?? defaultNetworkBandwidth) * factor },
  }),
  capacity: (hardware, factor) => ({
    ...hardware,
    memory: {
      ...hardware.memory,
      capacity: hardware.memory.capacity * factor,
      ...(hardware.memory.reported === undefined ? {} : { reported: hardware.memory.reported * factor }),
    },
  }),
};
