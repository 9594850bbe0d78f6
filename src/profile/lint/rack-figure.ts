import type { HardwareFile } from '../hardware-schema.ts';
import type { Hardware } from '../hardware.ts';
import { computedSixteenBit } from './device-rates.ts';
import type { Finding, HardwareRule } from './finding.ts';
import { isDeviceMemory } from './memory-kinds.ts';
import { rackFigure, rackPeak } from './messages.ts';

/** The figure of a server or rack in the place of one device's: data sheets of GB200 NVL72 and HGX print both. */
export const rackFigureRule: HardwareRule = {
  name: 'rack-figure',
  find: ({ file, hardware }) => [...peaks(hardware), ...sizes(file, hardware)],
};

type Found = readonly Omit<Finding, 'rule'>[];

function peaks(hardware: Hardware): Found {
  const computed = computedSixteenBit(hardware);
  if (computed === undefined) return [];
  const groups = new Set([4, 8, 16, 32, 36, 64, 72, hardware.link.domain]);
  return (['fp16', 'bf16'] as const).flatMap((format) => {
    const peak = hardware.matrix[format];
    if (peak === undefined) return [];
    // Dense and sparse: 8 devices with sparsity are 16 times one dense device.
    const devices = [...groups].find((group) => group > 3 && Math.abs(peak / computed / group - 1) < 0.1);
    return devices === undefined
      ? []
      : [{ severity: 'error' as const, path: `matrix.${format}`, message: rackPeak(format, peak, devices) }];
  });
}

/** Beyond these, no single device of today: 5 TB/s a direction of link, 1 TB of stacked memory, 5 kW. */
function sizes(file: HardwareFile, hardware: Hardware): Found {
  const found: Omit<Finding, 'rule'>[] = [];
  const add = (path: string, written: string | undefined, most: string): void => {
    if (written !== undefined) found.push({ severity: 'error', path, message: rackFigure(path, written, most) });
  };
  if (hardware.link.bandwidth > 5e12) add('link.bandwidth', file.link.bandwidth, 'at most 5 TB/s per direction');
  if (isDeviceMemory(hardware.memory.kind) && hardware.memory.capacity > 1.1e12) {
    add('memory.capacity', file.memory.capacity, 'at most 1 TB');
  }
  if ((hardware.power.limit ?? 0) > 5000) add('power.limit', file.power?.limit, 'at most 5 kW');
  return found;
}
